"""A value at every cell, from noise, arrays, pictures or functions, and the masks and weights made of them.

The limits that tiles have by themselves (`Tile.limits`) are in `wavefold.tiles`.
Start reading in `fields`; `sources` has what a field can be made of, `expression` and `noise` the arithmetic.
"""

from wavefold.fields.expression import Expression
from wavefold.fields.fields import Fields
from wavefold.fields.noise import Noise, preset
from wavefold.fields.sampled import SampledFields

__all__ = ["Expression", "Fields", "Noise", "SampledFields", "preset"]
