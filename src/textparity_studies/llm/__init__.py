"""Ask language models: rows of a table, a cache of answers, a budget, and one client for all studies.

Nothing here loads `openai` before a request is sent, so rule files may import it.
"""
