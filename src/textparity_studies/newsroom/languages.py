"""The languages of the study."""

from dataclasses import dataclass

PAPER_LANGUAGE = "deu"


@dataclass(frozen=True)
class StudyLanguage:
    """A language of the study. `tag` is its code in HTML."""

    name: str
    tag: str


LANGUAGES = {
    "deu": StudyLanguage(name="German", tag="de"),
    "eng": StudyLanguage(name="English", tag="en"),
    "fra": StudyLanguage(name="French", tag="fr"),
}
