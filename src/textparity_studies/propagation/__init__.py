"""The `propagation` study (Derner 2025, §5, App. E-H): what a model writes after it trained on biased stories."""
