"""The door to the network: fetching, mirrors, pins, archives, models of tools."""
