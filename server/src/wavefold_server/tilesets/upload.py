"""An uploaded file as a tile set, within the limits of the server.

The body of the request is the file itself. So `curl --data-binary @set.zip` and `fetch(url, {body: file})`
need nothing else, and no form is parsed, whose parts would be written to temporary files.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.requests import Request

from wavefold.errors import FormatError
from wavefold.formats import (
    InputLimits,
    ReceivedTiles,
    is_json_text,
    is_picture,
    learn_received,
    read_received_tiles,
)
from wavefold.options import LimitError, shorten
from wavefold.tiles import LearnedTileSet, TileSet
from wavefold_server.json_meter import JsonMeter
from wavefold_server.problems import Problem, invalid, limit_problem
from wavefold_server.settings import Limits
from wavefold_server.tilesets.models import Origin, UploadAnswer, UploadOptions
from wavefold_server.transfer import check_values

if TYPE_CHECKING:
    from wavefold_server.service import Service

Result = TypeVar("Result")
METERED_AT_ONCE = 1 << 16  # bytes
MOST_LETTERS, MOST_DESCRIPTION = 200, 10_000

ARCHIVES = ("application/zip", "application/x-zip-compressed", "application/x-zip")
TEXTS = ("application/toml", "text/toml", "text/x-toml", "text/plain")
TABLES = ("application/json",)
PICTURES = ("image/png", "image/jpeg", "image/bmp")
ANY = ("application/octet-stream", "application/x-www-form-urlencoded", "")  # the second: curl's own choice
MEDIA_TYPES = (*ARCHIVES, *TEXTS, *TABLES, *PICTURES, *ANY)
NAMES = {"size": "upload_bytes", "inflated": "unpacked_bytes"}  # of limits, where the server's differ


class Uploads:
    """Stores the tile sets in uploaded files."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def receive(self, request: Request, options: UploadOptions) -> tuple[UploadAnswer, bool]:
        """Store the tile set that a request brings; what is said of it, and whether it is new."""
        return await self.run_with_body(request, lambda data: self._store(data, options))

    async def run_with_body(self, request: Request, work: Callable[[bytes], Result]) -> Result:
        """Receive the body of a request and work with it in the thread for uploads."""
        content = await request.body()
        return await self._service.receiving.run_for(
            request, lambda: work(content), limit=self._service.quick.limit
        )

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
    check_json(data, limits)
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


def check_json(data: bytes, limits: Limits) -> None:
    """Raise if the file is JSON with more values than are allowed, however it was announced."""
    if not is_json_text(data):
        return
    if b"\0" in data[:4]:
        raise FormatError("the upload is JSON in UTF-16 or UTF-32; save it in UTF-8")
    meter = JsonMeter()
    for start in range(0, len(data), METERED_AT_ONCE):
        meter.add(data[start : start + METERED_AT_ONCE])
        check_values(meter, "upload_values", limits.upload_values)


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
