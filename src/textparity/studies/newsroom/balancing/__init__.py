"""Which articles to leave out so that women and men are mentioned about equally."""
