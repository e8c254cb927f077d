"""The configuration: one TOML file, environment variables, then flags, each value with its origin.

What the values mean is decided elsewhere: this package only turns them into arguments of `wf.generate` and
`wf.World`. Start with `load_config` in `loading`; the sections and keys are in `models`.
"""

from wavefold.config.build import build_expression
from wavefold.config.effective import Effective
from wavefold.config.expressions import parse_expression
from wavefold.config.loading import check_section, load_config
from wavefold.config.models import (
    Config,
    FieldsSection,
    FieldTable,
    GenerateSection,
    TerrainSection,
    as_table,
    parse_sweeps,
)
from wavefold.config.sections import (
    MOST_ERRORS,
    BoundedModel,
    BudgetSection,
    ConfigSection,
    Count,
    Factor,
    HeuristicsSection,
    SearchSection,
    refuse_values,
)
from wavefold.config.sources import Origin
from wavefold.config.validation import fields_in_order, find_problems

__all__ = [
    "MOST_ERRORS",
    "BoundedModel",
    "BudgetSection",
    "Config",
    "ConfigSection",
    "Count",
    "Effective",
    "Factor",
    "FieldTable",
    "FieldsSection",
    "GenerateSection",
    "HeuristicsSection",
    "Origin",
    "SearchSection",
    "TerrainSection",
    "as_table",
    "build_expression",
    "check_section",
    "fields_in_order",
    "find_problems",
    "load_config",
    "parse_expression",
    "parse_sweeps",
    "refuse_values",
]
