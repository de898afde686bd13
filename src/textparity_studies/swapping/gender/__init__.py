"""Which gender an entity has, as the paper says and corrected."""
