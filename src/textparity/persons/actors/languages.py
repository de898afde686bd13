"""The grammar that the rules of actors use for each language, in addition to its word lists. No tool is loaded.

A language consists of an entry in `LANGUAGES`, a file for each word list, inclusive forms (of the study of articles)
and annotated passages, which measure how well it works.
"""

from dataclasses import dataclass
from typing import Literal

PAPER_LANGUAGE = "deu"
GRAMMATICAL = {"masculine": ("Masc",), "feminine": ("Fem",), "": ("Masc", "Fem")}


@dataclass(frozen=True)
class Pronoun:
    """A pronoun that may refer to one person, with its gender (empty if it has none).

    `also` names what else the form may be: `plural` (or polite), `neuter`, or nothing.
    """

    gender: str
    also: Literal["plural", "neuter", ""] = ""

    def may_be(self, grammatical_gender: str) -> bool:
        """Check whether it may refer to a noun of this gender (of Universal Features)."""
        genders = GRAMMATICAL[self.gender] + (("Neut",) if self.also == "neuter" else ())
        return grammatical_gender in genders


@dataclass(frozen=True, eq=False)
class Language:
    """The grammar that the rules use.

    `countries` are those of gender-guesser. In the first, most people of a name must have the gender; in each other
    one, all must. `articles` of a noun determine the gender of titles that anyone may have. Particles stand between
    first name and surname; those that are also articles cannot come first. `possessive_endings` are separate tokens.

    For speech, verbs of thinking attribute only quotes. `according_to` stands before a name, `according_after` after
    it. `according_nouns` follow `according_preposition`. `so` stands between a quote and its speaker. `clause_words`
    introduce indirect speech.
    """

    code: str
    # The language code in HTML.
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
    # The name after one of these is always that of a person.
    honorifics: frozenset[str] = frozenset()
    articles: tuple[tuple[str, str], ...] = ()
    possessive_endings: frozenset[str] = frozenset()
    # The ending of names in the genitive, without an apostrophe.
    genitive: str = ""
    nouns_are_capitalised: bool = False
    # A compound that ends in a title is a title.
    has_compounds: bool = False
    # Indirect speech may use a mood of its own, without a verb of saying.
    has_reporting_mood: bool = False
    # After a quote, the verb comes before its subject.
    is_verb_second: bool = False
    # Guillemets have spaces on both sides.
    has_spaced_marks: bool = False
    # Quotes may be in single quotation marks.
    has_single_marks: bool = False
    # Rules added after the German rules were fixed, whose results are published. They concern names under a label other
    # than person, persons to whom a quote and a verb's object cannot refer, and subjects after the reporting verb.
    has_later_rules: bool = False
    # Before a verb, these are pronouns, whatever the parser's tag.
    clitics: frozenset[str] = frozenset()

    @property
    def pronouns(self) -> frozenset[str]:
        """All forms that may refer to one person."""
        return frozenset({*self.personal, *self.possessive})

    def forms_of(self, gender: str) -> frozenset[str]:
        """List the pronouns of a gender."""
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
    """Convert a token to a pronoun's listed form: lower case, straight apostrophe, no leading hyphen."""
    return token.lower().replace("’", "'").lstrip("-")


def language_suffix(lang: str, sign: str = "_") -> str:
    """Make the suffix for names of a language's files. The paper's language has none."""
    return "" if lang == PAPER_LANGUAGE else f"{sign}{lang}"
