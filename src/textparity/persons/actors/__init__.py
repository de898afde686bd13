"""Who is in an article by rules: names and what is merged into them, titles, pronouns; each language its words."""
