"""The `swapping` study (Nahurna 2025), its gender swapping: the rule-based swapper, checks of candidates, corpora.

NEEDS  results/swapping/{entity_corpus}/, word lists, a test set, swapped/{system}/{candidates,reviews}.csv
GIVES  results/swapping/outputs/rules.csv                the test set's items, swapped there and back, to be scored
       results/swapping/swapped/rules/candidates.csv     a swapped sentence for each line with a job title
       results/swapping/swapped/rules/reviews.csv        decisions by the checks
       results/swapping/swapped/{system}/checks.csv      the automatic checks of each candidate
       results/swapping/swapped/{system}/                the corpus as rows and as BRAT files, left_out.csv
       results/swapping/tables/{checks,check_prediction,reanchoring}.csv
"""

CHECKED_SYSTEMS = [
    RULES,
    *SWAPPERS,
    *([RECORDED, RECORDED_REVIEWED] if SWAPPING.reviews else []),
]
# Whose candidates people decide about; the rules' are decided by the checks.
REVIEWED_SYSTEMS = [*SWAPPERS, *([RECORDED] if SWAPPING.reviews else [])]
CHECKED_NAMES = {
    RULES: "Rules",
    RECORDED: "GPT-4o-mini, as generated",
    RECORDED_REVIEWED: "GPT-4o-mini, reviewed",
}
# A corpus of a model's candidates needs somebody who has accepted some.
SWAPPED_SYSTEMS = [RULES, *filter(review_file, SWAPPERS)]


rule swap_test_sentences:
    input:
        **SWAPPING_WORD_LISTS,
        test_set=resource(SWAPPING.test_set) if SWAPPING.test_set else [],
        parallel=list(map(resource, SWAPPING.parallel_sentences)),
        reviews=list(map(resource, SWAPPING.reviews)),
    output:
        outputs=f"results/swapping/outputs/{RULES}.csv",
    log:
        "logs/swap_test_sentences.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.rule_outputs:swap_test_sentences"
        ),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule swap_corpus:
    input:
        **CORPUS_ROWS,
        **SWAPPING_WORD_LISTS,
    output:
        candidates=f"{RULES_DIR}/candidates.csv",
    log:
        "logs/swap_corpus.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.candidates.rule_outputs:swap_corpus"),
        seed=CONFIG.seed,
    script:
        "../../scripts/step.py"


rule check_candidates:
    input:
        **CORPUS_ROWS,
        **SWAPPING_WORD_LISTS,
        candidates=f"{SWAPPED_DIR}/candidates.csv",
    output:
        checks=f"{SWAPPED_DIR}/checks.csv",
    log:
        "logs/check_candidates/{system}.log",
    wildcard_constraints:
        system=one_of([RULES, RECORDED, RECORDED_REVIEWED, *LANGUAGE_MODELS]),
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.swapped_corpora:check_candidates"
        ),
    script:
        "../../scripts/step.py"


rule tabulate_checks:
    input:
        candidates=collect(
            rules.check_candidates.input.candidates, system=CHECKED_SYSTEMS
        ),
        checks=collect(rules.check_candidates.output.checks, system=CHECKED_SYSTEMS),
        reviews=collect(f"{SWAPPED_DIR}/reviews.csv", system=REVIEWED_SYSTEMS),
    output:
        table_csv=f"{ENTITY_TABLES}/checks.csv",
        table_latex=f"{ENTITY_TABLES}/checks.tex",
        prediction_csv=f"{ENTITY_TABLES}/check_prediction.csv",
        prediction_latex=f"{ENTITY_TABLES}/check_prediction.tex",
    log:
        "logs/tabulate_checks.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity.studies.swapping.tables:tabulate_checks"),
        systems=CHECKED_SYSTEMS,
        reviewed_systems=REVIEWED_SYSTEMS,
        names=CHECKED_NAMES,
    script:
        "../../scripts/step.py"


# Rule-based candidates are not reviewed: what passes the required checks is accepted.
rule decide_by_checks:
    input:
        candidates=rules.swap_corpus.output.candidates,
        checks=collect(rules.check_candidates.output.checks, system=RULES),
    output:
        reviews=f"{RULES_DIR}/reviews.csv",
    log:
        "logs/decide_by_checks.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.swapped_corpora:decide_by_checks"
        ),
        required=SWAPPING.required_checks,
    script:
        "../../scripts/step.py"


rule write_swapped_corpus:
    input:
        **CORPUS_ROWS,
        candidates=f"{SWAPPED_DIR}/candidates.csv",
        reviews=f"{SWAPPED_DIR}/reviews.csv",
    output:
        swapped_documents=f"{SWAPPED_DIR}/documents.parquet",
        swapped_entities=f"{SWAPPED_DIR}/entities.parquet",
        left_out=f"{SWAPPED_DIR}/left_out.csv",
        folder=directory(f"{SWAPPED_DIR}/brat"),
    log:
        "logs/write_swapped_corpus/{system}.log",
    wildcard_constraints:
        system=one_of([RULES, RECORDED, *LANGUAGE_MODELS]),
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.swapped_corpora:write_swapped_corpus"
        ),
    script:
        "../../scripts/step.py"


# How far re-anchoring finds the entities of the published swapped corpus.
rule measure_reanchoring:
    input:
        **SCORED_CORPORA,
    output:
        table=f"{ENTITY_TABLES}/reanchoring.csv",
        differences="results/swapping/reanchoring_differences.csv",
    log:
        "logs/measure_reanchoring.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step(
            "textparity.studies.swapping.candidates.swapped_corpora:measure_reanchoring"
        ),
    script:
        "../../scripts/step.py"


STUDY_TARGETS["swapping"] += (
    [
        *(rules.swap_test_sentences.output if SWAPPING.test_set else []),
        *rules.tabulate_checks.output,
        *collect(rules.write_swapped_corpus.output, system=SWAPPED_SYSTEMS),
        # Of a corpus that is swapped here, nothing is published.
        *(rules.measure_reanchoring.output if SWAPPING.swapped != RULES else []),
    ]
    if SWAPPING_ON
    else []
)
