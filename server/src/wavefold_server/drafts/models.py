"""What requests about drafts may contain, and what answers say."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, model_validator

from wavefold_server.bodies import Body, PlainTable, Seed
from wavefold_server.sketches.models import MapSide
from wavefold_server.tilesets.models import TablesAnswer

LARGEST_TILE = 128  # pixels across
Colour = Annotated[str, Field(pattern="^#([0-9a-f]{6}|[0-9a-f]{8})$")]


class DraftBody(Body):
    """A tile set as the tables of a TOML file, with its tiles in a list; pictures are ignored."""

    tables: PlainTable = Field(
        description="as in a file, but `tiles` is a list of tables, each with its `name`",
        examples=[{"tiles": [{"name": "lawn", "sockets": "grass"}]}],
    )


class DraftTileSetRequest(DraftBody):
    """A draft to be stored. Tiles may have `drawn`, a picture in place of those they had."""

    base: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="the tile set it began as, whose pictures `at` and objects name"
    )


class DrawnPicture(Body):
    """A picture that was drawn: a palette, and indices into it, row by row."""

    width: Annotated[int, Field(ge=1, le=LARGEST_TILE)]
    height: Annotated[int, Field(ge=1, le=LARGEST_TILE)]
    palette: Annotated[list[Colour], Field(min_length=1, max_length=512)]
    pixels: list[Annotated[int, Field(ge=0)]]

    @model_validator(mode="after")
    def _check_pixels(self) -> DrawnPicture:
        if len(self.pixels) != self.width * self.height or max(self.pixels) >= len(self.palette):
            raise ValueError(f"there must be {self.width * self.height:,} pixels, indices into the palette")
        return self


class BaseAnswer(TablesAnswer):
    """A tile set to begin with; sockets are lists, one for each side."""

    palette: list[str] = Field(description="frequent colours of its pictures")


class PicturesRequest(Body):
    """Pictures to make tiles of: one each, or all cells of sheets."""

    pictures: Annotated[dict[str, str], Field(min_length=1, max_length=512)] = Field(
        description="PNG, JPEG or BMP in base64, by the name of the tile"
    )
    topology: Literal["square", "hex"] = "square"
    width: Annotated[int, Field(ge=1, le=LARGEST_TILE)] | None = Field(
        default=None, description="pixels across a cell, to cut sheets into tiles; with `height`"
    )
    height: Annotated[int, Field(ge=1, le=LARGEST_TILE)] | None = None


class DraftMapRequest(DraftBody):
    """A tile set, and the map to make of it."""

    width: MapSide = 48
    height: MapSide = 48
    seed: Seed = 0


class DraftMapAnswer(BaseModel):
    """A map of a draft."""

    patterns: list[int] = Field(description="[cell]: the number of its pattern, row by row")
    backtracks: int
    milliseconds: float = Field(description="the time for compiling and solving")


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
