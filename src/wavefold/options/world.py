"""The options of `wf.World` that files and flags have."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from wavefold.options.generate import MOST_SWEEPS, SweepsInFiles
from wavefold.options.names import Sweeps
from wavefold.options.option import Option, option_group

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
