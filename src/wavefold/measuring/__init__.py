"""What finished maps look like, in numbers with their noise: faithful, isotropic, repetitive, dull.

Nothing here makes or judges a tile set: `auditing` does, with these numbers. Start with `measure.py`; each
property has a module of its own, over the lines in `lines.py` and the noise floors in `blocks.py`.
"""

from wavefold.measuring.measure import Measurement, measure

__all__ = ["Measurement", "measure"]
