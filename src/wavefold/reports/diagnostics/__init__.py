"""Diagnostics: receivers of the events of a solve, which log or trace them.

They receive the batches of events that `solver.engine.events` describes, and never change a map. Start with
`diagnostic`; `json_lines` and `spans` are built in, other packages add theirs by entry points.
"""

from wavefold.reports.diagnostics.diagnostic import (
    Diagnostic,
    DiagnosticGroup,
    open_diagnostics,
    parse_diagnostic,
)
from wavefold.reports.diagnostics.json_lines import JsonLines
from wavefold.reports.diagnostics.spans import Spans

__all__ = ["Diagnostic", "DiagnosticGroup", "JsonLines", "Spans", "open_diagnostics", "parse_diagnostic"]
