"""All access to the network: downloads, mirrors, pins, archives, and models of tools."""
