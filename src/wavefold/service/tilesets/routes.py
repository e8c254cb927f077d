"""Tile sets over HTTP."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from wavefold.service.service import RunningService

router = APIRouter(prefix="/tilesets", tags=["tile sets"])


class TileSetNames(BaseModel):
    """Which tile sets there are."""

    tilesets: list[str]


@router.get("", summary="List the tile sets")
def list_tilesets(service: RunningService) -> TileSetNames:
    """The names that requests may use."""
    return TileSetNames(tilesets=service.tilesets.names())
