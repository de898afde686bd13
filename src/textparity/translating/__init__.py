"""Translations: whether a woman or a man of an occupation is still one."""
