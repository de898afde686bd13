"""Who is mentioned, quoted and how, by the paper's rules and corrected."""
