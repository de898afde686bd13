"""Find who is mentioned in a text: methods that find persons, annotated texts, and each method's measured error."""
