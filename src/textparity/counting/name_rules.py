"""The words of a language that decide what a name is: `name_words.tsv`.

The kinds of words are:

- `closed`: articles, pronouns, conjunctions, prepositions, question words and common adverbs, which are no names;
- `article`: words before things rather than persons. Articles that a language also puts before names (Greek, Catalan)
  are not among them;
- `place`: prepositions before places;
- `thing`: prepositions that are rare before persons;
- `particle`: words in lower case or with a capital within a name, such as *von*;
- `academic`: titles of people of any gender within a name, such as *Dr.*;
- `address`: nouns that are forms of address, such as *Frau*. So are all words of the layer `titles`;
- `role`: nouns for offices and professions that stand directly before a name, such as *Kanzlerin*. Languages whose
  nouns have cases have none, because a noun in the genitive stands there (*Prezydent Warszawy*). `*` at the beginning
  stands for any letters;
- `joining`: words that join persons, such as *and*;
- `neutral`: pronouns of one person whose gender they do not show, such as *they*.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from textparity.counting.name_forms import NameForms, load_name_forms
from textparity.files import read_tsv
from textparity.folding import ALL_LANGUAGES, load_folding

NAME_WORDS = Path(__file__).parents[1] / "resources" / "lexicons" / "name_words.tsv"
COLUMNS = ("lang", "kind", "words", "by")
KINDS = ("closed", "article", "place", "thing", "particle", "academic", "address", "role", "joining", "neutral")


@dataclass(frozen=True)
class NameRules:
    """The words of `name_words.tsv` for one language, folded and in lower case.

    `excluded` are words that a user excluded, and `forms` those of names, if the language inflects them.
    """

    closed: frozenset[str] = frozenset()
    article: frozenset[str] = frozenset()
    place: frozenset[str] = frozenset()
    thing: frozenset[str] = frozenset()
    particle: frozenset[str] = frozenset()
    academic: frozenset[str] = frozenset()
    address: frozenset[str] = frozenset()
    role: frozenset[str] = frozenset()
    role_endings: tuple[str, ...] = ()
    joining: frozenset[str] = frozenset()
    neutral: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()
    forms: NameForms | None = None

    def is_doubtful(self, form: str) -> bool:
        """Check whether a first name depends on the words beside it: it is a closed word, or a form of both genders."""
        if form in self.closed:
            return True
        return self.forms is not None and self.forms.is_ambiguous(form)

    @property
    def beside_names(self) -> frozenset[str]:
        """The words whose letters have to be known wherever they stand beside a name."""
        return self.article | self.place | self.particle | self.academic | self.neutral | self.joining

    def is_role(self, form: str) -> bool:
        """Check whether a noun stands directly before the names of persons."""
        return form in self.role or form.endswith(self.role_endings)


# For texts of no language in particular.
NO_NAME_RULES = NameRules()


@cache
def read_name_word_rows(lang: str) -> list[dict[str, str]]:
    """Read the rows of a language, and those of all languages."""
    rows = read_tsv(NAME_WORDS, COLUMNS, allowed={"kind": KINDS})
    return [row for row in rows if row["lang"] in (lang, ALL_LANGUAGES)]


@cache
def load_name_rules(lang: str, excluded: frozenset[str] = frozenset()) -> NameRules:
    """Load the words of a language. `excluded` are never learned as surnames. Raises `TableError` for a wrong row."""
    fold = load_folding(lang).fold
    words: dict[str, set[str]] = {kind: set() for kind in KINDS}
    role_endings: set[str] = set()
    for row in read_name_word_rows(lang):
        kind = row["kind"]
        for word in row["words"].split():
            if kind == "role" and word.startswith("*"):
                role_endings.add(fold(word[1:]))
            else:
                words[kind].add(fold(word))
    words_by_kind = {kind: frozenset(of_kind) for kind, of_kind in words.items()}
    return NameRules(
        **words_by_kind,
        role_endings=tuple(sorted(role_endings)),
        excluded=frozenset(map(fold, excluded)),
        forms=load_name_forms(lang),
    )
