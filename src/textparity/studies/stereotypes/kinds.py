"""The four kinds of sentences: about women or men, with words coded as feminine or masculine (Tables III and IV)."""

from dataclasses import dataclass

CONSISTENT, CONTRADICTORY = "consistent", "contradictory"


@dataclass(frozen=True)
class Kind:
    """`name` is the gender of the person and the coding of the word, as the paper's M and F."""

    name: str
    gender: str
    coding: str

    @property
    def label(self) -> str:
        """Whether a sentence of this kind is consistent with gender stereotypes or contradictory to them."""
        return CONSISTENT if self.gender == self.coding else CONTRADICTORY


KINDS = {
    kind.name: kind
    for kind in (
        Kind("MM", "masculine", "masculine"),
        Kind("FF", "feminine", "feminine"),
        Kind("MF", "masculine", "feminine"),
        Kind("FM", "feminine", "masculine"),
    )
}
