"""The `stereotypes` study (Soundararajan 2023): coded lexicons, generated sentences, and telling stereotypes from them.

NEEDS  rows of resources/coded_lexicons.tsv
GIVES  results/stereotypes/tables/
"""

STEREOTYPES_ON = "stereotypes" in CONFIG.studies
CODED_LEXICONS = [REGISTRY.coded_lexicons[name] for name in STEREOTYPES.lexicons]


rule measure_coded_lexicons:
    input:
        lexicons=[
            REGISTRY.coded_lexicon_file(row.lexicon).path for row in CODED_LEXICONS
        ],
    output:
        table_csv="results/stereotypes/tables/coded_lexicons.csv",
        table_latex="results/stereotypes/tables/coded_lexicons.tex",
    log:
        "logs/measure_coded_lexicons.log",
    params:
        names=[row.lexicon for row in CODED_LEXICONS],
        forms=[row.form for row in CODED_LEXICONS],
        code_digest=code_digest("textparity.stereotypes.coded_lexicons"),
    script:
        "../scripts/measure_coded_lexicons.py"


STUDY_TARGETS["stereotypes"] = (
    [*rules.measure_coded_lexicons.output] if STEREOTYPES_ON else []
)
