"""The `propagation` study: tables and figures (Derner 2025, Tables 8 and 9, Figure 2, and what the paper leaves out).

NEEDS  results/polarity/propagation/stories/, results/propagation/{polarity,diversity,perplexity,training}/
GIVES  results/propagation/tables/{story_ratios,diversity,perplexity,shifts,seeds,checkpoint_steps}.csv
       results/propagation/figures/loss.{pdf,svg,png}, {procedure}/{story_ratios,checkpoint_steps,shifts}.{pdf,svg,png}
"""

PROPAGATION = PLANS["propagation"]


rule tabulate_propagation:
    input:
        **PROPAGATION.table_inputs(),
    output:
        **PROPAGATION.tables,
    log:
        "logs/tabulate_propagation.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.tables:tabulate"),
        **PROPAGATION.table_params(),
        **BOOTSTRAP,
    script:
        "../../scripts/step.py"


rule plot_propagation:
    input:
        **PROPAGATION.figure_inputs(),
        published=resource("resources/propagation/published.csv"),
    output:
        story_figures=figures(PROPAGATION.figures["story_figures"]),
        loss_figure=figures(PROPAGATION.figures["loss_figure"]),
    log:
        "logs/plot_propagation.log",
    conda:
        "../../envs/core.yaml"
    params:
        **step("textparity_studies.propagation.figures:plot"),
        **PROPAGATION.figure_params(),
        confidence_level=CONFIG.bootstrap.confidence_level,
    script:
        "../../scripts/step.py"
