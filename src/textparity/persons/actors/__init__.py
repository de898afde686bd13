"""Find who is in an article by rules for names, coreferent mentions, titles and pronouns, with words for each
language.
"""
