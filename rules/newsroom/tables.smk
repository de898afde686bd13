"""The `newsroom` study, shown: tables, Figures 1 to 10 and a page for each corpus of articles.

NEEDS  results/newsroom/{article_corpus}/{procedure}/  measures, summary, top words, pronoun shares, inclusive forms, flags, exclusions
       results/newsroom/{gold_corpus}/annotations/      annotated passages, parsed
GIVES  results/newsroom/{tables,figures,pages}/
"""

NEWSROOM = PLANS["newsroom"]


rule score_rules:
    input:
        unpack(lambda wildcards: NEWSROOM.word_lists(NEWSROOM.passages(wildcards))),
        gold=lambda wildcards: NEWSROOM.gold(NEWSROOM.passages(wildcards)),
        annotations=NEWSROOM.scored_annotations,
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=NEWSROOM.quality_table,
    log:
        "logs/score_rules/gold{suffix}.log",
    wildcard_constraints:
        suffix="(_[a-z]{3})?",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.scores:score_rules"),
        **BOOTSTRAP,
        lang=lambda wildcards: NEWSROOM.lang_of(NEWSROOM.passages(wildcards)),
        pronoun_share=NEWSROOM.settings.pronoun_share,
    script:
        "../../scripts/step.py"


rule tabulate_inclusive_forms:
    input:
        listed_forms=resource("resources/newsroom/gold/inclusive_forms_deu.tsv"),
        inclusive_forms=NEWSROOM.of_units(NEWSROOM.inclusive_forms),
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=NEWSROOM.inclusive_form_table,
    log:
        "logs/tabulate_inclusive_forms.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.tables:tabulate_inclusive_forms"),
        units=NEWSROOM.units,
    script:
        "../../scripts/step.py"


rule tabulate_pronoun_shares:
    input:
        pronoun_shares=NEWSROOM.of_unit(NEWSROOM.pronoun_shares),
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=NEWSROOM.pronoun_share_table,
    log:
        "logs/tabulate_pronoun_shares/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.tables:tabulate_pronoun_shares"),
        procedure="{procedure}",
        pronoun_share=NEWSROOM.settings.pronoun_share,
    script:
        "../../scripts/step.py"


rule tabulate_exclusions:
    input:
        flags=NEWSROOM.flags,
        excluded=NEWSROOM.excluded,
        captions=CONTEXT.captions("newsroom"),
    output:
        tables=[*NEWSROOM.flag_table, *NEWSROOM.exclusion_table],
    log:
        "logs/tabulate_exclusions/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.tables:tabulate_exclusions"),
    script:
        "../../scripts/step.py"


rule write_report:
    input:
        summary=NEWSROOM.summary,
        top_words=NEWSROOM.top_words,
        measures=NEWSROOM.of_unit(NEWSROOM.measures)[0],
        quality=lambda wildcards: NEWSROOM.quality_of(wildcards.article_corpus),
    output:
        latex=NEWSROOM.report[0],
        page=NEWSROOM.report[1],
    log:
        "logs/write_report/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.report:write_report"),
        corpus=lambda wildcards: REGISTRY.article_corpora[wildcards.article_corpus].name,
        procedure="{procedure}",
        lang=lambda wildcards: NEWSROOM.lang_of(wildcards.article_corpus),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule tabulate_actor_errors:
    input:
        judged=resource("resources/newsroom/gold/actors_ntrex_eng.tsv"),
    output:
        tables=NEWSROOM.actor_error_table,
    log:
        "logs/tabulate_actor_errors.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.tables:tabulate_actor_errors"),
    script:
        "../../scripts/step.py"


rule plot_yearly_reports:
    input:
        **NEWSROOM.yearly_reports,
    output:
        figures=figures(NEWSROOM.yearly_figures),
    log:
        "logs/plot_yearly_reports.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.figures:plot_yearly_reports"),
    script:
        "../../scripts/step.py"


rule plot_shares:
    input:
        summary=NEWSROOM.summary,
    output:
        figures=figures(NEWSROOM.share_figures),
    log:
        "logs/plot_shares/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.figures:plot_shares"),
        corpus_name=lambda wildcards: NEWSROOM.corpus_name(wildcards.article_corpus),
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"


rule plot_balancing:
    input:
        balanced_summary=NEWSROOM.balanced_summary,
        measures=expand(NEWSROOM.measures, part=NEWSROOM.parts, allow_missing=True),
        excluded=NEWSROOM.excluded,
        flags=NEWSROOM.flag_table[0],
        exclusions=NEWSROOM.exclusion_table[0],
    output:
        figures=figures(NEWSROOM.balancing_figures),
    log:
        "logs/plot_balancing/{article_corpus}/{procedure}.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.newsroom.figures:plot_balancing"),
        corpus_name=lambda wildcards: NEWSROOM.corpus_name(wildcards.article_corpus),
        procedure="{procedure}",
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
