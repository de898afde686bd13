"""Talking to language models: rows of a table, a cache of answers, a budget, one client for all studies.

Nothing here loads `openai` before a request is sent, so rules may import it.
"""
