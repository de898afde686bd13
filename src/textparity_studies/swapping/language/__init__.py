"""Handle Ukrainian words: lists, forms, morphology, and dependencies."""
