"""What the `propagation` study runs, what it cannot run here, and the inputs of its rules."""

from textparity.workflow.study import Study, StudyPlan


class PropagationPlan(StudyPlan):
    """The plan of the `propagation` study."""


STUDY = Study("propagation", "Propagation (Derner 2025, §5)", PropagationPlan)
