"""Whether the server is alive and ready, and its figures."""

from __future__ import annotations

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel
from starlette.responses import PlainTextResponse, Response

from wavefold import CONTENT_VERSION, __version__
from wavefold_server.problems import busy_problem
from wavefold_server.service import RunningService

router = APIRouter(tags=["server"])


class Health(BaseModel):
    """That the server answers."""

    status: str
    version: str
    content_version: int


@router.get("/healthz", summary="Is the server alive?")
async def read_health() -> Health:
    """Answers whenever the process works, however busy it is."""
    return Health(status="ok", version=__version__, content_version=CONTENT_VERSION)


@router.get("/readyz", summary="Can the server do work?")
def read_readiness(service: RunningService) -> Health:
    """Answers 200 when work is begun at once: not while the server stops."""
    if service.stopping.is_set():
        raise busy_problem("the server is shutting down", 5)
    service.database.read("SELECT 1")
    return Health(status="ready", version=__version__, content_version=CONTENT_VERSION)


@router.get("/metrics", summary="Figures for Prometheus", response_class=PlainTextResponse)
def read_metrics(service: RunningService) -> Response:
    """Requests, solves, backtracks, repairs, latencies and queues."""
    return Response(service.metrics.render(), media_type=CONTENT_TYPE_LATEST)
