"""A value at every cell, from noise, arrays, pictures or functions, and the masks and weights made of them.

Limits of single tiles (`Tile.limits`) are in `wavefold.tiles`. Start in `fields`; `sources` reads what users
give, `expression` and `noise` have the arithmetic.
"""

from wavefold.fields.expression import Constant, Expression
from wavefold.fields.fields import Fields
from wavefold.fields.noise import Noise, preset
from wavefold.fields.sampled import SampledFields
from wavefold.fields.sources import ExpressionSource, Source

__all__ = [
    "Constant",
    "Expression",
    "ExpressionSource",
    "Fields",
    "Noise",
    "SampledFields",
    "Source",
    "preset",
]
