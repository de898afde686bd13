"""The `propagation` study: tables, figures.
"""
