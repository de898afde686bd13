"""Gender representation in text corpora: the rules of five published studies, as a library."""

__version__ = "0.1.0"
