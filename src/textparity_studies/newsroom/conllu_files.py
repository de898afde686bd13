"""Read and write annotations as CoNLL-U with names in MISC (`Name=B-PER`): made elsewhere, or kept as text.

Each article has one `# newdoc id = …`, its id with or without the corpus; `SpaceAfter=No` has its usual meaning. The
lines `# model = …` and `# scheme = …` (`ud`, `tiger` or `clear`) at the top record what made the annotations. Without a
scheme, labels including `sb` are TIGER's, and labels including `dobj` are ClearNLP's. Coreference is not kept, because
we resolve it by rules.
"""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import conllu
from conllu.models import TokenList

from textparity.corpora.rows import read_batches, read_metadata, write_batches
from textparity.errors import InputError
from textparity.files import write_text
from textparity.persons.actors.annotations import SCHEMES, Annotation, scheme_of
from textparity_studies.newsroom.annotations import ANNOTATION_SCHEMA, BATCH_ARTICLES, read_annotations

_FIELDS = conllu.parser.DEFAULT_FIELDS


def import_annotations(conllu_file: Path, articles: Path, annotations: Path) -> None:
    """Write the annotations of `articles` from a CoNLL-U file, in the order of the articles.

    Raises `InputError` for an article that is not in the file, or whose tokens do not make up its text: with
    annotations of another version of a text, every quote would be misplaced.
    """
    found: dict[str, list[TokenList]] = {}
    described = {"model": f"annotations of {conllu_file.name}", "coreference": "rules"}
    for sentence in _read(conllu_file):
        described |= {name: sentence.metadata[name] for name in ("model", "scheme") if name in sentence.metadata}
        if "newdoc id" in sentence.metadata:
            current = found.setdefault(sentence.metadata["newdoc id"], [])
        elif not found:
            raise InputError(f"{conllu_file}: the first sentence has no `# newdoc id = …`; add the article's id")
        current.append(sentence)
    labels = {token["deprel"] for sentences in found.values() for sentence in sentences for token in sentence}
    described.setdefault("scheme", scheme_of(labels).name)
    if described["scheme"] not in SCHEMES:
        raise InputError(f"{conllu_file}: the scheme {described['scheme']} is none of {', '.join(SCHEMES)}")

    def batches() -> Generator[list[dict[str, Any]], None, dict[str, Any]]:
        for batch in read_batches(articles, BATCH_ARTICLES, ["id", "group", "number", "text"]):
            rows = []
            for id_, group, number, text in zip(*batch.values(), strict=True):
                name = next((name for name in (_name_of(id_), id_) if name in found), None)
                if name is None:
                    raise InputError(f"{conllu_file}: has no article {id_}; annotate it too")
                row = _to_row(found[name], conllu_file, name)
                made = "".join(
                    token + " " * space for token, space in zip(row["tokens"], row["spaces"], strict=True)
                ).rstrip()
                if made != text.rstrip():
                    raise InputError(
                        f"{conllu_file}, article {name}: its tokens make up another text ({_difference(made, text)}); "
                        "annotate the text as it is, with SpaceAfter=No where no space follows"
                    )
                rows.append({"id": id_, "group": group, "number": number, **row})
            yield rows
        return described

    write_batches(annotations, ANNOTATION_SCHEMA, batches())


def _name_of(id_: str) -> str:
    """Remove the corpus from an article's id."""
    return id_.partition("/")[2] or id_


def _difference(made: str, text: str) -> str:
    place = next((i for i, (a, b) in enumerate(zip(made, text, strict=False)) if a != b), min(len(made), len(text)))
    return f"at character {place + 1}: {made[place : place + 20]!r} instead of {text[place : place + 20]!r}"


def _read(path: Path) -> Iterator[TokenList]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from conllu.parse_incr(file)
    except (conllu.exceptions.ParseException, ValueError) as error:
        raise InputError(f"{path}: not CoNLL-U ({error}); its lines have ten cells between tabs, in UTF-8") from error


def _to_row(sentences: list[TokenList], path: Path, id_: str) -> dict[str, list[Any]]:
    row: dict[str, list[Any]] = {name: [] for name in ANNOTATION_SCHEMA.names[3:]}
    for sentence in sentences:
        first = len(row["tokens"])
        heads = [token["head"] or 0 for token in sentence]
        for number, token in enumerate(sentence, start=1):
            if token["id"] != number:
                raise InputError(
                    f"{path}, article {id_}: token {token['id']} is a multi-word or empty token, or out of order; give "
                    "one line to each word as it stands in the text"
                )
            if not _reaches_root(heads, number):
                raise InputError(
                    f"{path}, article {id_}: the head {heads[number - 1]} of token {number} ({token['form']}) does not "
                    "lead to its sentence's root, whose head is 0"
                )
            misc = token["misc"] or {}
            name = misc.get("Name", "O")
            row["tokens"].append(token["form"])
            row["spaces"].append(misc.get("SpaceAfter") != "No")
            row["lemmas"].append(token["lemma"] or "")
            row["parts_of_speech"].append(token["upos"] or "")
            row["tags"].append(token["xpos"] or "")
            row["morphology"].append("|".join(f"{key}={value}" for key, value in (token["feats"] or {}).items()))
            row["dependencies"].append(token["deprel"] or "")
            row["heads"].append(first + (heads[number - 1] or number) - 1)
            row["sentence_starts"].append(len(row["tokens"]) == first + 1)
            row["entities"].append("" if name == "O" else name[2:])
            row["entity_starts"].append(name.startswith("B-"))
    return row


def _reaches_root(heads: list[int], number: int) -> bool:
    for _ in heads:
        number = heads[number - 1]
        if not 0 < number <= len(heads):
            return number == 0
    return False


def export_annotations(annotations: Path, conllu_file: Path) -> None:
    """Write annotations as CoNLL-U, for other tools or to keep them as text.

    Raises `InputError` for a text with a run of white space, which is a token in spaCy but not in CoNLL-U.
    """
    described = read_metadata(annotations)
    lines: list[str] = []
    for batch in read_annotations(annotations):
        for article in batch:
            if any(map(str.isspace, article.tokens)):
                raise InputError(
                    f"{annotations}, article {article.id}: has a run of white space; CoNLL-U cannot say so"
                )
            for start, end in article.sentences:
                head = {"newdoc id": _name_of(article.id)} if start == 0 else {}
                if not lines:
                    head |= {name: described[name] for name in ("model", "scheme")}
                tokens = [dict(zip(_FIELDS, _cells(article, place, start), strict=True)) for place in range(start, end)]
                lines.append(TokenList(tokens, metadata=head).serialize())
    write_text(conllu_file, "".join(lines))


def _cells(article: Annotation, place: int, start: int) -> list[Any]:
    misc = {} if article.spaces[place] else {"SpaceAfter": "No"}
    if label := article.entities[place]:
        misc["Name"] = f"{'B' if article.entity_starts[place] else 'I'}-{label}"
    head = 0 if article.heads[place] == place else article.heads[place] - start + 1
    return [
        place - start + 1,
        article.tokens[place],
        article.lemmas[place] or "_",
        article.parts_of_speech[place] or "_",
        article.tags[place] or "_",
        article.features[place] or None,
        head,
        article.dependencies[place] or "_",
        None,
        misc or None,
    ]
