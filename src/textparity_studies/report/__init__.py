"""Report on a run: the front page, pages of tables, and numbers to quote."""
