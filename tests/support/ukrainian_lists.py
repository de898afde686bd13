"""Small Ukrainian word lists of our own, for the tests of gender swapping."""

from textparity.persons.ukrainian_genders import GenderLists

PAIRS = {
    "лікар": ("лікарка",),
    "директор": ("директорка",),
    "депутат": ("депутатка",),
    "власник": ("власниця",),
    "вчитель": ("вчителька",),
    "поет": ("поетеса", "поетка"),
    "символіст": ("символістка",),
    "слідчий": ("слідча",),
    "прем’єр-міністр": ("прем’єр-міністерка",),
    "мер": ("пані мер",),
    "член": ("членкиня",),
    "голова": ("головиня",),
    "король": ("королева",),
}
LISTS = GenderLists(
    pairs=PAIRS,
    common=frozenset({"голова", "суддя"}),
    feminine_names={"Олена": 0.5, "Ірина": 0.3, "Марія": 0.2},
    masculine_names={"Петро": 0.4, "Ігор": 0.3, "Андрій": 0.3},
)


def write_lists(folder):
    """Write the lists as the files that the steps read; return them by parameter."""
    rows = {"gender_pairs": "male,female\n" + "".join(f'{old},"{", ".join(new)}"\n' for old, new in PAIRS.items())}
    rows["common_gender_words"] = "".join(f"{word}\n" for word in sorted(LISTS.common))
    for gender in ("feminine_names", "masculine_names"):
        names = getattr(LISTS, gender)
        rows[gender] = "name,freq_in_corpus\n" + "".join(f"{name},{share}\n" for name, share in names.items())
    paths = {}
    for name, text in rows.items():
        paths[name] = folder / f"{name}.csv"
        paths[name].write_text(text, encoding="utf-8")
    return paths
