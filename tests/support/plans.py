"""Plans of studies, made from settings alone."""

from textparity_studies import load_study
from textparity_studies.llm.models import load_models
from textparity_studies.workflow.config import Tables, load_config
from textparity_studies.workflow.registry import StudyRegistry
from textparity_studies.workflow.study import StudyContext


def make_plan(repository, study, models=None, model_gaps=None, tables=None, **values):
    """Return the plan of a study for a config of `values`; `models` stand in for the rows of the shipped table."""
    registry = StudyRegistry(Tables().model_dump() | (tables or {}), repository)
    models = load_models(registry.paths["language_models"]) if models is None else models
    gaps = dict.fromkeys(models, "") | (model_gaps or {})
    config = load_config({"studies": [study]} | values, environment={})
    return load_study(study).plan(StudyContext(config, registry, models, gaps))
