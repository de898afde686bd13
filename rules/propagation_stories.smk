"""The `propagation` study: what trained models write.
"""
