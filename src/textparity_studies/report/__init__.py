"""The report on a run: front page, pages of tables, and numbers to quote."""
