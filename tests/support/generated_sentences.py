"""Sentences as a generator's accepted ones are written, made up for tests."""

import pandas as pd

WORDS = {"feminine": [f"soft{n}*" for n in range(12)], "masculine": [f"hard{n}*" for n in range(12)]}
PERSONS = {"feminine": ("The woman", "she"), "masculine": ("The man", "he")}
PLACES = (
    "garden",
    "kitchen",
    "station",
    "harbour",
    "library",
    "market",
    "village",
    "office",
    "forest",
    "bridge",
    "mill",
    "school",
)


def sentence(gender, coding, number, others=()):
    """Return a row about a person of `gender` with word `number` of `coding`, and the entries `others` besides."""
    person, pronoun = PERSONS[gender]
    word = WORDS[coding][number]
    entries = [word, *others]
    said = " and ".join(entry.rstrip("*") for entry in entries)
    kind = gender[0].upper() + coding[0].upper()
    return {
        "id": f"set1/{kind}-{number}",
        "kind": kind,
        "gender": gender,
        "coding": coding,
        "label": "consistent" if gender == coding else "contradictory",
        "word": word,
        "words": " ".join(entries),
        "text": f"{person} who was {said} walked to the {PLACES[number]} where {pronoun} met {number} old friends.",
    }


def sentences(numbers=range(12)):
    """Return a row of each kind for each of `numbers`."""
    genders = ("feminine", "masculine")
    return pd.DataFrame([sentence(gender, coding, n) for n in numbers for gender in genders for coding in genders])


def all_sentences(numbers=range(12)):
    """Return them as all that a generator wrote at the first try is kept."""
    return sentences(numbers).assign(attempt=1, reasons="")


def human_sentences(pairs=12):
    """Return pairs as they are taken from CrowS-Pairs; sentences about women are the stereotypes in even pairs."""
    rows = []
    for n in range(pairs):
        for gender, (person, _) in PERSONS.items():
            label = "consistent" if (gender == "feminine") == (n % 2 == 0) else "contradictory"
            text = f"{person} was {'late' if n % 2 == 0 else 'early'} for the {PLACES[n % 12]} number {n}."
            rows.append([f"{n:04d}.{label}", f"{n:04d}", "stereo", label, gender, text])
    return pd.DataFrame(rows, columns=["id", "pair", "direction", "label", "gender", "text"])
