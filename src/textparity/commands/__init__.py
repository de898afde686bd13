"""The commands of `textparity`, one module each, with `register` and `run`."""
