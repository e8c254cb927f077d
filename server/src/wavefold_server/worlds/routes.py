"""Worlds over HTTP: create, list, read, edit, follow, delete. Map tiles and files are in `reading`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Path, Query
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from wavefold.worlds import Change, World
from wavefold_server.body_route import BodyRoute
from wavefold_server.event_stream import answer_events
from wavefold_server.openapi import EVENTS
from wavefold_server.problems import Problem
from wavefold_server.service import RunningService
from wavefold_server.worlds.models import (
    ChangeAnswer,
    ChangePage,
    ChangeSummary,
    EditPage,
    EditRequest,
    ReportAnswer,
    Revision,
    StepRequest,
    WorldAnswer,
    WorldPage,
    WorldRequest,
)
from wavefold_server.worlds.worlds import Worlds

router = APIRouter(prefix="/worlds", tags=["worlds"], route_class=BodyRoute)
WorldId = Annotated[str, Path(max_length=64, description="the id of a world")]
IfMatch = Annotated[
    str | None,
    Header(max_length=80, description='`"5"`: only if the world is at revision 5, else 412'),
]
READ_AGAIN = "Read the world again, and ask for the changes since the revision that it is at."
ANY_REVISION = StepRequest()
TAG = re.compile(r'"(\d{1,18})"')


@router.post("", summary="Create a world", status_code=201)
async def create_world(
    body: WorldRequest, request: Request, response: Response, service: RunningService
) -> WorldAnswer:
    """Create an endless world, and store it. Its chunks are made when they are read."""
    answer = await service.worlds.create(body, request)
    response.headers["Location"] = f"{request.url.path.rstrip('/')}/{answer.id}"
    response.headers["ETag"] = f'"{answer.revision}"'
    return answer


@router.get("", summary="List worlds")
def list_worlds(
    service: RunningService,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    before: Annotated[int | None, Query(ge=0, lt=1 << 62, description="`next` of the page before")] = None,
) -> WorldPage:
    """Worlds, newest first."""
    return service.worlds.list(limit, before)


@router.get("/{id}", summary="Get a world")
async def read_world(
    id: WorldId, request: Request, response: Response, service: RunningService
) -> WorldAnswer:
    """What a world is, and its revision."""
    answer = await service.worlds.find(id, request)
    response.headers["ETag"] = f'"{answer.revision}"'
    response.headers["Cache-Control"] = "no-cache"
    return answer


@router.delete("/{id}", summary="Delete a world", status_code=204)
def delete_world(id: WorldId, service: RunningService) -> None:
    """Delete a world with its edits, for good."""
    service.worlds.delete(id)


# --- edits --------------------------------------------------------------------------------------


@router.post("/{id}/edits", summary="Edit a world")
async def edit_world(
    id: WorldId,
    body: EditRequest,
    request: Request,
    response: Response,
    service: RunningService,
    if_match: IfMatch = None,
) -> ChangeSummary:
    """Put tiles at cells, and change as few others as possible. The response follows when they are stored."""
    change = await service.worlds.edit(id, body, parse_tag(if_match), request)
    return summarize_change(change, response)


@router.post("/{id}/undo", summary="Undo the last edit")
async def undo_edit(
    id: WorldId,
    request: Request,
    response: Response,
    service: RunningService,
    body: Annotated[StepRequest, Body()] = ANY_REVISION,
    if_match: IfMatch = None,
) -> ChangeSummary:
    """Every cell is as it was before the last edit."""
    change = await service.worlds.change(id, World.undo, body.revision, parse_tag(if_match), request)
    return summarize_change(change, response)


@router.post("/{id}/redo", summary="Redo the edit undone last")
async def redo_edit(
    id: WorldId,
    request: Request,
    response: Response,
    service: RunningService,
    body: Annotated[StepRequest, Body()] = ANY_REVISION,
    if_match: IfMatch = None,
) -> ChangeSummary:
    """Redo the edit that was undone last."""
    change = await service.worlds.change(id, World.redo, body.revision, parse_tag(if_match), request)
    return summarize_change(change, response)


@router.get("/{id}/edits", summary="List edits", responses={200: {"model": EditPage}})
async def list_edits(
    id: WorldId,
    request: Request,
    service: RunningService,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    after: Annotated[int, Query(ge=0, lt=1 << 53, description="`next` of the page before")] = 0,
) -> Response:
    """The applied edits, oldest first: what was wanted, and the cells that changed for it."""

    def read(world: World) -> EditPage:
        revision, edits, last = world.revision, world.edits, after + limit
        following = last if len(edits) > last else None
        return EditPage(revision=revision, edits=[dict(each) for each in edits[after:last]], next=following)

    return await answer_json(service.worlds, id, request, read)


@router.get("/{id}/report", summary="What a world did")
async def read_report(id: WorldId, request: Request, service: RunningService) -> ReportAnswer:
    """How many windows were solved since the world was opened, and how many chunks were read and stored."""

    def report(world: World) -> ReportAnswer:
        stored = world.store_report
        return ReportAnswer(
            revision=world.revision,
            report=world.report.to_dict(),
            budgets=world.budgets.report.to_dict(),
            stored=None if stored is None else stored._asdict(),
        )

    return await service.worlds.run(id, request, report)


# --- changes ------------------------------------------------------------------------------------


@router.get("/{id}/changes", summary="What changed", responses={200: {"model": ChangePage}})
async def list_changes(
    id: WorldId,
    request: Request,
    service: RunningService,
    since: Annotated[Revision, Query(description="the revision that you have")],
    limit: Annotated[int, Query(ge=1, le=1024)] = 100,
) -> Response:
    """The changes after a revision, oldest first, each with its cells. Ask again with the last revision."""

    def read(world: World) -> ChangePage:
        found = read_changes(service.worlds, id, world, since)[:limit]
        last = found[-1].revision if found else since
        return ChangePage(revision=last, changes=[describe_change(each) for each in found])

    return await answer_json(service.worlds, id, request, read)


@router.get("/{id}/events", summary="Follow a world", response_class=StreamingResponse, responses=EVENTS)
async def follow_changes(
    id: WorldId,
    request: Request,
    service: RunningService,
    since: Annotated[Revision | None, Query(description="the revision that you have, at first")] = None,
    last_event_id: Annotated[str | None, Header(max_length=80)] = None,
) -> Response:
    """Changes as server-sent events: `change` with revision, kind and box, and its revision as the id.

    With `Last-Event-ID`, or `since` if there is none, first those that were missed. `end` if they are no
    longer known, or the world is deleted.
    """
    worlds = service.worlds
    current = await worlds.run(id, request, lambda world: world.revision)
    given = (last_event_id or "").strip()
    known = int(given) if given.isdecimal() and len(given) < 19 else since

    async def read(revision: int) -> list[ChangeSummary]:
        def read_new() -> list[ChangeSummary]:
            worlds.check(id)
            with worlds.using(id) as (world, _):
                return [summarize(each) for each in read_changes(worlds, id, world, revision)]

        return [] if worlds.revision_of(id) == revision else await run_in_threadpool(read_new)

    return answer_events(request, worlds.feed.follow(id, current if known is None else known, read))


async def answer_json(
    worlds: Worlds, name: str, request: Request, read: Callable[[World], BaseModel], key: Any = None
) -> Response:
    """What `read` returns, as JSON that is written in a thread: it may be long."""
    body = await worlds.run(name, request, lambda world: read(world).model_dump_json().encode(), key)
    return Response(body, headers={"Cache-Control": "no-cache"}, media_type="application/json")


def read_changes(worlds: Worlds, name: str, world: World, since: int) -> list[Change]:
    """Changes after a revision; raises a `Problem` if that is not known."""
    worlds.tiles.read_changes(name, world).check(since, READ_AGAIN)
    return world.changes(since)


def summarize(change: Change) -> ChangeSummary:
    """A change without its cells."""
    cells = int((change.before != change.after).sum())
    return ChangeSummary(revision=change.revision, kind=change.kind, box=change.box, cells=cells)


def describe_change(change: Change) -> ChangeAnswer:
    """A change with its cells."""
    changed = [(x, y, before, after) for x, y, before, after in change.to_dict()["cells"]]
    return ChangeAnswer(**summarize(change).model_dump(), changed=changed)


def summarize_change(change: Change, response: Response) -> ChangeSummary:
    """The answer to an edit."""
    response.headers["ETag"] = f'"{change.revision}"'
    return summarize(change)


def parse_tag(text: str | None) -> int | None:
    """The revision in a header If-Match; None without one."""
    if text is None or text.strip() == "*":
        return None
    found = TAG.fullmatch(text.strip())
    if found is None:
        raise Problem(
            412,
            f"If-Match must be the revision of the world in quotes, not {text!r:.80}",
            error="RevisionConflict",
            advice='Send the ETag of the world, such as "5".',
        )
    return int(found[1])
