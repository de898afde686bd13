"""Print the first names that a second source gives another gender, by language.

The second source is the list of names by country of gender-guesser (nam_dict, GNU Free Documentation License), which
checks our table and is not part of it. The columns are the language, how many names both have, how many of them have
another gender in our table or none, and these names: `name:ours/theirs`.
"""

from functools import cache

from gender_guesser.detector import Detector

from textparity.auditing.languages import load_registry
from textparity.counting.first_names import read_classes

COUNTRIES = {
    "cat": "spain", "ces": "czech_republic", "dan": "denmark", "deu": "germany", "eng": "great_britain",
    "est": "estonia", "fin": "finland", "fra": "france", "gle": "ireland", "hun": "hungary", "ita": "italy",
    "lit": "lithuania", "lvs": "latvia", "mlt": "malta", "nld": "the_netherlands", "pol": "poland",
    "por": "portugal", "ron": "romania", "slk": "slovakia", "slv": "slovenia", "spa": "spain", "swe": "sweden",
    "tur": "turkey",
}  # fmt: skip
# What the second source calls a name of one gender.
THEIRS = {"female": "feminine", "male": "masculine"}


def compare(lang: str) -> tuple[int, list[str]]:
    """Count the names of a language that both sources have, and list those with different genders."""
    detector = _load_detector()
    classes = read_classes(lang, load_registry().languages[lang].first_names.split())
    shared = 0
    differences = []
    for name, ours in sorted(classes.items()):
        theirs = THEIRS.get(detector.get_gender(name, COUNTRIES[lang]), "")
        if theirs:
            shared += 1
            if ours != theirs:
                differences.append(f"{name}:{ours[0]}/{theirs[0]}")
    return shared, differences


@cache
def _load_detector() -> Detector:
    return Detector(case_sensitive=False)


if __name__ == "__main__":
    print("lang", "names", "different", "differences", sep="\t")
    for code in COUNTRIES:
        size, different = compare(code)
        print(code, size, len(different), " ".join(different), sep="\t")
