"""Sketches over HTTP."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request

from wavefold_server.body_route import BodyRoute
from wavefold_server.service import RunningService
from wavefold_server.sketches.models import SketchAnswer, SketchRequest
from wavefold_server.sketches.sketch import make_sketch

router = APIRouter(prefix="/sketches", tags=["sketches"], route_class=BodyRoute)


@router.post("", summary="Make a map of a sample")
async def create_sketch(body: SketchRequest, request: Request, service: RunningService) -> SketchAnswer:
    """Learn a sample and make a map of it, while somebody draws: nothing is stored.

    Whoever sends the next one closes the connection of this one, and it is ended.
    """
    return await service.quick.run_for(request, lambda: make_sketch(body, service.limits))
