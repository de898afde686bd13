"""Score Russian and Ukrainian with pymorphy2 and its dictionaries, as the authors had them (Stanovsky et al. 2019).

pip install --target OLD --no-deps pymorphy2==0.9.1 docopt dawg-python==0.7.2 pymorphy2-dicts-ru pymorphy2-dicts-uk
python resources/translation/kept/old_dictionary.py OLD WINO_MT

WINO_MT is a folder of the authors' repository. We ran it once: pymorphy2 does not run with Python 3.11 unless
`inspect.getargspec`, which is gone, is put back, and its dictionaries cannot be read by pymorphy3. The table is written
to this script's folder; the difference to our own scores is that of the dictionaries alone.
"""

import inspect
import sys
from pathlib import Path

import pandas as pd
import pymorphy3

from textparity.translating.genders import load_rule
from textparity.translating.scores import find_genders, measure
from textparity.translating.winomt import read_sentences, read_translations
from textparity_studies.report.catalogue import write_kept

FOLDER = Path(__file__).parent
CODES = {"rus": "ru", "ukr": "uk"}


def main(old: Path, wino_mt: Path) -> None:
    """Write the table."""
    inspect.getargspec = lambda function: inspect.getfullargspec(function)[:4]  # type: ignore[attr-defined]
    for name in [name for name in sys.modules if name.startswith("dawg")]:
        del sys.modules[name]
    sys.path.insert(0, str(old))
    import pymorphy2  # type: ignore[import-not-found]

    texts = wino_mt / "data/aggregates/en.txt"
    sentences, inputs, rows = read_sentences(texts), [texts], []
    new = pymorphy3.MorphAnalyzer
    for lang, code in CODES.items():
        for system in ("google", "bing"):
            inputs.append(wino_mt / f"translations/{system}/en-{code}.txt")
            translations = read_translations(inputs[-1], sentences)
            for tool in ("pymorphy2", "pymorphy3"):
                data = old / f"pymorphy2_dicts_{code}/data"
                if tool == "pymorphy2":
                    pymorphy3.MorphAnalyzer = lambda lang, data=data: pymorphy2.MorphAnalyzer(path=data, lang=lang)
                else:
                    pymorphy3.MorphAnalyzer = new
                found = find_genders(sentences, translations, load_rule(lang))
                scores = measure([(one.sentence, one.published) for one in found])
                keys = {"system": system, "lang": lang, "tool": tool}
                rows.append(
                    keys | {name: scores[name] for name in ("accuracy", "f1_masculine", "f1_feminine", "delta_g")}
                )
    write_kept(pd.DataFrame(rows), FOLDER / "old_dictionary.csv", inputs)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
