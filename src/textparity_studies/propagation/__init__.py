"""The `propagation` study (Derner 2025, §5, App. E-H): texts that a model writes after training on biased stories."""
