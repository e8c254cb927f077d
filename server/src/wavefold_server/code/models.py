"""What requests for code may contain, and what the answer says."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field, model_validator

from wavefold.patchwork import LARGEST_REBUILD, MOST_GRIDS
from wavefold_server.bodies import Body
from wavefold_server.patchworks.models import Pair, PatchworkRequest

MOST_STEPS = 10_000


class CodeAnswer(BaseModel):
    """Code that makes the same on any machine, where the file that it needs lies beside it."""

    python: str
    command: str | None = Field(default=None, description="null if flags cannot express all of it")
    python_needs: str | None = Field(
        default=None,
        description='a file: "name.zip" is the tile set, "sample.png" the sample, "map.wavefold" the '
        "document of the studio",
    )
    command_needs: str | None = Field(default=None, description="the file that the command needs, likewise")


class PatchworkCodeAnswer(CodeAnswer):
    """A patchwork as code."""

    comparison: str = Field(description="a command that compares all joins, with a hundred seeds")
    comparison_needs: str | None = None


class PatchworkStep(Body):
    """Grids to make, or a disk to solve again."""

    populate: Annotated[list[Pair], Field(min_length=1, max_length=MOST_GRIDS)] | None = None
    rebuild: Pair | None = Field(default=None, description="the cell in the middle; with `radius`")
    radius: Annotated[int, Field(ge=0, le=LARGEST_REBUILD)] = 2

    @model_validator(mode="after")
    def _check_kind(self) -> PatchworkStep:
        if (self.populate is None) == (self.rebuild is None):
            raise ValueError("a step has either populate or rebuild")
        return self


class PatchworkCodeRequest(PatchworkRequest):
    """A patchwork, and all that was done to it, in order."""

    steps: list[PatchworkStep] = Field(max_length=MOST_STEPS, examples=[[{"populate": [[0, 0], [0, -1]]}]])


class DrawnPart(Body):
    """The rectangle of cells that the code draws."""

    model_config = Body.model_config | {"strict": False}  # all values in a query are text

    x0: int = Field(default=0, description="the first column")
    y0: int = Field(default=0, description="the first row")
    width: int = Field(default=64, ge=1, description="cells across")
    height: int = Field(default=64, ge=1, description="cells down")
