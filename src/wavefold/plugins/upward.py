"""Functions of lower layers that need a higher layer: the only upward imports, made on each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from wavefold.solver import Solver
    from wavefold.tiles import TileSet


def draw_tiles(tiles: TileSet, tile_size: int | None) -> NDArray[np.uint8]:
    """Draw all patterns, for `tiles.pictures`."""
    from wavefold import render

    return render.draw_tiles(tiles, tile_size)


def draw_preview(solution: Any) -> bytes | None:
    """Draw a small PNG of a map, for notebooks."""
    from wavefold import render

    return render.preview(solution)


def represent_tiles(tiles: TileSet) -> str | None:
    """The notebook representation of a tile set."""
    from wavefold.render import representations

    return representations.represent_tiles(tiles)


def represent_solver(solver: Solver) -> str | None:
    """The notebook representation of a solver."""
    from wavefold.render import representations

    return representations.represent_solver(solver)
