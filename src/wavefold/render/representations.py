"""Static notebook representations: a line of facts and a picture.

HTML without scripts or colours of its own suits light and dark pages. An object that cannot be drawn is shown
by its `repr`. Worlds and patchworks have their representations in their own packages.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import WavefoldError
from wavefold.kernels.host.bitsets import count_single_bits
from wavefold.render.draw import preview
from wavefold.solver import Solver
from wavefold.storage.png import encode_png
from wavefold.tiles import TileSet

MOST_TILES = 60  # on a sheet
TILE_PIXELS = 48  # across, on a sheet
CRISP = "image-rendering:pixelated;max-width:100%"


def or_nothing(represent: Callable[[Any], str]) -> Callable[[Any], str | None]:
    """Wrap a function to return None if its argument cannot be drawn."""

    @wraps(represent)
    def attempt(what: Any) -> str | None:
        try:
            return represent(what)
        except (WavefoldError, MemoryError):
            return None

    return attempt


@or_nothing
def represent_solver(solver: Solver) -> str:
    """The decided cells of the map."""
    partial, stats = solver.partial(), solver.stats
    cells = solver.problem.cell_count
    facts = [f"<b>{solver.status}</b>", f"{count_single_bits(partial.words):,} of {cells:,} cells decided"]
    facts += [f"{stats.decisions:,} decisions", f"seed {solver.seed}"]
    png = preview(partial)
    return lay_out(facts, "" if png is None else embed(png))


@or_nothing
def represent_tiles(tiles: TileSet) -> str:
    """Pictures of tiles with their names and weights."""
    pictures, patterns = tiles.pictures(), tiles.patterns
    first = {pattern.tile.name: number for number, pattern in reversed(list(enumerate(patterns)))}
    shown = tiles.tiles[:MOST_TILES]
    figures = [
        f'<figure style="margin:0;width:88px;text-align:center;overflow:hidden">'
        f"{embed(encode_png(enlarge(pictures[first[tile.name]])), TILE_PIXELS)}"
        f'<figcaption style="font-size:11px;overflow-wrap:anywhere">{escape(tile.name)}<br>'
        f'<span style="opacity:.65">{tile.weight:g}</span></figcaption></figure>'
        for tile in shown
        if tile.name in first
    ]
    facts = [f"<b>{escape(tiles.name or 'tile set')}</b>", f"{len(tiles.tiles):,} tiles"]
    facts += [f"{len(patterns):,} patterns", tiles.topology]
    if len(shown) < len(tiles.tiles):
        facts.append(f"the first {len(shown)} are shown")
    sheet = f'<div style="display:flex;flex-wrap:wrap;gap:8px;align-items:start">{"".join(figures)}</div>'
    return lay_out(facts, sheet)


def lay_out(facts: Sequence[str], picture: str) -> str:
    """A line of facts above a picture."""
    line = " · ".join(facts)
    return (
        f'<div style="font-family:system-ui,sans-serif"><p style="margin:0 0 6px">{line}</p>{picture}</div>'
    )


def embed(png: bytes, width: int | None = None) -> str:
    """An image with its bytes inside."""
    size = f' width="{width}"' if width else ""
    return f'<img alt="" style="{CRISP}"{size} src="data:image/png;base64,{b64encode(png).decode()}">'


def enlarge(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Enlarge a picture of a tile: browsers would blur the single pixels of learned tiles."""
    factor = max(1, TILE_PIXELS // max(pixels.shape[:2]))
    return np.repeat(np.repeat(pixels, factor, axis=0), factor, axis=1)
