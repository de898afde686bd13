"""The labels of the entities whose gender the study is about, as NER-UK writes them: job titles and persons' names."""

JOB, PERS = "JOB", "PERS"
LABELS = (JOB, PERS)
