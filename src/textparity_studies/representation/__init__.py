"""The `representation` study: who is mentioned in corpora of gendered languages and of English (Derner 2025, §3–4)."""
