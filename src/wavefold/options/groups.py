"""The options that files, flags and requests have, one frozen dataclass for each group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from wavefold.options.names import ChoiceName, OrderName, Propagation, SearchName, Show, Sweeps, Undo
from wavefold.options.option import Option, option_group

MOST_SWEEPS = 1_000_000
LONGEST_SIDE = 9_999_999  # cells
MOST_MAPS = 10_000
SweepsInFiles = Literal["auto", "off"] | int  # `false` is "off", too


@option_group("generate")
@dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """What to make: which tiles, how large, from which seed."""

    tileset: Annotated[
        str | None,
        Option("a bundled name, a file, or a picture to learn from; paths are relative to this file"),
    ] = None
    subset: Annotated[str | None, Option("the part of the tile set to use, for mxgmn's `.xml` files")] = None
    size: Annotated[
        tuple[int, ...] | None,
        Option(
            'cells across, cells down (and layers, for cubes); also as text, `"64x48"`; if not set, what the '
            "tile set recommends, or 64 x 64",
            low=1,
            high=LONGEST_SIDE,
        ),
    ] = None
    radius: Annotated[
        int | None,
        Option("for hexagons: a disk with this many rings around its centre, instead of `size`", low=0),
    ] = None
    wrap: Annotated[bool, Option("whether opposite edges are joined, so that the map tiles the plane")] = (
        False
    )
    seed: Annotated[int, Option("same seed, same map, on every machine")] = 0
    maps: Annotated[
        int,
        Option(
            "how many maps to make, with the seeds `seed`, `seed + 1`, …; at most 10,000",
            low=1,
            high=MOST_MAPS,
        ),
    ] = 1
    refine: Annotated[
        Sweeps,
        Option(
            "sweeps that refine the map: a number, `auto` for what the tile set recommends, or `off`",
            low=0,
            high=MOST_SWEEPS,
            plain=SweepsInFiles,
        ),
    ] = "auto"
    constraints: Annotated[
        tuple[dict[str, Any], ...],
        Option(
            'rules about the whole map, as `[{ kind = "connected", tiles = "floor" }]`; see '
            "[constraints](constraints.md#in-files-and-on-the-command-line)"
        ),
    ] = ()
    own_constraints: Annotated[bool, Option("whether the constraints of the tile set hold")] = True
    diagnostics: Annotated[
        tuple[str, ...],
        Option(
            'who receives what happens while maps are made, as `["jsonl=log.jsonl"]`; see '
            "[diagnostics](plugins.md#diagnostics)"
        ),
    ] = ()
    propagation: Annotated[Propagation, Option('`"ac3"`, `"ac4"` or `"naive"`; all give the same map')] = (
        "auto"
    )
    undo: Annotated[Undo, Option('`"delta"` or `"snapshot"`; both give the same map')] = "delta"
    order: Annotated[
        Literal["auto"] | OrderName | str,
        Option(
            'which cell next: `"auto"` (by entropy, or by rows where that is easier), `"entropy"`, '
            '`"domain"`, `"both"`, `"score"`, `"scanline"`, `"scanline:southeast"`, `"spiral"`, `"random"`, '
            "or one that `wavefold plugins` lists",
            "Order of cells",
            key="heuristics.order",
            plugins="order",
        ),
    ] = "auto"
    choice: Annotated[
        ChoiceName | str | None,
        Option(
            'which tile, by name, before the keys below: `"weighted"`, `"heaviest"`, `"even"`, `"matching"`, '
            "or one that `wavefold plugins` lists",
            "Choice of tiles",
            key="heuristics.choice",
            plugins="choice",
        ),
    ] = None
    search: Annotated[
        SearchName,
        Option(
            '`"auto"`, `"backtrack"`, `"backjump"`, `"repair"`, `"witness"`, `"restart"`, `"exact"` '
            'or `"sat"`; the keys below start with its values',
            "At a dead end",
            key="search.ladder",
        ),
    ] = "auto"


LARGEST_WINDOW = 5  # cells along a side
MOST_SYMMETRIES = 8
LARGEST_SCALE = 64
MOST_COLOURS = 4096


@option_group("learn")
@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """How a picture is learned: the arguments of `wf.learn`. Bundled samples have values of their own."""

    n: Annotated[int | None, Option("pixels across a window; 3 if not set", low=1, high=LARGEST_WINDOW)] = (
        None
    )
    symmetry: Annotated[
        Literal["auto"] | int | None,
        Option(
            'how many rotated and mirrored copies: `1` as drawn, `2` mirrored, `8` all; `"auto"`, or not '
            "set: by what occurs in the picture",
            low=1,
            high=MOST_SYMMETRIES,
        ),
    ] = None
    periodic: Annotated[
        bool | None, Option("whether the opposite edges of the picture touch; they do if not set")
    ] = None
    ground: Annotated[
        bool | None, Option("whether the bottom row of the picture is ground; it is not if not set")
    ] = None
    scale: Annotated[
        Literal["auto"] | int | None,
        Option(
            'pixels across each drawn pixel of an enlarged picture; `"auto"` finds out; undone where it is '
            "certain if not set",
            low=1,
            high=LARGEST_SCALE,
        ),
    ] = None
    colours: Annotated[
        int | None, Option("reduce the picture to this many of its colours", low=1, high=MOST_COLOURS)
    ] = None


@option_group("picture")
@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """How maps are drawn."""

    tile_size: Annotated[
        int | None, Option("width of a cell in pixels; if not set, that of the tiles", low=1)
    ] = None
    scale: Annotated[int, Option("how many times every pixel is repeated, across and down", low=1)] = 1
    layers: Annotated[bool, Option("for cubes: each layer from above, side by side")] = False
    objects: Annotated[bool, Option("draw and write the objects of the tile set, if it has some")] = True
    renderer: Annotated[
        Show | str,
        Option(
            'what draws `.png` files: `"tiles"`, `"entropy"`, `"counts"`, or one that `wavefold plugins` '
            "lists",
            plugins="renderer",
        ),
    ] = "tiles"


SMALLEST_CHUNK, LARGEST_CHUNK = 4, 4096  # cells along a side


@option_group("world")
@dataclass(frozen=True, kw_only=True)
class WorldOptions:
    """Endless worlds: the sizes of chunks and windows."""

    seed: Annotated[int, Option("of the world")] = 0
    chunk: Annotated[
        int,
        Option(
            "width and height of a chunk in cells; at least `2 * corner_radius + 2`",
            low=SMALLEST_CHUNK,
            high=LARGEST_CHUNK,
        ),
    ] = 64
    refine: Annotated[
        Sweeps,
        Option(
            "sweeps that refine each window: a number, `auto` for what suits the tile set, or `off`",
            low=0,
            high=MOST_SWEEPS,
            plain=SweepsInFiles,
        ),
    ] = "auto"
    radius: Annotated[
        int,
        Option("of the windows where four chunks meet", key="world.corner_radius", low=1, high=LARGEST_CHUNK),
    ] = 11
    half_width: Annotated[
        int,
        Option(
            "of the windows along the edges of a chunk; less than `corner_radius`",
            key="world.strip_half_width",
            low=0,
            high=LARGEST_CHUNK,
        ),
    ] = 10
    constraints: Annotated[
        tuple[dict[str, Any], ...],
        Option(
            'rules that hold everywhere, as `[{ kind = "separation", tile = "house", distance = 8 }]`; see '
            "[worlds](worlds.md#constraints)"
        ),
    ] = ()
    network: Annotated[
        dict[str, Any],
        Option(
            'roads that join all towns, as `{ sides = ["mm=", "cc="], spacing = 32 }`; see '
            "[worlds](worlds.md#roads-that-span-the-world)"
        ),
    ] = field(default_factory=dict)
