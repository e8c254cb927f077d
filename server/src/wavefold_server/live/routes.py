"""The WebSocket of live sessions."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.websockets import WebSocket

from wavefold_server.live.connection import LiveConnection
from wavefold_server.problems import Problem
from wavefold_server.service import Service

router = APIRouter()
PROTOCOL = "wavefold"


@router.websocket("/live")
async def serve_live(websocket: WebSocket) -> None:
    """A solver that a client controls, for as long as it is connected."""
    service: Service = websocket.app.state.service
    try:
        with service.live.taking_one():
            offered = websocket.scope.get("subprotocols", [])
            await websocket.accept(PROTOCOL if PROTOCOL in offered else None)
            await LiveConnection(service, websocket, websocket.scope["wavefold.still_allowed"]).serve()
    except Problem as problem:
        await websocket.send_denial_response(problem.response())
