"""Annotations made by hand, for the rules that read them: no parser is needed to test a rule.

A sentence is a block of lines, a token a line: form, lemma (- if it is the form), part of speech, relation, head (from
1; 0 for the root), then, in any order, features by their values (`Fem.Sing`), an entity (`B-PER`, `I-PER`) and, after
`!`, an STTS tag. No space stands before `, . ? ! ; : ) “ «` and after `( „ »`; elsewhere `~` says that none follows.
"""

from functools import cache
from pathlib import Path

from textparity.corpora.reading import write_batches
from textparity.persons.annotations import SCHEMES
from textparity_studies.newsroom.annotations import ANNOTATION_SCHEMA, AnnotatedArticle
from textparity_studies.newsroom.measuring import measure_articles
from textparity_studies.newsroom.settings import NewsroomWordLists
from textparity_studies.newsroom.word_lists import StudyWordLists, load_study_lists

LEXICONS = Path(__file__).parents[2] / "resources" / "newsroom" / "word_lists"


def lists_of(lang: str) -> dict[str, Path]:
    """Return the word lists of a language by their names."""
    patterns = NewsroomWordLists().model_dump()
    return {name: LEXICONS / Path(path.format(lang=lang)).name for name, path in patterns.items()}


LISTS = lists_of("deu")
_FEATURES = {
    **dict.fromkeys(("Nom", "Gen", "Dat", "Acc"), "Case"),
    **dict.fromkeys(("Fem", "Masc", "Neut"), "Gender"),
    **dict.fromkeys(("Sing", "Plur"), "Number"),
    **dict.fromkeys(("Fin", "Inf", "Part"), "VerbForm"),
    **dict.fromkeys(("Ind", "Sub"), "Mood"),
    **dict.fromkeys(("Past", "Pres"), "Tense"),
    **dict.fromkeys(("1", "2", "3"), "Person"),
}
_NONE_BEFORE, _NONE_AFTER = frozenset(",.?!;:)“«"), frozenset("(„»")


def annotate(
    text: str, scheme: str = "ud", antecedents: dict[int, int] | None = None, id: str = "a/1"
) -> AnnotatedArticle:
    """Return the annotation of an article; `antecedents` has the token that a token stands for, both from 0."""
    rows: list[dict] = []
    for block in text.strip().split("\n\n"):
        first = len(rows)
        for line in block.strip().splitlines():
            rows.append(_read(line.split(), first, len(rows)))
    spaces = [not (row["glued"] or row["form"] in _NONE_AFTER) for row in rows]
    for place, row in enumerate(rows[1:]):
        spaces[place] = spaces[place] and row["form"] not in _NONE_BEFORE
    if rows:
        spaces[-1] = False
    chains = [(antecedents or {}).get(place, -1) for place in range(len(rows))]
    return AnnotatedArticle(
        id=id,
        group="2001",
        number=0,
        tokens=[row["form"] for row in rows],
        spaces=spaces,
        lemmas=[row["lemma"] for row in rows],
        parts_of_speech=[row["part"] for row in rows],
        tags=[row["tag"] for row in rows],
        morphology=[row["features"] for row in rows],
        dependencies=[row["relation"] for row in rows],
        heads=[row["head"] for row in rows],
        sentence_starts=[row["starts"] for row in rows],
        entities=[row["entity"][2:] for row in rows],
        entity_starts=[row["entity"].startswith("B-") for row in rows],
        antecedents=[] if antecedents is None else chains,
        scheme=SCHEMES[scheme],
    )


def _read(cells: list[str], first: int, place: int) -> dict:
    form, lemma, part, relation, head, *others = cells
    entity = next((cell for cell in others if cell[:2] in ("B-", "I-")), "")
    tag = next((cell[1:] for cell in others if cell[0] == "!"), "")
    values = [value for cell in others if cell not in (entity, "~") and cell[0] != "!" for value in cell.split(".")]
    return {
        "form": form,
        "lemma": form if lemma == "-" else lemma,
        "part": part,
        "relation": relation,
        "head": first + int(head) - 1 if int(head) else place,
        "starts": place == first,
        "entity": entity,
        "tag": tag,
        "features": "|".join(f"{_FEATURES[value]}={value}" for value in values),
        "glued": "~" in others,
    }


@cache
def shipped_lists(lang: str = "deu") -> StudyWordLists:
    """Return the word lists of the repository."""
    return load_study_lists(**lists_of(lang), lang=lang)


def write_annotations(path: Path, *articles: AnnotatedArticle) -> Path:
    """Write annotations as a parser would."""

    def batches():
        yield [{name: getattr(article, name) for name in ANNOTATION_SCHEMA.names} for article in articles]
        return {"model": "by hand 1.0", "scheme": "ud", "coreference": "rules"}

    write_batches(path, ANNOTATION_SCHEMA, batches())
    return path


def measure_file(
    annotations: Path,
    procedure: str = "corrected",
    lists: dict[str, Path] = LISTS,
    pronoun_share: float = 0.7,
    lang: str = "deu",
) -> dict[str, Path]:
    """Measure a file of annotations by one procedure; returns the files made beside it."""
    made = {"pronoun_shares": "csv"} | dict.fromkeys(("actors", "measures", "words", "inclusive_forms"), "parquet")
    paths = {name: annotations.with_name(f"{procedure}_{name}.{annotations.stem}.{end}") for name, end in made.items()}
    measure_articles(
        annotations, **lists, **paths, procedure=procedure, pronoun_share=pronoun_share, sentiment="none", lang=lang
    )
    return paths
