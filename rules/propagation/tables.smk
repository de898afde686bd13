"""The `propagation` study: tables and figures (Derner 2025, Tables 8 and 9, Figure 2, and what the paper leaves out).

NEEDS  results/polarity/propagation/stories/, results/propagation/{polarity,diversity,perplexity,training}/
GIVES  results/propagation/tables/{story_ratios,diversity,perplexity,shifts,seeds,checkpoint_steps}.csv
       results/propagation/figures/loss.{pdf,svg,png}, {procedure}/{story_ratios,checkpoint_steps,shifts}.{pdf,svg,png}
"""

PROPAGATION = PLANS["propagation"]


rule tabulate_generated_stories:
    input:
        counts=PROPAGATION.story_counts(),
        captions=CONTEXT.captions("propagation"),
    output:
        tables=PROPAGATION.tables["ratios"],
    log:
        "logs/tabulate_generated_stories.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.tables:tabulate_generated_stories"),
        **BOOTSTRAP,
        table_variants=PROPAGATION.names_by_unit(PROPAGATION.table_variants),
        checkpoint_variants=PROPAGATION.names_by_unit(PROPAGATION.checkpoint_variants),
        seed_variants=PROPAGATION.names_by_unit(PROPAGATION.seed_variants),
    script:
        "../../scripts/step.py"


rule tabulate_diversity:
    input:
        diversity=PROPAGATION.files(PROPAGATION.diversity, PROPAGATION.variants),
        captions=CONTEXT.captions("propagation"),
    output:
        tables=PROPAGATION.tables["diversity"],
    log:
        "logs/tabulate_diversity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.tables:tabulate_diversity"),
        table_variants=PROPAGATION.names_by_unit(PROPAGATION.table_variants),
    script:
        "../../scripts/step.py"


rule tabulate_perplexity:
    input:
        perplexity=PROPAGATION.files(PROPAGATION.perplexity, PROPAGATION.seed_variants),
        captions=CONTEXT.captions("propagation"),
    output:
        tables=PROPAGATION.tables["perplexity"],
    log:
        "logs/tabulate_perplexity.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.tables:tabulate_perplexity"),
        **BOOTSTRAP,
    script:
        "../../scripts/step.py"


rule plot_propagation:
    input:
        **PROPAGATION.figure_inputs(),
        published=resource("resources/propagation/published.csv"),
    output:
        figures=figures(PROPAGATION.figures),
    log:
        "logs/plot_propagation.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.figures:plot_propagation"),
        **PROPAGATION.figure_params(),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
