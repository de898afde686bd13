"""Find who is mentioned in a text: methods that find persons, annotated texts, and measurements of each method's
error.
"""
