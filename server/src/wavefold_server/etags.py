"""Answers that browsers keep: with a strong ETag, and 304 if the browser has them already."""

from __future__ import annotations

from hashlib import blake2b

from starlette.requests import Request
from starlette.responses import Response


def answer_picture(request: Request, png: bytes, max_age: int = 0) -> Response:
    """Return a PNG file, or 304 if the client has it. Browsers revalidate it after `max_age` seconds."""
    tag = f'"{blake2b(png, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": f"max-age={max_age}" if max_age else "no-cache"}
    known = [each.strip().removeprefix("W/") for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    return Response(png, headers=headers, media_type="image/png")
