"""Fields of worlds as small pictures, in colours from low to high."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wavefold.fields import Fields
from wavefold.worlds import TileAddress, sample_field
from wavefold_server.worlds.models import FieldSummary

# From low to high: equal steps of lightness, and distinct for colour-blind eyes.
RAMP = ((37, 26, 76), (45, 82, 130), (43, 138, 133), (133, 186, 98), (250, 230, 120))


def summarize_fields(fields: Fields | None) -> list[FieldSummary]:
    """The fields of a world with the values between which they lie."""
    if fields is None:
        return []
    bounds = {name: find_bounds(fields, name) for name in fields.names}
    return [FieldSummary(name=name, low=low, high=high) for name, (low, high) in bounds.items()]


def find_bounds(fields: Fields, name: str) -> tuple[float, float]:
    """The least and greatest value a field may have; those of arrays lie between 0 and 1, mostly."""
    expression = getattr(fields.sources[name], "expression", None)
    low, high = (0.0, 1.0) if expression is None else expression.bounds
    return (float(low), float(high)) if np.isfinite([low, high]).all() and low < high else (0.0, 1.0)


def draw_field(fields: Fields, name: str, topology: str, tile: TileAddress) -> NDArray[np.uint8]:
    """uint8 [row, column, RGBA] of one field at 64 x 64 points of a tile."""
    values = sample_field(fields, name, topology, tile)
    low, high = find_bounds(fields, name)
    part = np.clip((values - low) / (high - low), 0, 1) * (len(RAMP) - 1)
    channels = [np.interp(part, range(len(RAMP)), channel) for channel in zip(*RAMP, strict=True)]
    opaque = np.full(part.shape, 255.0)
    return np.asarray(np.rint(np.stack([*channels, opaque], axis=-1)), np.uint8)
