"""Measurements of finished maps, with their noise: faithfulness, isotropy, repetition, dullness.

`auditing` judges tile sets with these numbers. Start with `measurement`; each
property has a module of its own, over the lines in `lines` and the noise floors in `blocks`.
"""

from wavefold.reports.measuring.measurement import Measurement, measure

__all__ = ["Measurement", "measure"]
