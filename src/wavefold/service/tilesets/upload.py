"""An uploaded file as a tile set, within the limits of the server.

The body of the request is the file itself. So `curl --data-binary @set.zip` and `fetch(url, {body: file})`
need nothing else, and no form is parsed, whose parts would be written to temporary files.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request

from wavefold.common.limits import LimitError
from wavefold.common.values import shorten
from wavefold.errors import FormatError
from wavefold.formats.archive import InputLimits
from wavefold.formats.received import ReceivedTiles, is_picture, learn_received, read_received_tiles
from wavefold.service.problems import Problem, busy_problem, invalid, limit_problem
from wavefold.service.settings import Limits
from wavefold.service.tilesets.models import Origin, UploadAnswer, UploadOptions
from wavefold.tiles import LearnedTileSet, TileSet

if TYPE_CHECKING:
    from wavefold.service.service import Service

Result = TypeVar("Result")
MOST_AT_ONCE = 8  # uploads of the largest size in memory; more of smaller ones
MOST_LETTERS, MOST_DESCRIPTION = 200, 10_000

ARCHIVES = ("application/zip", "application/x-zip-compressed", "application/x-zip")
TEXTS = ("application/toml", "text/toml", "text/x-toml", "text/plain")
TABLES = ("application/json",)
PICTURES = ("image/png", "image/jpeg", "image/bmp")
ANY = ("application/octet-stream", "application/x-www-form-urlencoded", "")  # the second: curl's own choice
MEDIA_TYPES = (*ARCHIVES, *TEXTS, *TABLES, *PICTURES, *ANY)
NAMES = {"size": "upload_bytes", "inflated": "unpacked_bytes"}  # of limits, where the server's differ


class Uploads:
    """Receives large bodies, so many bytes of them at once, and stores the tile sets in files."""

    def __init__(self, service: Service) -> None:
        self._service, self._bytes = service, 0

    async def receive(self, request: Request, options: UploadOptions) -> tuple[UploadAnswer, bool]:
        """Store the tile set that a request brings; what is said of it, and whether it is new."""
        return await self.run_with_body(request, lambda data: self._store(data, options))

    async def run_with_body(self, request: Request, work: Callable[[bytes], Result]) -> Result:
        """Receive the body of a request and work with it in a thread of the pool of quick work."""
        parts: list[bytes] = []
        try:
            async for part in request.stream():  # may take long, so only what has arrived counts
                parts.append(part)
                self._bytes += len(part)
                if self._bytes > MOST_AT_ONCE * self._service.limits.upload_bytes:
                    raise busy_problem("too many files are being uploaded", 5)
            parts = [b"".join(parts)]
            return await self._service.quick.run_for(request, lambda: work(parts[0]))
        finally:
            self._bytes -= sum(map(len, parts))

    def _store(self, data: bytes, options: UploadOptions) -> tuple[UploadAnswer, bool]:
        received, origin = read_upload(data, options, self._service.limits)
        summary, is_new = self._service.tilesets.store(received.tiles, origin)
        return UploadAnswer(**summary.model_dump(), findings=list(received.findings)), is_new


def check_media_type(given: str | None) -> None:
    """Refuse files that are of another kind by their own account; else what is in them counts."""
    kind = (given or "").partition(";")[0].strip().lower()
    if kind not in MEDIA_TYPES:
        shown = ", ".join((ARCHIVES[0], TEXTS[0], *TABLES, *PICTURES))
        raise Problem(415, f"a body of type {kind!r:.80} is not a tile set", error="UnsupportedMediaType",
                      advice=f"Send the file itself as {shown}.")  # fmt: skip


def read_upload(data: bytes, options: UploadOptions, limits: Limits) -> tuple[ReceivedTiles, Origin]:
    """The tile set in an uploaded file, and whether it was learned; takes long, so call it in a thread."""
    if not data:
        raise Problem(422, "the body is empty", error="InvalidRequest", advice="Send the file as the body.")
    learned = is_picture(data)
    read = learn_received if learned else read_received_tiles
    try:
        found = read(data, "the upload", input_limits(limits), **given_options(options))
    except LimitError as error:
        name, status = NAMES.get(error.limit, error.limit), 422 if error.limit == "patterns" else 413
        raise limit_problem(name, error.most, str(error), status) from error
    if options.without is not None:
        found = leave_out(found, options.without)
    if options.name is not None:
        found.tiles.name = options.name
    check_words(found.tiles)
    return found, "learned" if learned else "uploaded"


def leave_out(found: ReceivedTiles, patterns: str) -> ReceivedTiles:
    """What was learned, without these patterns."""
    if not isinstance(found.tiles, LearnedTileSet):
        raise invalid("/without", "only patterns that are learned from a picture can be left out")
    return found._replace(tiles=found.tiles.without_patterns(map(int, patterns.split(","))))


def check_words(tiles: TileSet) -> None:
    """Refuse names that are so long that answers about the tile set would be huge."""
    sockets = (socket for tile in tiles.tiles for socket in tile.sockets or ())
    words = chain([tiles.name], (tile.name for tile in tiles.tiles), tiles.groups, sockets)
    for word in chain(words, (each.name for each in tiles.objects)):
        if len(str(word)) > MOST_LETTERS:
            raise FormatError(f"the name {shorten(word)} has more than {MOST_LETTERS} letters")
    if len(tiles.description) > MOST_DESCRIPTION:
        raise FormatError(f"the description has more than {MOST_DESCRIPTION:,} letters")


def input_limits(limits: Limits) -> InputLimits:
    """The limits of the server in the words of the reader."""
    return InputLimits(
        size=limits.upload_bytes,
        inflated=limits.unpacked_bytes,
        pixels=limits.pixels,
        patterns=limits.patterns,
    )


def given_options(options: UploadOptions) -> dict[str, Any]:
    """Those options that the request has and that readers have."""
    return options.model_dump(exclude_unset=True, exclude_none=True, exclude={"name", "without"})
