"""Maps over HTTP."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request

from wavefold.service.service import RunningService
from wavefold.service.solves.models import SolveAnswer, SolveRequest

router = APIRouter(prefix="/solves", tags=["solves"])


@router.post("", summary="Make a map")
async def create_solve(body: SolveRequest, request: Request, service: RunningService) -> SolveAnswer:
    """Make a map and store it."""
    return await service.solves.create(body, request)


@router.get("/{id}", summary="Get a map")
def read_solve(id: str, service: RunningService) -> SolveAnswer:
    """A stored map."""
    return service.solves.find(id)
