"""Rows of the registry's tables that the `instruments` study alone reads."""

from typing import ClassVar, Literal

from textparity.registry import Inside, LanguageCode, Name
from textparity_studies.workflow.registry import StudyRow


class PersonGold(StudyRow):
    """Describe a file of texts with annotated mentions of persons; rows of one name are one corpus per language.

    `format` is one of `gold_readers.READERS`. `beside` are other files that it needs, separated by spaces. `genre` is
    the kind of text, if the file does not give it. With `grammatical`, the gender is that of the noun, whoever is
    meant. `annotation` decides the meaning of a detected mention that is not annotated:

    - `complete`: all persons are annotated, so the mention is wrong;
    - `marked`: only some are, so nothing follows;
    - `balanced`: only some are, in texts made for a test, with about as many women as men. They give no evidence about
      the errors of a ratio in other texts;
    - `names`: only given names are marked. They give their recall alone (table `names`).
    """

    KEY = ("gold", "lang", "path")
    REFERENCES: ClassVar = {"source": "sources", "lang": "languages"}

    gold: Name
    name: str
    lang: LanguageCode
    format: Literal[
        "gum",
        "brat",
        "italian_brat",
        "koconovel",
        "full_stack",
        "biographies",
        "treebank_names",
        "litbank",
        "openboek",
        "gerdracor",
        "quotations",
        "marked",
        "gap",
        "brackets",
        "schemas",
        "tagged",
        "passages",
        "entities",
        "readings",
        "news",
    ]
    source: str
    path: Inside
    beside: Inside
    genre: str
    annotation: Literal["complete", "marked", "balanced", "names"]
    grammatical: Literal["yes", "no"]

    @property
    def has_quotes(self) -> bool:
        """Whether the quotes of its texts are annotated, with their speakers."""
        return self.format in ("quotations", "news")

    @property
    def files(self) -> list[str]:
        """The paths of its files, beginning with the annotated one."""
        return [self.path, *self.beside.split()]
