"""What a request for a map may contain, and what the answer says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from wavefold.config.models import FieldsSection, TerrainSection
from wavefold.config.sections import BudgetSection, Factor, HeuristicsSection, SearchSection
from wavefold.service.bodies import Body, Seed, Side, TileSetName

Status = Literal["queued", "running", "solved", "failed", "cancelled"]


class TopologyBody(Body):
    """The grid of a map. Without it, the map has the size that the tile set recommends."""

    kind: str | None = Field(default=None, description="of cells; that of the tile set if not set")
    width: Side | None = Field(default=None, description="cells across")
    height: Side | None = Field(default=None, description="cells down")
    depth: Side | None = Field(default=None, description="layers, for cubes")
    radius: Annotated[int, Field(ge=0, le=9_999)] | None = Field(
        default=None, description="for hexagons: rings around the centre cell, instead of width and height"
    )
    wraps: bool = Field(default=False, description="whether opposite edges are joined")


class SolveRequest(Body):
    """What to make. The same request gives the same map on every machine."""

    tileset: TileSetName
    topology: TopologyBody = TopologyBody()
    seed: Seed = 0
    pins: list[list[int | str]] = Field(
        default=[], description="cells that must be a tile: `[[x, y, tile], …]`", examples=[[[3, 4, "cross"]]]
    )
    constraints: list[dict[str, Any]] = Field(
        default=[], description='rules about the whole map: `[{"kind": "connected", "tiles": "floor"}]`'
    )
    own_constraints: bool = Field(default=True, description="whether the tile set's own constraints hold")
    weights: dict[str, Factor] = Field(default={}, description="`{tile: what its weight is multiplied by}`")
    heuristics: HeuristicsSection = HeuristicsSection()
    search: SearchSection = SearchSection()
    fields: FieldsSection = FieldsSection()
    terrain: TerrainSection = TerrainSection()
    refine: bool | int | Literal["auto"] = Field(
        default="auto",
        description='sweeps that refine the map; "auto": what the tile set recommends; false: none',
    )
    budget: BudgetSection = BudgetSection()
    propagation: Literal["auto", "ac3", "ac4", "naive"] = "auto"


class SolveAnswer(BaseModel):
    """A map, or how far it is."""

    id: str
    status: Status
    patterns: list[int] | None = Field(default=None, description="one for each cell, row by row")
    stats: dict[str, Any] | None = None
    error: dict[str, Any] | None = Field(default=None, description="a problem document, if it failed")
