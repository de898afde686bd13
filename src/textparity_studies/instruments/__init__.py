"""The `instruments` study: how well methods find who is mentioned, on annotated texts; of no paper."""
