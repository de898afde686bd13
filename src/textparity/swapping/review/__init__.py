"""A page on which people accept, correct or dismiss swapped sentences: python -m textparity.swapping.review."""
