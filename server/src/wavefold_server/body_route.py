"""Bodies of requests as models, parsed and checked in threads: FastAPI would block the event loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import parse_body
from wavefold_server.problems import Problem
from wavefold_server.transfer import is_json
from wavefold_server.validation_messages import find_models

if TYPE_CHECKING:
    from wavefold_server.service import Service

PARSED_AT_ONCE = 4_096  # bytes; longer bodies are parsed in a thread


class BodyRoute(APIRoute):
    """A route whose body is a model, or that has none. Give it to a router as `route_class`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        answer, model = super().get_route_handler(), find_models(self).get("body")
        if model is None:
            return answer

        async def parse_and_answer(request: Request) -> Response:
            return await answer(await receive_body(request, model))

        return parse_and_answer


class ParsedRequest(Request):
    """A request whose body was received and parsed."""

    content: bytes
    parsed: BaseModel

    async def body(self) -> bytes:
        """The body as it was received."""
        return self.content

    async def json(self) -> Any:
        """The model, which the web framework takes for its JSON, and does not check again."""
        return self.parsed


async def receive_body(request: Request, model: type[BaseModel]) -> Request:
    """The request with its body, if it has one, as a model. Raises what `parse_body` raises."""
    content = await request.body()
    if not content:
        return request
    await require_json(request)
    found = ParsedRequest(request.scope, request.receive)
    found.content, service = content, request.app.state.service
    found.parsed = await parse_in_thread(service, request, model, content)
    return found


async def parse_in_thread(
    service: Service, request: Request, model: type[BaseModel], content: bytes
) -> BaseModel:
    """The body as a model; a short one is parsed at once."""
    if len(content) <= PARSED_AT_ONCE:
        return parse_body(model, content)
    return await service.parsing.run_for(
        request, partial(parse_body, model, content), limit=service.quick.limit
    )


async def require_json(request: Request) -> None:
    """Refuse a body that is not announced as JSON; for `Depends`."""
    if not is_json(request.headers):
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        raise Problem(
            415,
            f"the body must be application/json, not {kind!r:.80}",
            error="UnsupportedMediaType",
            advice="Send the header 'Content-Type: application/json'.",
        )
