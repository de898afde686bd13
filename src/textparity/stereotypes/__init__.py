"""The `stereotypes` study (Soundararajan, Jeyaraj and Delany 2023): generated gendered language and its classification."""
