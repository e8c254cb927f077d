"""Which mirror images and turns of a sample look right: those whose windows occur in it.

Bricks on their side and flowers upside down are windows that the sample does not have. A maze or a knot looks
the same from every side: its windows, turned, are in it anyway, apart from what chance left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wavefold.tiles.learning.samples import Sample
from wavefold.tiles.learning.windows import Windows, find_windows, number_parts, turn_window

AS_DRAWN, MIRRORED, ALL = 1, 2, 8
WINDOW = 3  # whatever n is: smaller windows do not tell bricks from a maze, most larger ones occur once
LOOKED_AT = 256  # rows and columns of a sample: enough to tell, and not too many windows

# The share of windows that must occur mirrored, or in each of the eight ways, as a fraction. Samples drawn to
# be mirrored have 0.62 and more, others 0.44 and less; those for all turns 0.67 and more, others 0.62 and
# less.
ENOUGH_MIRRORED, ENOUGH_TURNED = (1, 2), (2, 3)

MEANINGS = {
    AS_DRAWN: "as drawn: few windows of the picture occur in it mirrored or turned",
    MIRRORED: "with mirror images: few windows of the picture occur in it turned",
    ALL: "turned and mirrored: most windows of the picture occur in it in every way",
}


def choose_symmetry(samples: Sequence[Sample], periodic: bool) -> int:
    """1, 2 or 8: how many variants of a window to learn from these samples."""
    parts = [sample._replace(numbers=sample.numbers[:LOOKED_AT, :LOOKED_AT]) for sample in samples]
    smallest = min(min(part.numbers.shape) for part in parts)
    windows = find_windows(parts, WINDOW if periodic else min(WINDOW, smallest), periodic)
    if not is_seen(windows, 1, ENOUGH_MIRRORED):
        return AS_DRAWN
    return ALL if all(is_seen(windows, variant, ENOUGH_TURNED) for variant in range(1, 8)) else MIRRORED


def is_seen(windows: Windows, variant: int, enough: tuple[int, int]) -> bool:
    """Whether enough of the windows that the variant changes occur in the samples when changed.

    A window counts by the root of how often it was found: a wide sky must not outvote the flowers below it,
    nor a few windows along an edge all others. Roots are rounded to whole numbers, so that sums are exact.
    """
    number = number_parts(np.concatenate([windows.cells, turn_window(windows.cells, variant)]))
    drawn, changed = np.split(number, 2)
    weights = np.where(drawn == changed, 0, np.sqrt(windows.counts * 65536.0).astype(np.int64))
    share, whole = enough
    return bool(whole * weights[np.isin(changed, drawn)].sum() >= share * weights.sum())
