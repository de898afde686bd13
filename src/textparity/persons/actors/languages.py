"""What the rules of actors know of each language beside its word lists; it loads no tool.

A language is an entry of `LANGUAGES`, a file of each word list, inclusive forms (of the study of articles) and, to see
how good it is, annotated passages.
"""

from dataclasses import dataclass
from typing import Literal

PAPER_LANGUAGE = "deu"
GRAMMATICAL = {"masculine": ("Masc",), "feminine": ("Fem",), "": ("Masc", "Fem")}


@dataclass(frozen=True)
class Pronoun:
    """A pronoun that may stand for one person: its gender, empty where it tells none.

    `also` is what else the form may be: `plural` (or polite), `neuter`, or nothing.
    """

    gender: str
    also: Literal["plural", "neuter", ""] = ""

    def may_be(self, grammatical_gender: str) -> bool:
        """Whether it may stand for a noun of this gender (of Universal Features)."""
        genders = GRAMMATICAL[self.gender] + (("Neut",) if self.also == "neuter" else ())
        return grammatical_gender in genders


@dataclass(frozen=True, eq=False)
class Language:
    """Grammar that the rules go by.

    `countries` are those of gender-guesser: in the first most people of a name must have the gender, in each other one
    all. `articles` of a noun tell the gender of titles that anyone may have. Particles stand between first name and
    surname; those that are articles, too, cannot come first. `possessive_endings` are tokens of their own.

    Speech: verbs of thinking attribute quotes alone; `according_to` stands before a name, `according_after` behind it;
    `according_nouns` follow `according_preposition`; `so` stands between a quote and its speaker. `clause_words` begin
    what is said.
    """

    code: str
    # As HTML names it.
    tag: str
    name: str
    countries: tuple[str | None, ...]
    personal: dict[str, Pronoun]
    possessive: dict[str, Pronoun]
    particles: frozenset[str]
    particles_or_articles: frozenset[str]
    thinking: frozenset[str]
    according_to: frozenset[str]
    clause_words: frozenset[str]
    according_after: frozenset[str] = frozenset()
    according_nouns: frozenset[str] = frozenset()
    according_preposition: str = ""
    so: str = ""
    # Before a name, these leave no doubt that it is a person's.
    honorifics: frozenset[str] = frozenset()
    articles: tuple[tuple[str, str], ...] = ()
    possessive_endings: frozenset[str] = frozenset()
    # A name's ending in the genitive, without an apostrophe.
    genitive: str = ""
    nouns_are_capitalised: bool = False
    # A compound that ends in a title is one.
    has_compounds: bool = False
    # What is said may stand in a mood of its own, without a verb of saying.
    has_reporting_mood: bool = False
    # After a quote, the verb stands before its subject.
    is_verb_second: bool = False
    # Guillemets have spaces on both sides.
    has_spaced_marks: bool = False
    # Quotes may stand in single marks.
    has_single_marks: bool = False
    # What was learnt after the German rules were fixed, whose results are published: names under a label that is not a
    # person's, whom a quote and a verb's object cannot mean, subjects behind the verb that reports.
    has_later_rules: bool = False
    # Before a verb these are pronouns, whatever the parser says.
    clitics: frozenset[str] = frozenset()

    @property
    def pronouns(self) -> frozenset[str]:
        """All forms that may stand for one person."""
        return frozenset({*self.personal, *self.possessive})

    def forms_of(self, gender: str) -> frozenset[str]:
        """Return the pronouns that tell a gender."""
        both = (self.personal, self.possessive)
        return frozenset(form for forms in both for form, pronoun in forms.items() if pronoun.gender == gender)


_ENDINGS = ("", "e", "en", "em", "er", "es")

GERMAN = Language(
    code="deu",
    tag="de",
    name="German",
    countries=("germany", "austria", "swiss", None),
    personal={
        "er": Pronoun("masculine"),
        "ihn": Pronoun("masculine"),
        "ihm": Pronoun("masculine", "neuter"),
        "sie": Pronoun("feminine", "plural"),
        "ihr": Pronoun("feminine", "plural"),
    },
    possessive={
        **{"sein" + ending: Pronoun("masculine", "neuter") for ending in _ENDINGS},
        **{"ihr" + ending: Pronoun("feminine", "plural") for ending in _ENDINGS},
    },
    particles=frozenset(
        {"von", "van", "vom", "zu", "zur", "der", "den", "dem", "de", "del", "di", "da", "la", "le", "al"}
    ),
    particles_or_articles=frozenset({"der", "den", "dem"}),
    thinking=frozenset({"denken", "erwarten", "freuen", "glauben", "hoffen", "lachen", "vermuten", "überlegen"}),
    according_to=frozenset({"laut"}),
    according_after=frozenset({"zufolge"}),
    according_nouns=frozenset(
        {"angabe", "angaben", "aussage", "aussagen", "worten", "ansicht", "meinung", "einschätzung"}
    ),
    according_preposition="nach",
    so="so",
    clause_words=frozenset({"dass", "daß", "ob"}),
    genitive="s",
    nouns_are_capitalised=True,
    has_compounds=True,
    has_reporting_mood=True,
    is_verb_second=True,
)

ENGLISH = Language(
    code="eng",
    tag="en",
    name="English",
    countries=("usa", "great_britain", "ireland", None),
    personal={
        "he": Pronoun("masculine"),
        "him": Pronoun("masculine"),
        "she": Pronoun("feminine"),
        "her": Pronoun("feminine"),
    },
    possessive={
        "his": Pronoun("masculine"),
        "her": Pronoun("feminine"),
        "hers": Pronoun("feminine"),
    },
    particles=frozenset(
        {"van", "von", "de", "del", "della", "di", "da", "dos", "der", "den", "la", "le", "al", "bin", "ibn"}
    ),
    particles_or_articles=frozenset(),
    thinking=frozenset({"believe", "expect", "hope", "think", "laugh", "remember", "recall", "wonder"}),
    according_to=frozenset({"according"}),
    clause_words=frozenset({"that", "whether", "if"}),
    honorifics=frozenset({"mr", "mrs", "ms", "miss", "dr", "sir"}),
    possessive_endings=frozenset({"'s", "’s", "'", "’"}),
    has_single_marks=True,
    has_later_rules=True,
)

FRENCH = Language(
    code="fra",
    tag="fr",
    name="French",
    countries=("france", "belgium", "swiss", None),
    personal={
        "il": Pronoun("masculine"),
        "elle": Pronoun("feminine"),
        "le": Pronoun("masculine"),
        "la": Pronoun("feminine"),
        "l'": Pronoun(""),
        "lui": Pronoun(""),
    },
    possessive={"son": Pronoun(""), "sa": Pronoun(""), "ses": Pronoun("")},
    particles=frozenset({"de", "du", "des", "d'", "le", "la", "van", "von", "di", "da", "del", "ben", "el", "al"}),
    particles_or_articles=frozenset({"le", "la", "des", "du"}),
    thinking=frozenset({"attendre", "croire", "espérer", "penser", "rappeler", "rire", "réjouir", "souvenir"}),
    according_to=frozenset({"selon", "après"}),
    clause_words=frozenset({"que", "qu'", "si", "s'"}),
    honorifics=frozenset({"m", "mm", "mme", "mmes", "mlle", "dr", "me", "monsieur", "madame", "mademoiselle"}),
    articles=(("le", "masculine"), ("un", "masculine"), ("la", "feminine"), ("une", "feminine")),
    has_spaced_marks=True,
    has_later_rules=True,
    clitics=frozenset({"l'", "lui"}),
)

LANGUAGES = {language.code: language for language in (GERMAN, ENGLISH, FRENCH)}


def form_of(token: str) -> str:
    """Return a token as the pronouns are listed: lower-case, with a straight apostrophe, without a hyphen before it."""
    return token.lower().replace("’", "'").lstrip("-")


def language_suffix(lang: str, sign: str = "_") -> str:
    """Return how names of files of a language end: those of the paper's language have nothing."""
    return "" if lang == PAPER_LANGUAGE else f"{sign}{lang}"
