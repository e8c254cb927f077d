"""Fields: a value for every cell, from noise, arrays, pictures or functions; masks and weights from fields.

Start in `fields`. `sources` reads the arguments of `Fields`; `expression` and `noise` compute values.
"""

from wavefold.fields.expression import Constant, Expression
from wavefold.fields.fields import Fields
from wavefold.fields.noise import Noise
from wavefold.fields.presets import preset
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
