"""Small word lists and corpora of our own, shaped as the published ones."""

from textparity.corpora.reading import write_batches
from textparity.persons.ukrainian_genders import GenderLists
from textparity_studies.swapping.corpora import DOCUMENT_SCHEMA, ENTITY_SCHEMA

LISTS = GenderLists(
    pairs={
        "директор": ("директорка",),
        "заступник": ("заступниця",),
        "лікар": ("лікарка",),
        "слідчий": ("слідча",),
        "мер": ("мерка",),
        "поет": ("поетеса", "поетка"),
        "режисер": ("режисера",),
        "прем’єр": ("прем’єрка",),
        "член журі": ("членкиня журі",),
    },
    common=frozenset(("суддя", "голова", "колега")),
    feminine_names={"Олена": 0.5, "Олександра": 0.3, "Юлія": 0.1, "Віра": 0.1},
    masculine_names={"Олександр": 0.6, "Сергій": 0.2, "Юлій": 0.1, "Северин": 0.1},
)


def write_lists(folder):
    """Write the lists as their publishers do; returns the paths by the names of the steps' parameters."""
    paths = {
        "gender_pairs": folder / "pairs.csv",
        "common_gender_words": folder / "common.txt",
        "feminine_names": folder / "feminine.csv",
        "masculine_names": folder / "masculine.csv",
        "exceptions": folder / "exceptions.tsv",
    }
    pairs = "".join(f'{word},"{", ".join(others)}"\n' for word, others in LISTS.pairs.items())
    paths["gender_pairs"].write_text(f"male,female\n{pairs}", encoding="utf-8")
    paths["common_gender_words"].write_text("\n".join(LISTS.common), encoding="utf-8")
    for name in ("feminine_names", "masculine_names"):
        rows = "".join(f"{word},{share}\n" for word, share in getattr(LISTS, name).items())
        paths[name].write_text(f"name,freq_in_corpus\n{rows}", encoding="utf-8")
    paths["exceptions"].write_text("place\tword\tvalue\nword\tголова\tcommon\nform\tголови\tголова\n", encoding="utf-8")
    return paths


def write_corpus(folder, text, words, subcorpus="ng", split="test"):
    """Write a corpus of one document, each word an entity where it first stands; returns the paths by name."""
    folder.mkdir()
    document = {"document": "d", "subcorpus": subcorpus, "split": split, "text": text, "source_lines": []}
    write_batches(folder / "documents.parquet", DOCUMENT_SCHEMA, [[document]])
    entities = []
    for number, (label, word) in enumerate(words):
        start = text.index(word)
        entities.append(
            {"document": "d", "entity": f"T{number}", "label": label, "start": start, "end": start + len(word)}
            | {"text": word}
        )
    write_batches(folder / "entities.parquet", ENTITY_SCHEMA, [entities])
    return {"documents": folder / "documents.parquet", "entities": folder / "entities.parquet"}
