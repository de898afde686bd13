"""The `newsroom` study, shown: tables, Figures 1 to 10 and a page for each corpus of articles.

NEEDS  results/newsroom/{article_corpus}/{procedure}/  summary, top words, flags, exclusions
GIVES  results/newsroom/{tables,figures,pages}/
"""

NEWSROOM = PLANS["newsroom"]


rule tabulate_newsroom:
    input:
        **NEWSROOM.word_lists_of_gold,
        measures=NEWSROOM.of_units(NEWSROOM.measures),
        summaries=NEWSROOM.of_units(NEWSROOM.summary),
        top_words=NEWSROOM.of_units(NEWSROOM.top_words),
        flags=NEWSROOM.of_units(NEWSROOM.flags),
        pronoun_shares=NEWSROOM.of_units(NEWSROOM.pronoun_shares),
        inclusive_forms=NEWSROOM.of_units(NEWSROOM.inclusive_forms),
        excluded=NEWSROOM.of_units(NEWSROOM.excluded, balanced=True),
        gold=[NEWSROOM.gold(lang) for lang in NEWSROOM.gold_langs],
        gold_annotations=NEWSROOM.annotations_of_gold,
        listed_forms=resource("resources/newsroom/gold/inclusive_forms_deu.tsv"),
    output:
        reports=NEWSROOM.of_units(*NEWSROOM.report),
        pronoun_share_tables=NEWSROOM.of_units(*NEWSROOM.pronoun_share_table),
        flag_tables=NEWSROOM.of_units(*NEWSROOM.flag_table, balanced=True),
        exclusion_tables=NEWSROOM.of_units(*NEWSROOM.exclusion_table, balanced=True),
        inclusive_form_table=NEWSROOM.inclusive_form_table,
        quality_tables=NEWSROOM.quality_tables,
    log:
        "logs/tabulate_newsroom.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.tables:write_tables"),
        **BOOTSTRAP,
        units=NEWSROOM.units,
        gold_langs=NEWSROOM.gold_langs,
        balanced_by=NEWSROOM.balanced_procedures,
        pronoun_share=NEWSROOM.settings.pronoun_share,
    script:
        "../../scripts/step.py"


rule tabulate_actor_errors:
    input:
        judged=resource("resources/newsroom/gold/actors_ntrex_eng.tsv"),
    output:
        table=NEWSROOM.actor_error_table,
    log:
        "logs/tabulate_actor_errors.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.actor_errors:tabulate_actor_errors"),
    script:
        "../../scripts/step.py"


rule plot_newsroom:
    input:
        **NEWSROOM.yearly_reports,
        summaries=NEWSROOM.of_units(NEWSROOM.summary),
        balanced_summaries=NEWSROOM.of_units(NEWSROOM.balanced_summary, balanced=True),
        measures=NEWSROOM.of_units(NEWSROOM.measures),
        excluded=NEWSROOM.of_units(NEWSROOM.excluded, balanced=True),
        flag_tables=NEWSROOM.of_units(NEWSROOM.flag_table[0], balanced=True),
        exclusion_tables=NEWSROOM.of_units(NEWSROOM.exclusion_table[0], balanced=True),
    output:
        share_figures=figures(NEWSROOM.of_units(*NEWSROOM.share_figures)),
        balanced_share_figures=figures(
            NEWSROOM.of_units(*NEWSROOM.balanced_share_figures, balanced=True)
        ),
        gender_ratio_figures=figures(
            NEWSROOM.of_units(*NEWSROOM.gender_ratio_figures, balanced=True)
        ),
        flag_figures=figures(NEWSROOM.of_units(*NEWSROOM.flag_figure, balanced=True)),
        exclusion_figures=figures(
            NEWSROOM.of_units(*NEWSROOM.exclusion_figure, balanced=True)
        ),
        yearly_share_figures=figures(NEWSROOM.yearly_share_figures),
        yearly_exclusion_figure=figures(NEWSROOM.yearly_exclusion_figure),
    log:
        "logs/plot_newsroom.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.figures:draw_figures"),
        units=NEWSROOM.units,
        balanced_by=NEWSROOM.balanced_procedures,
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
