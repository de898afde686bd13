"""The ledger of the `lexicon` study.

NEEDS  resources/lexicon/{published,ledger_notes,kept/printed_sentences}.csv, the summaries by the paper's tokenizers
GIVES  results/ledger/lexicon.csv, results/lexicon/not_run.csv
"""

LEXICON = PLANS["lexicon"]


rule build_lexicon_ledger:
    input:
        **ledger_inputs("lexicon"),
        printed_sentences=resource("resources/lexicon/kept/printed_sentences.csv"),
        summaries=LEXICON.ledger_summaries,
    output:
        ledger="results/ledger/lexicon.csv",
        gaps="results/lexicon/not_run.csv",
    log:
        "logs/build_lexicon_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.lexicon.ledger:build_lexicon_ledger"),
        tables=LEXICON.published_corpora,
        corpora=LEXICON.settings.corpora,
        crawls=CORPORA.crawls,
        not_run=LEXICON.not_run,
    script:
        "../../scripts/step.py"
