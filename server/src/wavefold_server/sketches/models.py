"""What a request for a sketch may contain, and what the answer says."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, model_validator

from wavefold_server.bodies import Body, Seed

MOST_COLOURS = 64
LARGEST_SAMPLE = 128  # pixels across
LARGEST_MAP = 256  # cells across
MOST_BANNED = 1_000
SampleSide = Annotated[int, Field(ge=1, le=LARGEST_SAMPLE)]
MapSide = Annotated[int, Field(ge=1, le=LARGEST_MAP)]
Colour = Annotated[str, Field(pattern="^#[0-9a-f]{6}$")]


class SampleBody(Body):
    """A picture of few colours."""

    width: SampleSide
    height: SampleSide
    palette: list[Colour] = Field(min_length=1, max_length=MOST_COLOURS)
    pixels: list[int] = Field(description="indices into the palette, row by row")

    @model_validator(mode="after")
    def _check_pixels(self) -> SampleBody:
        if len(set(self.palette)) < len(self.palette):
            raise ValueError("a colour is in the palette twice")
        if len(self.pixels) != self.width * self.height:
            raise ValueError(f"there must be {self.width * self.height:,} pixels, not {len(self.pixels):,}")
        if not all(0 <= each < len(self.palette) for each in self.pixels):
            raise ValueError(f"pixels are indices into the palette, 0 to {len(self.palette) - 1}")
        return self


class SketchRequest(Body):
    """A sample, how it is learned, and the map to make of it."""

    sample: SampleBody
    n: Annotated[int, Field(ge=1, le=5)] = 3
    symmetry: Annotated[int, Field(ge=1, le=8)] | Literal["auto"] = "auto"
    periodic: bool = Field(default=True, description="whether opposite edges of the sample touch")
    ground: bool = Field(default=False, description="whether the bottom row of the sample is ground")
    width: MapSide = 48
    height: MapSide = 48
    wraps: bool = False
    seed: Seed = 0
    refine: bool = Field(default=False, description="settle the map; takes longer")
    banned: list[list[int]] = Field(
        default=[],
        max_length=MOST_BANNED,
        description="patterns that the map must not have, each as its colours row by row; others are ignored",
    )


class SketchAnswer(BaseModel):
    """A map of a sample."""

    patterns: list[int] = Field(description="[cell]: the number of its pattern, row by row")
    colours: list[int] = Field(description="[pattern]: the index of its colour in the palette")
    counts: list[int] = Field(
        description="[pattern]: how often it occurs in the sample, with its turned copies"
    )
    sources: list[tuple[int, int]] = Field(description="[pattern]: where in the sample it was first seen")
    cells: list[list[int]] = Field(description="[pattern]: its colours, row by row")
    windows: list[int] = Field(
        description="[pixel of the sample]: the number of the window with this top left pixel; -1: none"
    )
    variants: list[list[int]] = Field(description="[window]: the patterns that it and its turned copies are")
    backtracks: int
