"""Who is mentioned in a text: methods that find persons, annotated texts, and how far a method can be trusted."""
