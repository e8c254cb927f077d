"""What a configuration may contain: its sections, their keys, types and defaults.

Values are checked here one by one. Whether they go together (fields that depend on each other, sizes that
must fit) is checked in `validation`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from wavefold.config.field_sections import FieldsSection, TerrainSection
from wavefold.config.sections import ConfigSection, Count, Factor
from wavefold.config.solver_sections import BudgetSection, HeuristicsSection, SearchSection

SIZE = re.compile(r"[1-9]\d{0,6}(x[1-9]\d{0,6}){1,2}", re.IGNORECASE)
LONGEST_SIDE = 9_999_999


def parse_size(value: Any) -> tuple[int, ...]:
    """(across, down) or (across, down, layers), from "64x48" or a list."""
    if isinstance(value, str) and SIZE.fullmatch(value):
        return tuple(int(part) for part in value.lower().split("x"))
    if isinstance(value, list | tuple) and len(value) in (2, 3):
        if all(type(each) is int and 1 <= each <= LONGEST_SIDE for each in value):
            return tuple(value)
    raise ValueError("must be cells across x cells down, such as '64x48' or [64, 48]")


class GenerateSection(ConfigSection):
    """What to make: which tiles, how large, from which seed."""

    tileset: str | None = Field(
        default=None,
        description="a bundled name, a file, or a picture to learn from; paths are relative to this file",
    )
    subset: str | None = Field(
        default=None, description="the part of the tile set to use, for mxgmn's `.xml` files"
    )
    size: Annotated[tuple[int, ...], BeforeValidator(parse_size)] = Field(
        default=(64, 64),
        description='cells across, cells down (and layers, for cubes); also as text, `"64x48"`',
    )
    radius: int | None = Field(
        default=None,
        ge=0,
        description="for hexagons: a disk with this many rings around its centre, instead of `size`",
    )
    wrap: bool = Field(
        default=False, description="whether opposite edges are joined, so that the map tiles the plane"
    )
    seed: int = Field(default=0, description="same seed, same map, on every machine")
    count: Count = Field(
        default=1,
        le=10_000,
        description="how many maps to make, with the seeds `seed`, `seed + 1`, …; at most 10,000",
    )
    propagation: Literal["auto", "ac3", "ac4", "naive"] = Field(
        default="auto", description='`"ac3"`, `"ac4"` or `"naive"`; all give the same map'
    )
    undo: Literal["delta", "snapshot"] = Field(
        default="delta", description='`"delta"` or `"snapshot"`; both give the same map'
    )


class WorldSection(ConfigSection):
    """Endless worlds: the sizes of chunks and windows."""

    seed: int = Field(default=0, description="of the world")
    chunk: int = Field(
        default=64, ge=4, description="width and height of a chunk in cells; at least `2 * corner_radius + 2`"
    )
    corner_radius: Count = Field(default=11, description="of the windows where four chunks meet")
    strip_half_width: Count = Field(
        default=10, description="of the windows along the edges of a chunk; less than `corner_radius`"
    )
    window: Count = Field(
        default=16,
        description="width and height of a sub-window in cells, for windows that are hard to solve whole",
    )
    stride: Count = Field(default=8, description="from one sub-window to the next; at most `window`")


class PictureSection(ConfigSection):
    """How maps are drawn."""

    tile_size: Count | None = Field(
        default=None, description="width of a cell in pixels; if not set, that of the tiles"
    )
    scale: Count = Field(default=1, description="how many times every pixel is repeated, across and down")
    layers: bool = Field(default=False, description="for cubes: each layer from above, side by side")


class Config(ConfigSection):
    """The whole configuration."""

    generate: GenerateSection = GenerateSection()
    weights: dict[str, Factor] = Field(default={})
    heuristics: HeuristicsSection = HeuristicsSection()
    search: SearchSection = SearchSection()
    budget: BudgetSection = BudgetSection()
    fields: FieldsSection = FieldsSection()
    terrain: TerrainSection = TerrainSection()
    world: WorldSection = WorldSection()
    picture: PictureSection = PictureSection()
