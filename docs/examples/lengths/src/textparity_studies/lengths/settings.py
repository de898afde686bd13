"""Settings of the `lengths` study."""

from textparity_studies.workflow.settings import Closed


class LengthsSettings(Closed):
    """Settings of the `lengths` study (Nobody 2026)."""

    corpus: str = "demo"
