"""Request swapped sentences from models, read them, check them, and add them to a corpus."""
