"""The `newsroom` study (Urchs 2025): actors in newspaper articles, and a balanced corpus."""
