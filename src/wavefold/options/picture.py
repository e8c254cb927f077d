"""The options of pictures that files and flags have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from wavefold.options.names import Show
from wavefold.options.option import Option, option_group


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
