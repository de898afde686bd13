"""The grammatical genders of a job title or a person's name (Nahurna and Romanyshyn 2025, §4.1.1)."""

MASCULINE, FEMININE, COMMON, UNKNOWN = "masculine", "feminine", "common", "unknown"
GENDERS = (MASCULINE, FEMININE, COMMON, UNKNOWN)
# The paper's procedure without and with its hand-made exceptions, and ours.
PUBLISHED, WITH_EXCEPTIONS, CORRECTED = "published", "published with exceptions", "corrected"
GENDER_PROCEDURES = (PUBLISHED, WITH_EXCEPTIONS, CORRECTED)
# Where each procedure's gender stands in the rows of entities.
GENDER_COLUMNS = {
    PUBLISHED: "gender_published",
    WITH_EXCEPTIONS: "gender_published_with_exceptions",
    CORRECTED: "gender_corrected",
}
