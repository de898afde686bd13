"""Tables, figures and pages of a corpus of articles."""
