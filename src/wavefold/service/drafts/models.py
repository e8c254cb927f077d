"""What requests about drafts may contain, and what answers say."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from wavefold.service.bodies import Body, Seed

LARGEST_MAP = 256  # cells across
MapSide = Annotated[int, Field(ge=1, le=LARGEST_MAP)]


class DraftBody(Body):
    """A tile set as the tables of a TOML file, with its tiles in a list; pictures are ignored."""

    tables: dict[str, Any] = Field(
        description="as in a file, but `tiles` is a list of tables, each with its `name`",
        examples=[{"tiles": [{"name": "lawn", "sockets": "grass"}]}],
    )


class DraftMapRequest(DraftBody):
    """A tile set, and the map to make of it."""

    width: MapSide = 48
    height: MapSide = 48
    seed: Seed = 0


class DraftMapAnswer(BaseModel):
    """A map of a draft."""

    patterns: list[int] = Field(description="[cell]: the number of its pattern, row by row")
    backtracks: int
    milliseconds: float = Field(description="that compiling and solving took")


class DraftPattern(BaseModel):
    """A tile in one orientation, at one height."""

    name: str
    tile: int = Field(description="its place in `tiles`")
    orientation: str = Field(description='degrees clockwise, "m" for mirrored left to right first')
    level: int
    sockets: list[str | int] | None = Field(description="by direction")


class NeighbourAnswer(BaseModel):
    """What may stand on one side: `rows[class_of[a]]` lists every b that may stand there beside a."""

    class_of: list[int]
    rows: list[list[int]]


class DraftRulesAnswer(BaseModel):
    """What the sockets, symmetries and neighbour rules of a draft mean."""

    directions: list[str] = Field(description="sides of a cell, in the order of sockets")
    opposite: list[int] = Field(description="[side]: the side of a neighbour that faces it")
    patterns: list[DraftPattern]
    neighbours: list[NeighbourAnswer] = Field(description="by direction")
    kinds: list[int] = Field(description="[pattern]: those of the same kind may not touch; -1: none")
    findings: list[str] = Field(description="what looks like a mistake, a sentence each")
