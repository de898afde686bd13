"""From files to rows of text."""
