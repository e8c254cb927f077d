"""What the bodies of all requests have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Side = Annotated[int, Field(ge=1, le=9_999_999)]  # cells
Seed = Annotated[
    int, Field(description="same seed, same result, on every machine", ge=-(1 << 63), lt=1 << 64)
]
TileSetName = Annotated[
    str, Field(min_length=1, max_length=200, description="the name or id of a tile set", examples=["pipes"])
]


class Body(BaseModel):
    """JSON with fixed keys. `true` is not a number, and 1.0 is not a whole number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)
