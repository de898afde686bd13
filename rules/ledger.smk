"""The reproduction ledger.

NEEDS  resources/{study}/published.csv, each study's summaries
GIVES  results/ledger/{study}.csv, results/ledger.csv, results/ledger_counts.csv
"""

PUBLISHED_CORPORA = {
    corpus.published_table: corpus.corpus
    for corpus in REGISTRY.corpora.values()
    if corpus.published_table
}
# Numbers are compared where the paper's tokenizer counted; documents by whichever engine fills the tables.
LEDGER_ENGINES = {
    corpus: main_engine(corpus)
    for corpus in MAIN_CORPORA
    if REGISTRY.corpora[corpus].unit == "document"
} | {corpus: "published" for corpus in corpora_with("published")}


rule list_gaps:
    output:
        gaps="results/{study}/not_run.csv",
    log:
        "logs/list_gaps/{study}.log",
    wildcard_constraints:
        # The others' ledgers say what they leave out.
        study=one_of(
            [name for name in STUDIES if name not in ("representation", "propagation")]
        ),
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.workflow.availability:list_gaps"),
        reasons=lambda wildcards: NOT_RUN[wildcards.study],
    script:
        "../scripts/step.py"


rule build_lexicon_ledger:
    input:
        published=resource("resources/lexicon/published.csv"),
        summaries=[
            SUMMARY.format(corpus=corpus, engine=engine)
            for corpus, engine in LEDGER_ENGINES.items()
        ],
        gaps="results/lexicon/not_run.csv",
    output:
        ledger="results/ledger/lexicon.csv",
    log:
        "logs/build_lexicon_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.lexicon.ledger:build_lexicon_ledger"),
        tables=PUBLISHED_CORPORA,
        corpora=LEXICON.corpora,
        samples=CRAWLS,
    script:
        "../scripts/step.py"


rule build_newsroom_ledger:
    input:
        published=resource("resources/newsroom/published.csv"),
        unbalanced=resource(YEARLY_FIGURES["unbalanced"]),
        balanced=resource(YEARLY_FIGURES["balanced"]),
        # The paper's corpus, where it is here.
        summaries=collect(
            rules.summarise_articles.output.summary,
            news=[corpus for corpus in NEWSROOM_CORPORA if corpus == "taz"],
            procedure=PROCEDURES,
        ),
        top_words=collect(
            rules.summarise_articles.output.top_words,
            news=[corpus for corpus in NEWSROOM_CORPORA if corpus == "taz"],
            procedure=PROCEDURES,
        ),
        measures=collect(
            MEASURES,
            news=[corpus for corpus in NEWSROOM_CORPORA if corpus == "taz"],
            procedure="published",
            part=0,
        ),
        gaps="results/newsroom/not_run.csv",
    output:
        ledger="results/ledger/newsroom.csv",
    log:
        "logs/build_newsroom_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.newsroom.ledger:build_newsroom_ledger"),
    script:
        "../scripts/step.py"


rule build_swapping_ledger:
    input:
        published=resource("resources/swapping/published.csv"),
        entities=rules.count_entities.output.table_csv if IS_PAPERS_CORPUS else [],
        composition=(
            [
                rules.tabulate_composition.output.composition_csv,
                rules.tabulate_composition.output.job_lines_csv,
            ]
            if IS_PAPERS_CORPUS
            else []
        ),
        recorded_recall=(
            rules.measure_recorded_recall.output.recall_csv
            if IS_PAPERS_CORPUS and RECORDED_MODELS
            else []
        ),
        swap_scores=rules.tabulate_swap_scores.input.scores,
        reviews=(
            rules.tabulate_reviews.output.table_csv
            if IS_PAPERS_CORPUS and SWAPPING.reviews
            else []
        ),
        name_bias=(
            rules.measure_name_bias.output.table
            if SWAPPING_ON and (SWAP_SYSTEMS or SWAPPING.reviews)
            else []
        ),
        ner_scores=recognized(rules.tabulate_ner.output.scores_csv),
        job_recall=recognized(rules.tabulate_ner.output.recall_csv),
        gaps="results/swapping/not_run.csv",
    output:
        ledger="results/ledger/swapping.csv",
    log:
        "logs/build_swapping_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.ledger:build_swapping_ledger"),
        architecture=RECOGNITION.architecture,
    script:
        "../scripts/step.py"


rule build_stereotypes_ledger:
    input:
        published=resource("resources/stereotypes/published.csv"),
        lexicon_sizes=rules.measure_coded_lexicons.output.table_csv,
        sentences=rules.tabulate_sentences.output.table_csv if GENERATED else [],
        classification=(
            rules.tabulate_stereotypes.output.table_csv if CLASSIFIED else []
        ),
        agreement=rules.measure_agreement.output.agreement_csv if ANNOTATED else [],
        gaps="results/stereotypes/not_run.csv",
    output:
        ledger="results/ledger/stereotypes.csv",
    log:
        "logs/build_stereotypes_ledger.log",
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.studies.stereotypes.ledger:build_stereotypes_ledger"),
    script:
        "../scripts/step.py"


rule join_ledgers:
    input:
        parts=collect("results/ledger/{study}.csv", study=CONFIG.studies),
    output:
        ledger="results/ledger.csv",
        counts="results/ledger_counts.csv",
    log:
        "logs/join_ledgers.log",
    localrule: True
    conda:
        "../envs/core.yaml"
    params:
        **step("textparity.report.ledger:join_ledgers"),
    script:
        "../scripts/step.py"


rule record_run:
    input:
        results=lambda wildcards: flatten(
            [STUDY_TARGETS[study] for study in CONFIG.studies]
        ),
        ledger=rules.join_ledgers.output.ledger,
    output:
        run="results/run/run.json",
        config="results/run/config.json",
        packages="results/run/packages.csv",
        sources="results/run/sources.csv",
        models="results/run/models.csv",
        files="results/run/files.csv",
    log:
        "logs/record_run.log",
    localrule: True
    conda:
        # For the versions of all packages.
        "../envs/ml.yaml"
    params:
        **step("textparity.workflow.run_record:record_run"),
        settings=CONFIG.model_dump(exclude={"mirror", "models"}),
        # Relative, so that a moved checkout with its results reruns nothing.
        repository=os.path.relpath(workflow.basedir),
    script:
        "../scripts/step.py"
