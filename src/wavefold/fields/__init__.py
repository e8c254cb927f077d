"""A value at every cell: noise, arrays, pictures and functions, and what problems make of them."""

from wavefold.fields.expression import Expression
from wavefold.fields.fields import Fields
from wavefold.fields.masks import masks_from
from wavefold.fields.noise import Noise
from wavefold.fields.sampled import Sampled

__all__ = ["Expression", "Fields", "Noise", "Sampled", "masks_from"]
