"""`textparity compare`: corpora beside one of them, from their audits to what differs."""
