"""Convert files to rows of text."""
