"""Find who is in an article by rules for names, titles and pronouns, with word lists for each language."""
