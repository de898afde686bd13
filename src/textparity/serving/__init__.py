"""`textparity serve`: a page on this machine that marks the words of a text and shows its audit."""
