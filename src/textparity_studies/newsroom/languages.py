"""The languages of the study, with the words by which articles report speech indirectly."""

from dataclasses import dataclass

PAPER_LANGUAGE = "deu"


@dataclass(frozen=True)
class IndirectSpeech:
    """The words of a language that report speech without quotation marks, in lower case.

    `thinking` are verbs that attribute only direct quotes. `according_to` stands before a name, `according_after` after
    it. `according_nouns` follow `according_preposition`. `clause_words` introduce what was said.
    """

    thinking: frozenset[str]
    according_to: frozenset[str]
    clause_words: frozenset[str]
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()
    according_preposition: str = ""
    # Indirect speech may use a mood of its own, without a verb of saying.
    has_reporting_mood: bool = False


@dataclass(frozen=True)
class StudyLanguage:
    """A language of the study. `tag` is its code in HTML."""

    name: str
    tag: str
    indirect_speech: IndirectSpeech


LANGUAGES = {
    "deu": StudyLanguage(
        name="German",
        tag="de",
        indirect_speech=IndirectSpeech(
            thinking=frozenset(
                {"denken", "erwarten", "freuen", "glauben", "hoffen", "lachen", "vermuten", "überlegen"}
            ),
            according_to=frozenset({"laut"}),
            clause_words=frozenset({"dass", "daß", "ob"}),
            according_after=frozenset({"zufolge"}),
            according_nouns=frozenset(
                {"angabe", "angaben", "ansicht", "aussage", "aussagen", "einschätzung", "meinung", "worten"}
            ),
            according_preposition="nach",
            has_reporting_mood=True,
        ),
    ),
    "eng": StudyLanguage(
        name="English",
        tag="en",
        indirect_speech=IndirectSpeech(
            thinking=frozenset({"believe", "expect", "hope", "laugh", "recall", "remember", "think", "wonder"}),
            according_to=frozenset({"according"}),
            clause_words=frozenset({"if", "that", "whether"}),
        ),
    ),
    "fra": StudyLanguage(
        name="French",
        tag="fr",
        indirect_speech=IndirectSpeech(
            thinking=frozenset({"attendre", "croire", "espérer", "penser", "rappeler", "rire", "réjouir", "souvenir"}),
            according_to=frozenset({"après", "selon"}),
            clause_words=frozenset({"qu'", "que", "s'", "si"}),
        ),
    ),
}
