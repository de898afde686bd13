"""What a module of this study has for a number of the paper."""

from typing import NamedTuple

# A table, row and column of the paper.
Key = tuple[str, str, str]


class Measured(NamedTuple):
    """Our value by the paper's procedure and by the corrected one, a remark, and what is other in our setup."""

    published: float
    corrected: float
    remark: str = ""
    setup: str = ""
