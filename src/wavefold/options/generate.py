"""The options of `wf.generate` that files, flags and requests have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from wavefold.options.names import ChoiceName, OrderName, Propagation, SearchName, Sweeps, Undo
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
