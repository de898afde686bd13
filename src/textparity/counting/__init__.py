"""What is measured on texts: tokenizers, lexicon matching, counting, statistics."""
