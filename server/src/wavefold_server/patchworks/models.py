"""What requests about patchworks may contain, and what the answers say."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field, field_validator, model_validator

from wavefold.config import Factor, TerrainSection
from wavefold.options import PatchworkOptions
from wavefold.patchwork import LARGEST_COORDINATE, LARGEST_REBUILD, MOST_GRIDS, Retries
from wavefold_server.bodies import Body, FieldsBody, Seed, SweepsBody, TileSetName, declared_field
from wavefold_server.solves.models import PinRow

MOST_PRESETS = 10_000
Coordinate = Annotated[int, Field(ge=-LARGEST_COORDINATE, le=LARGEST_COORDINATE)]
Pair = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
Revision = Annotated[int, Field(ge=0, lt=1 << 53)]
CellRow = list[int]  # [x, y, pattern]
JoinName = Annotated[str, Field(min_length=1, max_length=80)]
AT_REVISION = "only if the patchwork is at this revision, else 409"


class RetriesBody(Body):
    """Seeds that are tried in each phase before a join goes on to the next."""

    attempts: int = declared_field(Retries, "attempts")
    replace: int = declared_field(Retries, "replace")
    drop: int = declared_field(Retries, "drop")


class PatchworkRequest(Body):
    """What a patchwork is a function of, beside the order in which its grids are made."""

    tileset: TileSetName
    radius: int = declared_field(PatchworkOptions, "radius")
    seed: Seed = declared_field(PatchworkOptions, "seed")
    join: JoinName = declared_field(PatchworkOptions, "join", examples=["overlap"])
    grow: JoinName = declared_field(PatchworkOptions, "grow")
    retries: RetriesBody = RetriesBody()
    presets: bool | list[PinRow] = Field(
        default=False,
        description="cells that must be a tile: `[[x, y, tile], …]`; true: a grass centre and a water side, "
        "for medieval tiles",
    )
    preset: Annotated[str, Field(max_length=80)] | None = Field(
        default=None, description="fields by name, with the seed of the patchwork; instead of `fields`"
    )
    fields: FieldsBody = FieldsBody()
    terrain: TerrainSection = TerrainSection()
    weights: dict[str, Factor] = Field(default={}, description="`{tile: what its weight is multiplied by}`")
    refine: SweepsBody = declared_field(PatchworkOptions, "refine")
    draft: bool = Field(
        default=False,
        description="whether it is temporary: the oldest drafts are removed when there are too many",
    )

    @field_validator("presets")
    @classmethod
    def _check_presets(cls, presets: bool | list[list[Any]]) -> bool | list[list[Any]]:
        rows = [] if isinstance(presets, bool) else presets
        if len(rows) > MOST_PRESETS:
            raise ValueError(f"at most {MOST_PRESETS:,} cells are allowed")
        if any(len(row) != 3 for row in rows):
            raise ValueError('each row must be [x, y, "tile"]')
        return presets

    @model_validator(mode="after")
    def _check_fields(self) -> PatchworkRequest:
        if self.preset is not None and (self.fields.tables or self.fields.preset):
            raise ValueError("a patchwork has either a preset or fields, not both")
        return self


class PopulateRequest(Body):
    """Grids to make, in this order: all of them, or none."""

    grids: list[Pair] = Field(
        min_length=1,
        max_length=MOST_GRIDS,
        description="keys `[[gx, gz], …]`: column and row; each must touch a grid before it, unless the join "
        "is witness",
        examples=[[[0, 0], [0, -1]]],
    )
    revision: Revision | None = Field(default=None, description=AT_REVISION)


class RebuildRequest(Body):
    """A disk of the map that is solved again, with everything around it fixed."""

    cell: Pair = Field(description="the cell `[x, y]` in the middle")
    radius: Annotated[int, Field(ge=0, le=LARGEST_REBUILD)] = 2
    revision: Revision | None = Field(default=None, description=AT_REVISION)


class PatchworkSummary(BaseModel):
    """A patchwork in a list."""

    id: str
    tileset: str
    seed: int
    radius: int
    join: str
    created: float = Field(description="seconds since 1970")
    revision: int = Field(description="0 at first, 1 more after each change")
    grids: int
    cells: int
    draft: bool = Field(default=False, description="whether it goes when newer drafts need its place")


class PatchworkAnswer(PatchworkSummary):
    """A patchwork."""

    topology: str = Field(description="square or hex")
    keys: list[list[int]] = Field(description="keys of the grids, in the order of creation")
    expandable: list[list[int]] = Field(description="keys of grids that can be made next, at most 1,000")


class PatchworkPage(BaseModel):
    """A page of patchworks, newest first."""

    patchworks: list[PatchworkSummary]
    next: int | None = Field(default=None, description="`before` of the next page; null on the last one")


class PatchworkChange(BaseModel):
    """What a request changed."""

    revision: int
    cells: list[CellRow] = Field(description="`[x, y, pattern]` of each cell that is new or has changed")
    grids: list[dict[str, Any]] = Field(default=[], description="the effort of each grid that was made")
    changed: list[list[int]] = Field(
        default=[], description="`[x, y]` of cells of older grids that a join has changed, for the first time"
    )
    dropped: list[list[int]] = Field(
        default=[], description="`[x, y]` of all cells of the map that may not fit their neighbours"
    )
    expandable: list[list[int]] = Field(
        default=[], description="keys of grids that can be made next, at most 1,000"
    )


class GridAnswer(BaseModel):
    """The cells of one grid."""

    revision: int
    key: list[int]
    cells: list[CellRow] = Field(description="`[x, y, pattern]`")
    changed: list[list[int]] = Field(
        default=[], description="`[x, y]` of those that got another pattern when a neighbour was joined"
    )
    dropped: list[list[int]] = Field(
        default=[], description="`[x, y]` of those that may not fit their neighbours"
    )
