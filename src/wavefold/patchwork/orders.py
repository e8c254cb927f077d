"""The default order in which grids are built: a first one, then ring by ring, clockwise."""

from __future__ import annotations

from wavefold.common.values import parse_integer
from wavefold.errors import ConfigError
from wavefold.patchwork.plan import PLANS, Key, to_grid_key

MOST_GRIDS = 10_000

# Steps along a ring from its northwest corner, clockwise, and the way to that corner.
HEX_SIDES, HEX_CORNER = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)), (-1, 0)
SQUARE_SIDES, SQUARE_CORNER = ((1, 0), (0, 1), (-1, 0), (0, -1)), (-1, -1)


def build_order(topology: str, count: int) -> list[Key]:
    """The first `count` grids. Each touches one before it.

    >>> build_order("hex", 4)
    [(0, 0), (0, -1), (1, -1), (1, 0)]
    """
    number = parse_integer(count)
    if number is None or not 1 <= number <= MOST_GRIDS:
        raise ConfigError(f"a map has 1 to {MOST_GRIDS:,} grids, not {count!r}")
    if topology not in PLANS:
        raise ConfigError(f"a patchwork needs hex or square tiles, not {topology!r}")
    keys = [(0, 0)]
    far = 0
    while len(keys) < number:
        far += 1
        keys += list_ring(topology, far)
    return keys[:number]


def list_rings(topology: str, far: int) -> list[Key]:
    """The first grid and all around it that are at most so many grids away."""
    return build_order(topology, count_grids_within(topology, far))


def count_grids_within(topology: str, far: int) -> int:
    """How many grids are at most so many grids away from the first, with it."""
    return PLANS[topology].count_cells(far)  # grids lie as cells do


def list_ring(topology: str, far: int) -> list[Key]:
    """The grids so many grids away from the first. It ends at its northwest corner."""
    is_hex = topology == "hex"
    sides, (across, down) = (HEX_SIDES, HEX_CORNER) if is_hex else (SQUARE_SIDES, SQUARE_CORNER)
    x, y = across * far, down * far
    keys = []
    for right, below in sides:
        for _ in range(far if is_hex else 2 * far):
            x, y = x + right, y + below
            keys.append(to_grid_key(x, y) if is_hex else (x, y))
    return keys
