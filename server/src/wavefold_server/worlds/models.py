"""What requests about worlds may contain, and what the answers say."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema, field_validator, model_validator

from wavefold.config import Factor, TerrainSection, refuse_values
from wavefold.options import WorldOptions
from wavefold.solver import Shares
from wavefold.worlds import EDIT_REACH, FARTHEST_EDIT_REACH, MOST_WANTED, build_network
from wavefold_server.bodies import (
    Body,
    ConstraintTable,
    FieldsBody,
    Seed,
    SweepsBody,
    TileSetName,
    check_plain,
    declared_field,
)
from wavefold_server.solves.models import MOST_CONSTRAINTS, PIN, PinRow, check_pin

Revision = Annotated[int, Field(ge=0, lt=1 << 53)]
Rectangle = tuple[int, int, int, int]
BOX = "the rectangle [x0, y0, width, height] around all cells that changed; null without any"


def check_network(table: dict[str, Any]) -> dict[str, Any]:
    """The table of a network, as in a configuration."""
    check_plain(table)
    with refuse_values():
        if table:
            build_network(table)
    return table


NetworkTable = Annotated[dict[str, Any], AfterValidator(check_network), WithJsonSchema({"type": "object"})]


class WorldRequest(Body):
    """What a world is a function of. The same request gives the same world on every machine."""

    tileset: TileSetName
    seed: Seed = declared_field(WorldOptions, "seed")
    chunk: int = declared_field(WorldOptions, "chunk")
    refine: SweepsBody = declared_field(WorldOptions, "refine")
    shares: dict[str, float] = Field(default={}, description="`{tile: share of all cells}`, each from 0 to 1")
    pins: list[PinRow] = Field(
        default=[],
        max_length=MOST_WANTED,
        description="cells that must be a tile: `[[x, y, tile], …]`; the first edit, which cannot be undone",
        examples=[[[0, 0, "cross"]]],
    )
    preset: Annotated[str, Field(max_length=80)] | None = Field(
        default=None, description="fields by name, with the seed of the world; instead of `fields`"
    )
    fields: FieldsBody = FieldsBody()
    terrain: TerrainSection = TerrainSection()
    weights: dict[str, Factor] = Field(default={}, description="`{tile: what its weight is multiplied by}`")
    network: NetworkTable = Field(
        default={}, description='roads that join all towns: `{"sides": ["mm="], "spacing": 32}`'
    )
    constraints: list[ConstraintTable] = Field(
        default=[],
        max_length=MOST_CONSTRAINTS,
        description="rules that hold everywhere, about cells near each other: separation, "
        "pair_separation, max_run, parallel or room",
    )
    radius: int | None = declared_field(WorldOptions, "radius")
    half_width: int | None = declared_field(WorldOptions, "half_width")
    draft: bool = Field(
        default=False,
        description="to try something out: removed when newer drafts need its place, until edited",
    )

    @field_validator("shares")
    @classmethod
    def _check_shares(cls, shares: dict[str, float]) -> dict[str, float]:
        with refuse_values():
            return dict(Shares(shares).shares) if shares else shares

    @field_validator("pins")
    @classmethod
    def _check_pins(cls, rows: list[list[Any]]) -> list[list[Any]]:
        return check_cells(rows)

    @model_validator(mode="after")
    def _check_fields(self) -> WorldRequest:
        if self.preset is not None and (self.fields.tables or self.fields.preset):
            raise ValueError("a world has either a preset or fields, not both")
        return self


def check_cells(rows: list[list[Any]]) -> list[list[Any]]:
    """Cells of a plane."""
    for row in rows:
        if len(row) != 3:
            raise ValueError('each row must be [x, y, "tile"]')
    return rows


def check_edit(row: list[Any]) -> list[Any]:
    """A cell and what it should be; null: what was generated there."""
    check_pin([*row[:-1], ""] if row[-1:] == [None] else row)
    return row


EditRow = Annotated[list[Any], AfterValidator(check_edit), WithJsonSchema(PIN)]


class EditRequest(Body):
    """Tiles at cells; as few others as possible change around them, so that everything fits."""

    cells: list[EditRow] = Field(
        min_length=1,
        max_length=MOST_WANTED,
        description="`[[x, y, tile], …]`; a list of tiles means any of them, and null what was generated",
        examples=[[[5, 5, "cross"]]],
    )
    reach: Annotated[int, Field(ge=0, le=FARTHEST_EDIT_REACH)] = Field(
        default=EDIT_REACH, description="how far from these cells others may change"
    )
    revision: Revision | None = Field(
        default=None, description="only if the world is at this revision, else 409"
    )

    @field_validator("cells")
    @classmethod
    def _check_cells(cls, rows: list[list[Any]]) -> list[list[Any]]:
        return check_cells(rows)


class StepRequest(Body):
    """Undo or redo."""

    revision: Revision | None = Field(
        default=None, description="only if the world is at this revision, else 409"
    )


class WorldSummary(BaseModel):
    """A world in a list."""

    id: str
    tileset: str
    seed: int
    chunk: int
    created: float = Field(description="seconds since 1970")
    draft: bool = Field(
        default=False,
        description="whether it is temporary: the oldest drafts are removed when there are too many",
    )


class FieldSummary(BaseModel):
    """A field of a world, and between which values it lies."""

    name: str
    low: float
    high: float


class WorldAnswer(WorldSummary):
    """A world."""

    revision: int = Field(description="0 without edits, 1 more after each edit, undo and redo")
    oldest_revision: int = Field(description="the oldest that can still be read")
    topology: str = Field(description="square or hex")
    refine: int = Field(description="sweeps")
    patterns: int = Field(description="how many there are; cells are numbers below that")
    settings: dict[str, Any] = Field(
        description="the request that it was created with, as far as it says anything"
    )
    radius: int = Field(description="of the windows where four chunks meet")
    half_width: int = Field(description="of the windows along the edges of chunks")
    joint: tuple[int, int] = Field(
        description="how far the windows at the ends of edges reach, along and across"
    )
    fields: list[FieldSummary] = Field(description="that drive it")


class WorldPage(BaseModel):
    """A page of worlds, newest first."""

    worlds: list[WorldSummary]
    next: int | None = Field(default=None, description="`before` of the next page; null on the last one")


class ChunkAnswer(BaseModel):
    """A chunk of a world."""

    x: int
    y: int
    chunk: int = Field(description="cells along its side; its first cell is (x * chunk, y * chunk)")
    revision: int
    patterns: list[list[int]] = Field(description="rows of pattern numbers")


class ChunkStateAnswer(BaseModel):
    """What there is of a chunk."""

    x: int
    y: int
    state: Literal["final", "stored", "provisional", "absent"] = Field(
        description="in memory; in the file; only its borders; or nothing yet"
    )
    edits: int = Field(description="applied edits that are about it")


class ChunkStates(BaseModel):
    """What there is of the chunks of a rectangle at this moment."""

    revision: int
    chunks: list[ChunkStateAnswer]


class ChangeSummary(BaseModel):
    """What led to a revision."""

    revision: int
    kind: str = Field(description="edit, undo or redo")
    box: Rectangle | None = Field(description=BOX)
    cells: int = Field(description="how many changed")


class ChangeAnswer(ChangeSummary):
    """The same with all cells."""

    changed: list[tuple[int, int, int, int]] = Field(description="[x, y, pattern before, pattern after]")


class ChangePage(BaseModel):
    """Changes after a revision, oldest first."""

    revision: int = Field(description="that the world is at after the last of them")
    changes: list[ChangeAnswer]


class EditPage(BaseModel):
    """A page of the applied edits, oldest first."""

    revision: int = Field(
        description="that they lead to; if it differs from that of the page before, begin again"
    )
    edits: list[dict[str, Any]]
    next: int | None = Field(default=None, description="`after` of the next page; null on the last one")


class ReportAnswer(BaseModel):
    """What the world did since it was opened."""

    revision: int
    report: dict[str, Any]
    budgets: dict[str, Any] = Field(description="results of reads with a budget: `share_in_time` and counts")
    stored: dict[str, int] | None
