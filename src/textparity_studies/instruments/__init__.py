"""The `instruments` study: how well methods find the persons mentioned in annotated texts; it belongs to no paper."""
