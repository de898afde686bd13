"""Measure how genders are represented in texts: rules of published studies as a library, and an audit of any corpus."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textparity.auditing.audit import audit, audit_files
    from textparity.checking.correcting import correct_by_check
    from textparity.comparing.comparison import compare_files

__version__ = "0.3.0.dev0"
__all__ = ["__version__", "audit", "audit_files", "compare_files", "correct_by_check"]


def __getattr__(name: str) -> Any:
    # Imported on demand, because rules import the package often but rarely audit.
    if name in ("audit", "audit_files"):
        from textparity.auditing import audit as module

        return getattr(module, name)
    if name == "compare_files":
        from textparity.comparing.comparison import compare_files

        return compare_files
    if name == "correct_by_check":
        from textparity.checking.correcting import correct_by_check

        return correct_by_check
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
