"""Find Ukrainian titles and names of persons: a dictionary lists the readings of each word, and they determine the
gender.
"""
