"""The `stereotypes` study (Soundararajan 2023): generated gendered language, and telling stereotypes in it."""
