"""How well the rules find what people annotated."""
