"""Solvers, worlds, patchworks and tile sets as results of a notebook's cells: a picture, a line of facts.

HTML without scripts and colours of its own, so that it suits light and dark pages. Whatever fails here
must not fail in the notebook: then there is no picture, and the notebook shows the `repr`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import count_single_bits
from wavefold.common.png import encode_png
from wavefold.errors import WavefoldError
from wavefold.patchwork import Patchwork
from wavefold.render import preview
from wavefold.solver import Solver
from wavefold.tiles import TileSet
from wavefold.world import World
from wavefold.world.map_tiles import draw_map_tile

MOST_TILES = 60  # on a sheet
TILE_PIXELS = 48  # across, on a sheet
WORLD_MS = 300.0  # for the picture of a world; what is not in time has mean colours
CRISP = "image-rendering:pixelated;max-width:100%"


class Picture(NamedTuple):
    """HTML that a notebook shows."""

    html: str

    def __repr__(self) -> str:
        return f"Picture({len(self.html):,} characters of HTML, which a notebook shows)"

    def _repr_html_(self) -> str:
        return self.html


def or_nothing(represent: Callable[[Any], str]) -> Callable[[Any], str | None]:
    """The same, with None for what cannot be drawn."""

    @wraps(represent)
    def attempt(what: Any) -> str | None:
        try:
            return represent(what)
        except (WavefoldError, MemoryError):
            return None

    return attempt


@or_nothing
def represent_solver(solver: Solver) -> str:
    """The map as far as it is decided."""
    partial, stats = solver.partial(), solver.stats
    cells = solver.problem.cell_count
    facts = [f"<b>{solver.status}</b>", f"{count_single_bits(partial.words):,} of {cells:,} cells decided"]
    facts += [f"{stats.decisions:,} decisions", f"seed {solver.seed}"]
    png = preview(partial)
    return lay_out(facts, "" if png is None else embed(png))


@or_nothing
def represent_world(world: World) -> str:
    """The cells around the origin."""
    tile = draw_map_tile(world, 0, 0, 0, budget=WORLD_MS)
    facts = ["<b>endless world</b>", f"{escape(world.tiles.name or 'tiles')}, seed {world.seed}"]
    facts += [f"chunks of {world.plan.chunk} cells", f"revision {world.revision}"]
    return lay_out(facts, embed(tile.png))


@or_nothing
def represent_patchwork(patchwork: Patchwork) -> str:
    """The pieces that have been made."""
    facts = ["<b>patchwork</b>", f"{escape(patchwork.tiles.name or 'tiles')}, seed {patchwork.seed}"]
    facts += [
        f"{len(patchwork.grids):,} grids of radius {patchwork.radius}",
        f"join {escape(patchwork.join.name)}",
    ]
    png = preview(patchwork.solution()) if patchwork.grids else None
    return lay_out(facts, "" if png is None else embed(png))


@or_nothing
def represent_tiles(tiles: TileSet) -> str:
    """Tiles with names and weights, as they are drawn."""
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
    """An image that carries its bytes."""
    size = f' width="{width}"' if width else ""
    return f'<img alt="" style="{CRISP}"{size} src="data:image/png;base64,{b64encode(png).decode()}">'


def enlarge(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A larger picture of a tile: single pixels of learned tiles would be blurred by browsers."""
    factor = max(1, TILE_PIXELS // max(pixels.shape[:2]))
    return np.repeat(np.repeat(pixels, factor, axis=0), factor, axis=1)
