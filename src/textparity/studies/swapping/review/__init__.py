"""A page on which people accept, correct or dismiss swapped sentences: python -m textparity.studies.swapping.review."""
