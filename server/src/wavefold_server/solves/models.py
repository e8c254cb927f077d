"""What a request for a map may contain, and what the answer says."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema, field_validator, model_validator

from wavefold.config import (
    BudgetSection,
    Factor,
    HeuristicsSection,
    SearchSection,
    TerrainSection,
    refuse_values,
)
from wavefold.options import GenerateOptions
from wavefold.solver import Shares
from wavefold_server.bodies import (
    Body,
    ConstraintTable,
    FieldsBody,
    Seed,
    Side,
    SweepsBody,
    TileSetName,
    check_plain,
    declared_field,
)
from wavefold_server.live.logged_commands import MOST_COMMANDS, LoggedCommand, Number

Status = Literal["queued", "running", "solved", "failed", "cancelled"]
FINISHED = ("solved", "failed", "cancelled")
MOST_CONSTRAINTS = 64
FLAG = {"type": "boolean"}
ROWS = {"type": "array", "items": {"type": "string", "pattern": "^[#.]+$"}}
TILE = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
PIN = {
    "type": "array",
    "prefixItems": [{"type": "integer"}, {"type": "integer"}, TILE],
    "minItems": 3,
    "maxItems": 4,
}


def check_wraps(value: Any) -> Any:
    """One flag for all axes, or one for each."""
    flags = value if isinstance(value, list) else [value]
    if not 1 <= len(flags) <= 3 or not all(isinstance(each, bool) for each in flags):
        raise ValueError("must be true or false, or a list with one of these for each axis")
    return tuple(value) if isinstance(value, list) else value


def check_mask(rows: list[Any]) -> list[Any]:
    """Rows of text, or layers of such rows; whether they are of one length is checked with the grid."""
    texts = [each for row in rows for each in (row if isinstance(row, list) else [row])]
    is_layered = any(isinstance(row, list) for row in rows)
    if not texts or not all(isinstance(each, str) for each in texts):
        raise ValueError("must be rows of text, # for a cell and . for none")
    if is_layered and not all(isinstance(row, list) and row for row in rows):
        raise ValueError("must be either rows of text or layers of such rows")
    return rows


def check_pin(row: list[Any]) -> list[Any]:
    """The coordinates of a cell and what it must be."""
    if not 3 <= len(row) <= 4 or not all(type(each) is int for each in row[:-1]):
        raise ValueError('must be [x, y, "tile"], or [x, y, z, "tile"] on cubes')
    if not (type(row[-1]) in (str, int) or (isinstance(row[-1], list) and row[-1])):
        raise ValueError("ends with the name of a tile, a list of names, or a colour of a learned set")
    check_plain(row)
    return row


PinRow = Annotated[list[Any], AfterValidator(check_pin), WithJsonSchema(PIN)]


class TopologyBody(Body):
    """The grid of a map. Without it, the map has the size that the tile set recommends."""

    kind: str | None = Field(default=None, description="of cells; that of the tile set if not set")
    width: Side | None = Field(default=None, description="cells across")
    height: Side | None = Field(default=None, description="cells down")
    depth: Side | None = Field(default=None, description="layers, for cubes")
    radius: Annotated[int, Field(ge=0, le=9_999)] | None = Field(
        default=None, description="for hexagons: rings around the centre cell, instead of width and height"
    )
    form: Literal["disk", "rectangle", "rhombus"] | None = Field(
        default=None,
        description="for hexagons; if not set, a disk if there is a radius, a rhombus if it wraps, else a "
        "rectangle",
    )
    layout: Literal["pointy", "flat"] = Field(default="pointy", description="of hexagons, as drawn")
    wraps: Annotated[
        Any,
        AfterValidator(check_wraps),
        WithJsonSchema({"anyOf": [FLAG, {"type": "array", "items": FLAG, "minItems": 1, "maxItems": 3}]}),
    ] = Field(default=False, description="whether opposite edges are joined: all, or one flag for each axis")
    mask: (
        Annotated[
            list[Any],
            AfterValidator(check_mask),
            WithJsonSchema({"anyOf": [ROWS, {"type": "array", "items": ROWS}]}),
        ]
        | None
    ) = Field(
        default=None,
        description="rows of text, `#` where there is a cell and `.` where there is none; layers of such "
        "rows for cubes; for hexagons, rows are r and columns q of the box around the grid. It gives squares "
        "and cubes their size",
        examples=[["##..", "####"]],
    )

    @model_validator(mode="after")
    def _check_sizes(self) -> TopologyBody:
        if self.radius is not None and (self.width is not None or self.height is not None):
            raise ValueError("a grid has either a radius or a width and a height, not both")
        if self.radius is not None and self.form not in (None, "disk"):
            raise ValueError(f"a {self.form} has a width and a height, no radius")
        if self.form == "disk" and self.radius is None:
            raise ValueError("a disk needs a radius")
        return self


class SolveRequest(Body):
    """What to make. The same request gives the same map on every machine."""

    tileset: TileSetName
    topology: TopologyBody = TopologyBody()
    seed: Seed = declared_field(GenerateOptions, "seed")
    pins: list[PinRow] = Field(
        default=[],
        description="cells that must be a tile: `[[x, y, tile], …]`; a list of tiles means any of them",
        examples=[[[3, 4, "cross"]]],
    )
    constraints: list[ConstraintTable] = Field(
        default=[],
        max_length=MOST_CONSTRAINTS,
        description='rules about the whole map: `[{"kind": "connected", "tiles": "floor"}]`',
        examples=[[{"kind": "count", "tile": "cross", "at_most": 9}]],
    )
    own_constraints: bool = declared_field(GenerateOptions, "own_constraints")
    weights: dict[str, Factor] = Field(default={}, description="`{tile: what its weight is multiplied by}`")
    heuristics: HeuristicsSection = HeuristicsSection()
    search: SearchSection = SearchSection()
    fields: FieldsBody = FieldsBody()
    terrain: TerrainSection = TerrainSection()
    refine: SweepsBody = declared_field(GenerateOptions, "refine")
    shares: dict[str, float] = Field(
        default={}, description="`{tile: share of all cells}` that refining aims at, each from 0 to 1"
    )
    share_tolerance: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.02,
        title="Tolerance of shares",
        description="how far a share may be missed before the statistics say so",
    )
    budget: BudgetSection = BudgetSection()
    propagation: Literal["auto", "ac3", "ac4", "naive"] = declared_field(GenerateOptions, "propagation")
    undo: Literal["delta", "snapshot"] = declared_field(GenerateOptions, "undo")
    locks: list[Annotated[tuple[Number, Number], Field(strict=False)]] = Field(
        default=[], description="`[[cell, pattern], …]`: cells of one pattern, both by their numbers"
    )
    commands: list[LoggedCommand] = Field(
        default=[],
        max_length=MOST_COMMANDS,
        description="the log of a live session, repeated in this order; commands that fail are skipped. "
        "A map that is not finished then is solved to its end and refined",
    )

    @field_validator("shares")
    @classmethod
    def _check_shares(cls, shares: dict[str, float]) -> dict[str, float]:
        with refuse_values():
            return dict(Shares(shares).shares) if shares else shares


class Progress(BaseModel):
    """How far a job is. Each cell counts once for deciding it, and once for each sweep of refining."""

    done: int
    all: int
    decisions: int


class SolveSummary(BaseModel):
    """A map in a list."""

    id: str
    status: Status
    created: float = Field(description="seconds since 1970")
    tileset: str
    seed: int


class SolveAnswer(BaseModel):
    """A map, or how far it is. Equal requests have equal answers, except for `id` and `seconds`."""

    id: str
    status: Status
    patterns: list[int] | None = Field(default=None, description="one for each cell, row by row")
    provisional: bool | None = Field(
        default=None, description="whether the time of the budget ended before all sweeps were done"
    )
    stats: dict[str, Any] | None = Field(default=None, description="counts, the same on every machine")
    seconds: dict[str, float] | None = Field(default=None, description="how long each phase took")
    progress: Progress | None = Field(default=None, description="the progress, while it runs")
    error: dict[str, Any] | None = Field(default=None, description="a problem document, if it failed")


class SolvePage(BaseModel):
    """A page of maps, newest first."""

    solves: list[SolveSummary]
    next: str | None = Field(default=None, description="`before` of the next page; null on the last one")
