"""The `swapping` study (Nahurna 2025), its gender swapping: the rule-based swapper, checks of candidates, corpora.

NEEDS  results/swapping/{entity_corpus}/, word lists, the authors' reviews and test set
GIVES  results/swapping/outputs/rules.csv              the test set's items, swapped there and back, to be scored
       results/swapping/swapped/{swap_system}/candidates.csv   a swapped sentence for each line with a job title
       results/swapping/swapped/{swap_system}/checks.csv       the automatic checks of each
       results/swapping/swapped/rules/         reviewed.csv, the corpus as rows and as BRAT files, left_out.csv
       results/swapping/tables/{checks,check_prediction,reanchoring}.csv
"""

SWAPPED_DIR = "results/swapping/swapped/{swap_system}"
PUBLISHED_CANDIDATES = ["published_generated", "published_reviewed"]
CHECKED_SYSTEMS = [RULES, *(PUBLISHED_CANDIDATES if SWAPPING.reviews else [])]
CHECKED_NAMES = {
    RULES: "Rules",
    "published_generated": "GPT-4o-mini, as generated",
    "published_reviewed": "GPT-4o-mini, reviewed",
}
CORPUS_ROWS = {
    kind: entity_rows(SWAPPING.corpus, kind) for kind in ("documents", "entities")
}


wildcard_constraints:
    swap_system=one_of(CHECKED_SYSTEMS),


rule swap_test_sentences:
    input:
        **SWAPPING_WORD_LISTS,
        test_set=resource(SWAPPING.test_set),
        parallel=list(map(resource, SWAPPING.parallel_sentences)),
        reviews=list(map(resource, SWAPPING.reviews)),
    output:
        outputs=f"results/swapping/outputs/{RULES}.csv",
    log:
        "logs/swap_test_sentences.log",
    params:
        seed=CONFIG.seed,
        code_digest=code_digest("textparity.swapping.rule_outputs"),
    script:
        "../scripts/swap_test_sentences.py"


rule swap_corpus:
    input:
        **CORPUS_ROWS,
        **SWAPPING_WORD_LISTS,
    output:
        candidates=SWAPPED_DIR.format(swap_system=RULES) + "/candidates.csv",
    log:
        "logs/swap_corpus.log",
    params:
        seed=CONFIG.seed,
        code_digest=code_digest("textparity.swapping.rule_outputs"),
    script:
        "../scripts/swap_corpus.py"


rule list_published_candidates:
    input:
        **CORPUS_ROWS,
        reviews=list(map(resource, SWAPPING.reviews)),
    output:
        generated=SWAPPED_DIR.format(swap_system="published_generated")
        + "/candidates.csv",
        reviewed=SWAPPED_DIR.format(swap_system="published_reviewed")
        + "/candidates.csv",
    log:
        "logs/list_published_candidates.log",
    params:
        code_digest=code_digest("textparity.swapping.candidate_files"),
    script:
        "../scripts/list_published_candidates.py"


rule check_candidates:
    input:
        **CORPUS_ROWS,
        **SWAPPING_WORD_LISTS,
        candidates=SWAPPED_DIR + "/candidates.csv",
    output:
        checks=SWAPPED_DIR + "/checks.csv",
    log:
        "logs/check_candidates/{swap_system}.log",
    params:
        code_digest=code_digest("textparity.swapping.candidate_files"),
    script:
        "../scripts/check_candidates.py"


rule tabulate_checks:
    input:
        candidates=collect(
            rules.check_candidates.input.candidates, swap_system=CHECKED_SYSTEMS
        ),
        checks=collect(
            rules.check_candidates.output.checks, swap_system=CHECKED_SYSTEMS
        ),
    output:
        table_csv=ENTITY_TABLES + "/checks.csv",
        table_latex=ENTITY_TABLES + "/checks.tex",
        prediction_csv=ENTITY_TABLES + "/check_prediction.csv",
        prediction_latex=ENTITY_TABLES + "/check_prediction.tex",
    log:
        "logs/tabulate_checks.log",
    params:
        systems=CHECKED_SYSTEMS,
        names=CHECKED_NAMES,
        code_digest=code_digest("textparity.swapping.check_tables"),
    script:
        "../scripts/tabulate_checks.py"


# Rule-based candidates are not reviewed: what passes the required checks is accepted.
rule decide_by_checks:
    input:
        candidates=rules.swap_corpus.output.candidates,
        checks=collect(rules.check_candidates.output.checks, swap_system=RULES),
    output:
        reviewed=SWAPPED_DIR.format(swap_system=RULES) + "/reviewed.csv",
    log:
        "logs/decide_by_checks.log",
    params:
        required=SWAPPING.required_checks,
        code_digest=code_digest("textparity.swapping.candidate_files"),
    script:
        "../scripts/decide_by_checks.py"


rule write_swapped_corpus:
    input:
        **CORPUS_ROWS,
        reviewed=SWAPPED_DIR + "/reviewed.csv",
    output:
        swapped_documents=SWAPPED_DIR + "/documents.parquet",
        swapped_entities=SWAPPED_DIR + "/entities.parquet",
        left_out=SWAPPED_DIR + "/left_out.csv",
        folder=directory(SWAPPED_DIR + "/brat"),
    log:
        "logs/write_swapped_corpus/{swap_system}.log",
    params:
        code_digest=code_digest("textparity.swapping.swapped_corpora"),
    script:
        "../scripts/write_swapped_corpus.py"


# How far re-anchoring finds the entities of the published swapped corpus.
rule measure_reanchoring:
    input:
        documents=[
            entity_rows(corpus, "documents")
            for corpus in (SWAPPING.corpus, SWAPPING.swapped)
        ],
        entities=[
            entity_rows(corpus, "entities")
            for corpus in (SWAPPING.corpus, SWAPPING.swapped)
        ],
    output:
        table=ENTITY_TABLES + "/reanchoring.csv",
        differences="results/swapping/reanchoring_differences.csv",
    log:
        "logs/measure_reanchoring.log",
    params:
        code_digest=code_digest("textparity.swapping.swapped_corpora"),
    script:
        "../scripts/measure_reanchoring.py"


STUDY_TARGETS["swapping"] += (
    [
        *rules.swap_test_sentences.output,
        *rules.tabulate_checks.output,
        *collect(rules.write_swapped_corpus.output, swap_system=RULES),
        # Of a corpus that is swapped here, nothing is published.
        *(rules.measure_reanchoring.output if SWAPPING.swapped != RULES else []),
    ]
    if SWAPPING_ON
    else []
)
