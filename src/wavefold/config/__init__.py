"""The configuration: one TOML file, environment variables, then flags, each value with its origin.

What the values mean is decided elsewhere: this package only turns them into arguments of `wf.generate` and
`wf.World`. Start with `load_config` in `loading`; the sections and keys are in `models`.
"""

from wavefold.config.effective import Effective
from wavefold.config.loading import load_config
from wavefold.config.models import Config
from wavefold.config.sources import Origin

__all__ = ["Config", "Effective", "Origin", "load_config"]
