"""The studies, a package each."""
