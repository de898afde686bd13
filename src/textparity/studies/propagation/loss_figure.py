"""The loss of continual pretraining by step: a panel for each base model and language, a line for each training."""

from pathlib import Path

import pandas as pd

from textparity.report.plotting import COLOURS, figure
from textparity.studies.propagation.variants import BALANCED, CONDITIONS, FEMALE, MALE

_COLOUR = {MALE: COLOURS["masculine"], BALANCED: COLOURS["unspecified"], FEMALE: COLOURS["feminine"]}
_DASHES = {MALE: "solid", BALANCED: (0, (4, 2)), FEMALE: (0, (1, 1))}
_COLUMNS = 3
_SIZE = (3.1, 2.4)


def plot_loss(training_logs: list[Path], figure_pdf: Path, figure_svg: Path, trainings: list[list[str]]) -> None:
    """Draw the loss of each training; `trainings` has its base model, language's name, and condition."""
    panels = list(dict.fromkeys((model, lang) for model, lang, _ in trainings))
    columns = min(len(panels), _COLUMNS)
    rows = -(-len(panels) // columns)
    with figure([figure_pdf, figure_svg], (_SIZE[0] * columns + 0.9, _SIZE[1] * rows)) as drawn:
        axes = drawn.subplots(rows, columns, squeeze=False).flat
        for unused in list(axes)[len(panels) :]:
            unused.remove()
        places = dict(zip(panels, drawn.axes, strict=True))
        for path, (model, lang, condition) in zip(training_logs, trainings, strict=True):
            found = pd.read_csv(path)
            places[model, lang].plot(
                found["step"], found["loss"], color=_COLOUR[condition], linestyle=_DASHES[condition], linewidth=1.1
            )
        for (model, lang), axis in places.items():
            axis.set(title=f"{model}, {lang}", xlabel="step", ylabel="loss (nats per token)")
            axis.locator_params(axis="x", integer=True)
        for condition in CONDITIONS:
            places[panels[0]].plot([], [], color=_COLOUR[condition], linestyle=_DASHES[condition], label=condition)
        drawn.legend(loc="outside right center")
