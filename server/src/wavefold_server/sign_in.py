"""API keys in a browser: a page sends its key once, and gets it back as a cookie that no script can read.

Pictures, streams and WebSockets of a page then need no more: browsers add the cookie by themselves. Pages of
other sites cannot use it (`SameSite=Strict`, and `Origin` is checked for all that changes something).
"""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import Response

from wavefold_server.bodies import Body
from wavefold_server.body_route import BodyRoute
from wavefold_server.gate import SESSION, cookie_name, find_key
from wavefold_server.service import RunningService

router = APIRouter(tags=["server"], route_class=BodyRoute)


class SignInRequest(Body):
    """A key of this server."""

    key: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")] = Field(
        description="the key that `wavefold keys create` printed"
    )


class SessionAnswer(BaseModel):
    """The access that a browser has."""

    required: bool = Field(description="whether this server requires a key")
    scope: Literal["read", "write"] | None = Field(
        description="what the key of this browser allows; null if it has none, or one that was revoked"
    )


@router.get(SESSION, summary="Read the access of this browser")
async def read_session(request: Request, service: RunningService) -> SessionAnswer:
    """Whether a key is required, and what the one in the cookie or header allows."""
    return describe(service, find_key(request.headers))


@router.post(SESSION, summary="Sign in with a key")
async def sign_in(
    body: SignInRequest, request: Request, response: Response, service: RunningService
) -> SessionAnswer:
    """Check a key, and store it in the browser as a cookie, until that is closed."""
    service.key_check.check(body.key, "read")
    response.set_cookie(
        cookie_name(request.headers),
        body.key,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return describe(service, body.key)


@router.delete(SESSION, summary="Sign out", status_code=204)
async def sign_out(request: Request, response: Response) -> None:
    """Remove the cookie."""
    response.delete_cookie(cookie_name(request.headers), path="/", httponly=True, samesite="strict")


def describe(service: RunningService, key: str | None) -> SessionAnswer:
    """What a key allows."""
    allows = service.key_check.allows
    scope: Literal["read", "write"] | None = (
        "write" if allows(key, "write") else "read" if allows(key, "read") else None
    )
    return SessionAnswer(required=service.key_check.required, scope=scope)
