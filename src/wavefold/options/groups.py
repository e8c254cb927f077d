"""The options that files, flags and requests have, one frozen dataclass for each group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from wavefold.options.names import (
    ChoiceName,
    JoinName,
    OrderName,
    Propagation,
    SearchName,
    Show,
    Sweeps,
    Undo,
)
from wavefold.options.option import Option, option_group

MOST_SWEEPS = 1_000_000
LONGEST_SIDE = 9_999_999  # cells
MOST_MAPS = 10_000
LARGEST_WINDOW = 5  # cells along a side of a learned window
MOST_SYMMETRIES = 8  # of a learned window
LARGEST_SCALE = 64  # pixels of a sample along a side of a cell
MOST_COLOURS = 4096  # of a sample
SMALLEST_CHUNK, LARGEST_CHUNK = 4, 4096  # cells along a side of a world's chunk
LARGEST_RADIUS = 128  # cells from the centre of a patchwork's grid to its edge
MOST_RETRIES = 10_000  # seeds for each phase of joining
SweepsInFiles = Literal["auto", "off"] | int  # `false` is "off", too


@option_group("generate")
@dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """What to make: which tiles, how large, from which seed."""

    tileset: Annotated[
        str | None,
        Option(
            "a name listed by `wavefold tilesets`, a tile set file, or a picture to learn from",
            files="paths are relative to this file",
        ),
    ] = None
    subset: Annotated[str | None, Option("use only this subset of an mxgmn .xml file", unset="all tiles")] = (
        None
    )
    size: Annotated[
        tuple[int, ...] | None,
        Option(
            "columns x rows (x layers, for cubes), in cells",
            low=1,
            high=LONGEST_SIDE,
            unset="what the tile set recommends, or 64x64",
            files='for example `"64x48"` or `[64, 48]`',
        ),
    ] = None
    radius: Annotated[
        int | None, Option("for hexagons: rings around the centre cell, instead of a size", low=0)
    ] = None
    wrap: Annotated[bool, Option("join opposite edges, so that the map tiles the plane")] = False
    seed: Annotated[int, Option("same seed, same map, on every machine")] = 0
    maps: Annotated[int, Option("make this many maps, with consecutive seeds", low=1, high=MOST_MAPS)] = 1
    refine: Annotated[
        Sweeps,
        Option(
            "refine the map in this many sweeps, so that tiles are as frequent as their weights say; "
            '`"auto"` or `"off"`',
            low=0,
            high=MOST_SWEEPS,
            plain=SweepsInFiles,
            unset="what the tile set recommends; none beside an order, a choice or priors",
            metavar="SWEEPS",
        ),
    ] = "auto"
    constraints: Annotated[
        tuple[dict[str, Any], ...],
        Option(
            "rules about the whole map",
            files='for example `[{ kind = "connected", tiles = "floor" }]`; see '
            "[constraints](constraints.md#in-files-and-on-the-command-line)",
        ),
    ] = ()
    own_constraints: Annotated[bool, Option("whether the constraints of the tile set hold")] = True
    diagnostics: Annotated[
        tuple[str, ...],
        Option(
            "where events of generation are sent: jsonl=FILE, otel, or one that `wavefold plugins` lists",
            files='for example `["jsonl=log.jsonl"]`; see [diagnostics](plugins.md#diagnostics)',
            flag="--diagnostic",
            metavar="NAME[=TARGET]",
        ),
    ] = ()
    propagation: Annotated[
        Propagation,
        Option(
            'how the consequences of decisions are found: `"auto"`, `"ac3"`, `"ac4"` or `"naive"`; '
            "all give the same map"
        ),
    ] = "auto"
    undo: Annotated[
        Undo,
        Option('how decisions are undone: `"delta"` or `"snapshot"`; both give the same map', "Way back"),
    ] = "delta"
    order: Annotated[
        Literal["auto"] | OrderName | str,
        Option(
            'which cell comes next: `"auto"` (by entropy, or by rows where that is easier), `"entropy"`, '
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
            'which tile a cell becomes: `"weighted"`, `"heaviest"`, `"even"`, `"matching"`, '
            "or one that `wavefold plugins` lists",
            "Choice of tiles",
            key="heuristics.choice",
            plugins="choice",
            unset="by weight",
            files="applied before the keys below",
        ),
    ] = None
    search: Annotated[
        SearchName,
        Option(
            'what to do at a dead end: `"auto"`, `"backtrack"`, `"backjump"`, `"repair"`, `"witness"`, '
            '`"restart"`, `"exact"` or `"sat"`',
            "At a dead end",
            key="search.ladder",
            files="the keys below start with its values",
        ),
    ] = "auto"


@option_group("learn")
@dataclass(frozen=True, kw_only=True)
class LearnOptions:
    """How a picture is learned: the arguments of `wf.learn`. Bundled samples have values of their own."""

    n: Annotated[
        int | None, Option("width of the windows to learn, in cells", low=1, high=LARGEST_WINDOW, unset="3")
    ] = None
    symmetry: Annotated[
        Literal["auto"] | int | None,
        Option(
            "how many turned and mirrored copies to learn: 1 as drawn, 2 with mirror images, 8 all",
            low=1,
            high=MOST_SYMMETRIES,
            unset='`"auto"`: by what occurs in the picture',
            metavar="1…8",
        ),
    ] = None
    periodic: Annotated[
        bool | None,
        Option("whether opposite edges of the picture touch", unset="yes", flag="--periodic/--open"),
    ] = None
    ground: Annotated[bool | None, Option("whether the bottom row is ground", unset="no")] = None
    scale: Annotated[
        Literal["auto"] | int | None,
        Option(
            "undo upscaling: pixels are blocks of N x N, or of a size that is found; 1: keep every pixel",
            low=1,
            high=LARGEST_SCALE,
            unset='`"auto"`, where it is certain',
            metavar="auto|N",
        ),
    ] = None
    colours: Annotated[
        int | None, Option("reduce the picture to this many colours", low=1, high=MOST_COLOURS, unset="all")
    ] = None


@option_group("picture")
@dataclass(frozen=True, kw_only=True)
class PictureOptions:
    """How maps are drawn."""

    tile_size: Annotated[
        int | None,
        Option(
            "width of a cell, in pixels",
            low=1,
            unset="that of the tiles; learned pixels are enlarged: to 384 in all, in Tiled to 8 each",
        ),
    ] = None
    scale: Annotated[int, Option("how many times every pixel is repeated, across and down", low=1)] = 1
    layers: Annotated[bool, Option("for cubes: each layer from above, side by side")] = False
    objects: Annotated[bool, Option("draw and write the objects of the tile set, such as trees")] = True
    renderer: Annotated[
        Show | str,
        Option(
            'what draws .png files: `"tiles"`, `"entropy"`, `"counts"`, or one that `wavefold plugins` lists',
            plugins="renderer",
        ),
    ] = "tiles"


@option_group("world")
@dataclass(frozen=True, kw_only=True)
class WorldOptions:
    """Endless worlds: the sizes of chunks and windows."""

    seed: Annotated[int, Option("same seed, same world, on every machine")] = 0
    chunk: Annotated[
        int, Option("width and height of a chunk, in cells", low=SMALLEST_CHUNK, high=LARGEST_CHUNK)
    ] = 64
    refine: Annotated[
        Sweeps,
        Option(
            'refine each window in this many sweeps, so that no border shows; `"auto"` or `"off"`',
            low=0,
            high=MOST_SWEEPS,
            plain=SweepsInFiles,
            unset="what suits the tile set",
            metavar="SWEEPS",
        ),
    ] = "auto"
    radius: Annotated[
        int | None,
        Option(
            "how far windows reach around chunk corners, in cells",
            key="world.corner_radius",
            low=1,
            high=LARGEST_CHUNK,
            unset="11, or what the chunks and constraints need",
        ),
    ] = None
    half_width: Annotated[
        int | None,
        Option(
            "how far windows reach from the edges of chunks, in cells; less than around corners",
            key="world.strip_half_width",
            low=0,
            high=LARGEST_CHUNK,
            unset="as far as the windows around corners allow",
        ),
    ] = None
    constraints: Annotated[
        tuple[dict[str, Any], ...],
        Option(
            "rules that hold everywhere",
            files='for example `[{ kind = "separation", tile = "house", distance = 8 }]`; see '
            "[worlds](worlds.md#constraints)",
        ),
    ] = ()
    network: Annotated[
        dict[str, Any],
        Option(
            "roads that join all towns",
            files='for example `{ sides = ["mm=", "cc="], spacing = 32 }`; see '
            "[worlds](worlds.md#roads-that-span-the-world)",
        ),
    ] = field(default_factory=dict)


@option_group("patchwork")
@dataclass(frozen=True, kw_only=True)
class PatchworkOptions:
    """Patchworks: the size of grids, and how they are joined. Files have no section for them."""

    radius: Annotated[
        int,
        Option(
            "radius of a grid, in cells around its centre: disks of hexagons, squares of 2 x radius + 1",
            low=1,
            high=LARGEST_RADIUS,
        ),
    ] = 8
    seed: Annotated[int, Option("same seed and same grids, same map, on every machine")] = 0
    join: Annotated[
        JoinName | str,
        Option(
            'how grids are joined: `"overlap"`, `"editable"`, `"fixed"`, `"whole"`, `"witness"`, '
            "or one that `wavefold plugins` lists",
            plugins="join",
        ),
    ] = "overlap"
    retries: Annotated[
        int | Mapping[str, int] | None,
        Option("seeds to try in each phase", low=1, high=MOST_RETRIES, plain=int | None, unset="3, 5 and 2"),
    ] = None
    grow: Annotated[JoinName | str, Option('with `"whole"`: the join of grids that are added later')] = (
        "overlap"
    )
    refine: Annotated[
        Sweeps,
        Option(
            'refine each grid in this many sweeps after it was joined; `"auto"` or `"off"`',
            low=0,
            high=MOST_SWEEPS,
            plain=SweepsInFiles,
            unset="what suits the tile set, if activities are stored with it",
            metavar="SWEEPS",
        ),
    ] = "auto"
