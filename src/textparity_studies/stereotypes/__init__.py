"""The `stereotypes` study (Soundararajan 2023): generating gendered language, and classifying stereotypes in it."""
