"""Drafts over HTTP."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from wavefold.service.bodies import require_json
from wavefold.service.drafts.models import DraftBody, DraftMapAnswer, DraftMapRequest, DraftRulesAnswer
from wavefold.service.service import RunningService

router = APIRouter(prefix="/drafts", tags=["drafts"], dependencies=[Depends(require_json)])

JSON = "application/json"  # encoded in threads: large documents would block the event loop


@router.post("", summary="Make a map of tiles that are being made", response_model=DraftMapAnswer)
async def create_draft_map(body: DraftMapRequest, request: Request, service: RunningService) -> Response:
    """The tile set and the size of the map in one request, while somebody moves a slider: nothing is stored.

    Whoever sends the next one closes the connection of this one, and it is ended.
    """
    work = lambda: service.drafts.make_map(body).model_dump_json().encode()  # noqa: E731
    return Response(await service.quick.run_for(request, work), media_type=JSON)


@router.post("/rules", summary="Say what sockets and neighbour rules mean", response_model=DraftRulesAnswer)
async def read_draft_rules(body: DraftBody, request: Request, service: RunningService) -> Response:
    """Patterns, which of them may stand beside which, and what looks like a mistake."""
    work = lambda: service.drafts.describe_rules(body)  # noqa: E731
    return Response(await service.quick.run_for(request, work), media_type=JSON)


@router.post("/audit", summary="Find out what a draft can and cannot do", response_model=dict[str, Any])
async def audit_draft(body: DraftBody, request: Request, service: RunningService) -> Response:
    """As the audit of a tile set; it is ended when the client leaves."""
    work = lambda: service.drafts.audit(body)  # noqa: E731
    report = await service.audits.run_for(request, work, limit=service.jobs.limit)
    return Response(report, media_type=JSON)
