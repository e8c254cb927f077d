"""Static notebook representations: a line of facts and a picture.

They have no scripts and no colours, so they suit light and dark pages. Objects that cannot be drawn are shown
by their `repr`. The packages of worlds and patchworks have their own representations.
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

MOST_TILES = 60
TILE_PIXELS = 48  # across
CRISP = "image-rendering:pixelated;max-width:100%"


def return_none_on_error(represent: Callable[[Any], str]) -> Callable[[Any], str | None]:
    """Wrap a function to return None if its argument cannot be drawn."""

    @wraps(represent)
    def attempt(what: Any) -> str | None:
        try:
            return represent(what)
        except (WavefoldError, MemoryError):
            return None

    return attempt


@return_none_on_error
def represent_solver(solver: Solver) -> str:
    """Represent a solver by the decided cells of its map."""
    partial, stats = solver.partial(), solver.stats
    cells = solver.problem.cell_count
    facts = [f"<b>{solver.status}</b>", f"{count_single_bits(partial.words):,} of {cells:,} cells decided"]
    facts += [f"{stats.decisions:,} decisions", f"seed {solver.seed}"]
    png = preview(partial)
    return lay_out(facts, "" if png is None else make_image_tag(png))


@return_none_on_error
def represent_tiles(tiles: TileSet) -> str:
    """Represent a tile set by pictures of its tiles, with names and weights."""
    pictures, patterns = tiles.pictures(), tiles.patterns
    first = {pattern.tile.name: number for number, pattern in reversed(list(enumerate(patterns)))}
    shown = tiles.tiles[:MOST_TILES]
    figures = [
        f'<figure style="margin:0;width:88px;text-align:center;overflow:hidden">'
        f"{make_image_tag(encode_png(enlarge_picture(pictures[first[tile.name]])), TILE_PIXELS)}"
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
    """Lay out a line of facts above a picture."""
    line = " · ".join(facts)
    return (
        f'<div style="font-family:system-ui,sans-serif"><p style="margin:0 0 6px">{line}</p>{picture}</div>'
    )


def make_image_tag(png: bytes, width: int | None = None) -> str:
    """Make an <img> tag with embedded data."""
    size = f' width="{width}"' if width else ""
    return f'<img alt="" style="{CRISP}"{size} src="data:image/png;base64,{b64encode(png).decode()}">'


def enlarge_picture(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Enlarge a small picture of a tile; browsers would blur the single pixels of learned tiles."""
    factor = max(1, TILE_PIXELS // max(pixels.shape[:2]))
    return np.repeat(np.repeat(pixels, factor, axis=0), factor, axis=1)
