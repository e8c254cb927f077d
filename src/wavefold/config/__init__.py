"""The configuration: one TOML file, environment variables, then flags."""

from wavefold.config.budgets import budget_from
from wavefold.config.effective import Effective
from wavefold.config.loading import load_config
from wavefold.config.models import Config
from wavefold.config.origins import Origin

__all__ = ["Config", "Effective", "Origin", "budget_from", "load_config"]
