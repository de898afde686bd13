"""The `representation` study: mentions of women and men in corpora of several languages (Derner 2025, §3–4)."""
