from textparity.entry import run
from textparity.propagation.loss_figure import plot_loss

run(plot_loss, snakemake)  # noqa: F821
