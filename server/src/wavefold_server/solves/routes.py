"""Maps over HTTP."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavefold_server.body_route import BodyRoute
from wavefold_server.event_stream import answer_events
from wavefold_server.openapi import DOWNLOAD, EVENTS
from wavefold_server.service import RunningService
from wavefold_server.solves.events import identify, stream_events
from wavefold_server.solves.forms import RequestForms, list_forms
from wavefold_server.solves.models import FINISHED, SolveAnswer, SolvePage, SolveRequest
from wavefold_server.solves.results import ResultOptions, write_result

router = APIRouter(prefix="/solves", tags=["solves"], route_class=BodyRoute)
SolveId = Annotated[str, Path(max_length=64, description="the id of a map")]
Prefer = Annotated[
    str | None,
    Header(description="`respond-async`: a job in any case; `wait=10`: a job, but wait for it, in seconds"),
]
WAIT = re.compile(r"wait\s*=\s*\"?(\d{1,6})\"?")
QUALITY = re.compile(r"q\s*=\s*([01](?:\.\d{0,3})?)")
JSON = "application/json"
PREFERRED = {"image/png": "png", "image/svg+xml": "svg", "text/csv": "csv"}  # instead of JSON
Answers = dict[int | str, dict[str, Any]]
MAP: Answers = {200: {"model": SolveAnswer, "description": "the map"}}
FILE: Answers = {200: MAP[200] | {"content": {each: {} for each in PREFERRED}}}
STATES: Answers = EVENTS | {204: {"description": "the client has seen the last one"}}
JOB: Answers = {
    202: {"model": SolveAnswer, "description": "it is made in the background; Location says where"}
}


@router.post("", summary="Make a map", responses=FILE | JOB)
async def create_solve(
    body: SolveRequest, request: Request, service: RunningService, prefer: Prefer = None
) -> Response:
    """Make a map and store it: a small one at once (200), others in the background (202).

    With `Accept: image/png`, a map that is made at once is answered as a picture; `image/svg+xml` and
    `text/csv` are possible, too.
    """
    wait = parse_preference(prefer or "")
    longest = service.limits.quick_seconds
    answer = await service.solves.create(request, body, None if wait is None else min(wait, longest))
    headers = {"Location": f"{request.url.path.rstrip('/')}/{answer.id}"}
    if wait is not None:
        headers["Preference-Applied"] = f"wait={wait}" if wait else "respond-async"
    wanted = PREFERRED.get(choose_media_type(",".join(request.headers.getlist("accept"))))
    if wanted is not None and answer.status == "solved":
        found = await read_result(answer.id, wanted, request, service, ResultOptions())
        found.headers.update(headers)
        return found
    return await asyncio.to_thread(answer_json, answer, 200 if answer.status in FINISHED else 202, headers)


@router.get("", summary="List maps")
def list_solves(
    service: RunningService,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    before: Annotated[int | None, Query(ge=0, lt=1 << 62, description="`next` of the page before")] = None,
) -> SolvePage:
    """Maps and jobs, newest first."""
    return service.solves.list(limit, before)


@router.get("/forms", summary="A request as forms")
def read_forms() -> RequestForms:
    """Which settings and kinds of constraints there are, and what can be filled in, for controls."""
    return list_forms()


@router.get("/{id}", summary="Get a map", responses=MAP)
def read_solve(id: SolveId, service: RunningService) -> Response:
    """A map, or how far it is."""
    return answer_json(service.solves.find(id))


@router.delete("/{id}", summary="Forget a map", status_code=204)
async def delete_solve(id: SolveId, service: RunningService) -> None:
    """Delete a map; a job is cancelled."""
    await service.solves.delete(id)


@router.post("/{id}/cancel", summary="Cancel a job", responses=MAP)
async def cancel_solve(id: SolveId, service: RunningService) -> Response:
    """End a job, whether it waits or runs. A map that is finished stays as it is."""
    return await asyncio.to_thread(answer_json, await service.solves.cancel(id))


@router.get("/{id}/events", summary="Follow a job", response_class=StreamingResponse, responses=STATES)
async def follow_solve(
    id: SolveId,
    request: Request,
    service: RunningService,
    last_event_id: Annotated[str | None, Header(max_length=80)] = None,
) -> Response:
    """The states of a job as server-sent events: queued, running, and solved, failed or cancelled."""
    answer = await asyncio.to_thread(service.solves.find, id, False)
    if answer.status in FINISHED and identify(answer) == last_event_id:
        return Response(status_code=204)  # so that a browser does not connect again
    events = stream_events(service.solves, id, last_event_id or "", service.stopping)
    return answer_events(request, events)


@router.get(
    "/{id}/result.{ending}", summary="Get a map as a file", response_class=Response, responses=DOWNLOAD
)
async def read_result(
    id: SolveId,
    ending: Annotated[str, Path(max_length=40, description="as `png`, `json`, `npz` or `tmx.zip`")],
    request: Request,
    service: RunningService,
    options: Annotated[ResultOptions, Query()],
) -> Response:
    """The map in any format that wavefold writes.

    Some formats have files beside the map: add `.zip` to get all of them. `gif`, `webp` and `apng` show how a
    small map was solved.
    """

    def write() -> Any:
        return write_result(service, service.solves.store.find(id), ending.lower(), options)

    key = ("result", id, ending, options.model_dump_json())
    found = await service.quick.run_for(request, write, key)
    return Response(
        found.content,
        headers={
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Disposition": f'inline; filename="{id}.{ending}"',
        },
        media_type=found.media_type,
    )


def parse_preference(text: str) -> int | None:
    """Seconds to wait for a job (RFC 7240); None if the client prefers nothing."""
    if found := WAIT.search(text.lower()):
        return int(found[1])
    return 0 if "respond-async" in text.lower() else None


def choose_media_type(accept: str) -> str:
    """What a header Accept prefers of JSON and `PREFERRED` (RFC 9110); JSON if nothing fits."""
    ranges = []
    for each in accept.lower().split(","):
        kind, *parameters = (part.strip() for part in each.split(";"))
        quality = next((float(found[1]) for found in map(QUALITY.fullmatch, parameters) if found), 1.0)
        ranges.append((-quality, kind.count("*"), kind))
    named = {kind for _, _, kind in ranges}
    for _, _, wanted in sorted((each for each in ranges if each[0]), key=lambda each: each[:2]):
        for kind in (JSON, *PREFERRED):
            is_met = wanted in (f"{kind.partition('/')[0]}/*", "*/*") and kind not in named
            if wanted == kind or is_met:
                return kind
    return JSON


def answer_json(answer: SolveAnswer, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """The answer without what is not known; takes a while for large maps, so call it in a thread."""
    body = answer.model_dump_json(exclude_none=True)
    return Response(body, status, headers, JSON)
