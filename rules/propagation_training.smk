"""The `propagation` study: training adapters.
"""
