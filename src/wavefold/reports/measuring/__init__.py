"""Measurements of finished maps, with their noise: faithfulness, isotropy, repetition, dullness.

Start with `measurement`. Each property has its own module; `lines` finds straight lines, and `blocks`
estimates noise floors. `auditing` uses these numbers to judge tile sets.
"""

from wavefold.reports.measuring.measurement import Measurement, measure

__all__ = ["Measurement", "measure"]
