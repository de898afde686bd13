"""Find Ukrainian titles and names of persons, and their gender by a dictionary's readings of each word."""
