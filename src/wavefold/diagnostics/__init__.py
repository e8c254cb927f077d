"""Diagnostics: whoever receives what happens while maps are made, and writes it down.

What is received are the batches of events that `solver.engine.events` describes; a diagnostic never changes
a map. Start with `diagnostic`; `json_lines` and `spans` are ours, other packages add theirs by entry points.
"""

from wavefold.diagnostics.diagnostic import Diagnostic, DiagnosticGroup, open_diagnostics, parse_diagnostic
from wavefold.diagnostics.json_lines import JsonLines
from wavefold.diagnostics.spans import Spans

__all__ = ["Diagnostic", "DiagnosticGroup", "JsonLines", "Spans", "open_diagnostics", "parse_diagnostic"]
