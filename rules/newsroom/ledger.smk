"""The ledger of the `newsroom` study, and what of it is not run.

NEEDS  resources/newsroom/{published,ledger_notes}.csv, the authors' yearly reports, the summaries of the paper's corpus where it is here
GIVES  results/ledger/newsroom.csv, results/newsroom/not_run.csv
"""

NEWSROOM = PLANS["newsroom"]


rule build_newsroom_ledger:
    input:
        **NEWSROOM.yearly_reports,
        **ledger_inputs("newsroom"),
        summaries=NEWSROOM.of_paper_corpus(NEWSROOM.summary),
        top_words=NEWSROOM.of_paper_corpus(NEWSROOM.top_words),
        measures=NEWSROOM.of_paper_corpus(NEWSROOM.measures),
    output:
        ledger="results/ledger/newsroom.csv",
        gaps="results/newsroom/not_run.csv",
    log:
        "logs/build_newsroom_ledger.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.ledger:build_newsroom_ledger"),
        not_run=NEWSROOM.not_run,
    script:
        "../../scripts/step.py"
