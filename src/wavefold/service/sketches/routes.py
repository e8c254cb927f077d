"""Sketches over HTTP."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from starlette.requests import Request

from wavefold.service.bodies import require_json
from wavefold.service.service import RunningService
from wavefold.service.sketches.models import SketchAnswer, SketchRequest
from wavefold.service.sketches.sketch import make_sketch

router = APIRouter(prefix="/sketches", tags=["sketches"])


@router.post("", summary="Make a map of a sample", dependencies=[Depends(require_json)])
async def create_sketch(body: SketchRequest, request: Request, service: RunningService) -> SketchAnswer:
    """Learn a sample and make a map of it, while somebody draws: nothing is stored.

    Whoever sends the next one closes the connection of this one, and it is ended.
    """
    return await service.quick.run_for(request, lambda: make_sketch(body, service.limits))
