"""Ukrainian titles and names of persons: what words can be by a dictionary, and which gender they tell."""
