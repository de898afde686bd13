"""Print the first names that a second source gives another gender, by language.

The second source is the list of names by country of gender-guesser (nam_dict, GNU Free Documentation License), which
checks our table and is not part of it. The columns are the language, how many names both have, how many of them have
the opposite gender or no single one in our table, and these names: `name:ours/theirs`.
"""

from collections import defaultdict

from gender_guesser.detector import Detector

from textparity.auditing.languages import load_registry
from textparity.counting.first_names import UNSPECIFIED, read_classes
from textparity.counting.terms import GENDERS

COUNTRIES = {
    "cat": "spain", "ces": "czech_republic", "dan": "denmark", "deu": "germany", "eng": "great_britain",
    "est": "estonia", "fin": "finland", "fra": "france", "gle": "ireland", "hun": "hungary", "ita": "italy",
    "lit": "lithuania", "lvs": "latvia", "mlt": "malta", "nld": "the_netherlands", "pol": "poland",
    "por": "portugal", "ron": "romania", "slk": "slovakia", "slv": "slovenia", "spa": "spain", "swe": "sweden",
    "tur": "turkey",
}  # fmt: skip
# What the second source calls a name of one gender.
THEIRS = {"female": "feminine", "male": "masculine"}
# Its name for names of both genders.
BOTH = "andy"


def main() -> None:
    detector = Detector(case_sensitive=False)
    print("lang", "names", "opposite", "unspecified", "differences", sep="\t")
    for lang, country in COUNTRIES.items():
        classes = read_classes(load_registry().languages[lang].first_names.split())
        found: dict[str, list[str]] = defaultdict(list)
        shared = 0
        for name, ours in sorted(classes.items()):
            theirs = THEIRS.get(detector.get_gender(name, country), "")
            if not theirs:
                continue
            shared += 1
            if ours == UNSPECIFIED:
                found[UNSPECIFIED].append(f"{name}:u/{theirs[0]}")
            elif ours in GENDERS and ours != theirs:
                found["opposite"].append(f"{name}:{ours[0]}/{theirs[0]}")
        differences = " ".join([*found["opposite"], *found[UNSPECIFIED]])
        print(lang, shared, len(found["opposite"]), len(found[UNSPECIFIED]), differences, sep="\t")


if __name__ == "__main__":
    main()
