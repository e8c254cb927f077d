"""Pack a document for others, and open what others have packed: a tile set of one's own travels along."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import WavefoldError
from wavefold.formats.received import read_received_tiles
from wavefold.service.documents.models import DocumentBody, DocumentTiles, OpenedDocument, PackedDocument
from wavefold.service.problems import Problem
from wavefold.service.tilesets.models import TileSetSummary

if TYPE_CHECKING:
    from wavefold.service.service import Service

LONGEST_LINK = 8_000  # letters; with its address, it is below 8 kB
MOST_INFLATED = 4 << 20  # bytes of a link
KEPT_APART = ("wavefold", "content", "tileset", "solve")


def pack_document(service: Service, document: dict[str, Any], tileset: str | None) -> PackedDocument:
    """The document with the versions and the tile set that it was made with, and as a link if it is short."""
    packed = document | {"wavefold": __version__, "content": CONTENT_VERSION}
    bare = {key: value for key, value in packed.items() if key != "solve"}
    links = [bare]
    if tileset is not None:
        found = service.tilesets.describe(tileset)
        about = {"id": tileset, "name": found.name, "digest": found.digest}
        bare["tileset"] = packed["tileset"] = about
        if found.origin != "bundled":
            files = b64encode(service.tile_views.archive(tileset)).decode()
            packed["tileset"] = about | {"files": files}
            links = [bare | {"tileset": packed["tileset"]}, bare]
    texts = [deflate(each) for each in links]
    fitting = [text for text in texts if len(text) <= LONGEST_LINK]
    link = fitting[0] if fitting else None
    return PackedDocument(document=packed, link=link, whole=link == texts[0])


def open_document(service: Service, content: bytes) -> OpenedDocument:
    """The document in a file or, as `{"link": …}`, in a link. Raises a `Problem` that says what to do."""
    try:
        data = json.loads(content)
        packed = inflate(data["link"]) if isinstance(data, dict) and "link" in data else data
        body = DocumentBody.model_validate(packed)
    except (ValueError, zlib.error, ValidationError, RecursionError, TypeError):
        raise damaged("it is not complete, or was changed on its way") from None
    changes = []
    if body.content is not None and body.content != CONTENT_VERSION:
        changes.append(
            f"It was made with wavefold {body.wavefold}; this is {__version__}, which makes other maps "
            "of the same seed."
        )
    if body.tileset is not None:
        found = find_tiles(service, body.tileset)
        if body.tileset.digest and body.tileset.digest != found.digest:
            changes.append(f"The rules of the tile set “{found.name}” have changed since.")
    document = {key: value for key, value in packed.items() if key not in KEPT_APART}
    return OpenedDocument(document=document, changes=changes)


def find_tiles(service: Service, tileset: DocumentTiles) -> TileSetSummary:
    """The tile set of a document; one that is not there is stored."""
    try:
        return service.tilesets.describe(tileset.id)
    except Problem as problem:
        if problem.status != 404:
            raise
    if tileset.files is None:
        raise Problem(
            422, f"this server does not have the tile set “{tileset.name}”, and the link does not contain it",
            error="TileSetMissing", title="The tile set is missing",
            advice="Ask for the file instead: it contains the tile set.")  # fmt: skip
    try:
        received = read_received_tiles(b64decode(tileset.files, validate=True), "the tile set in it")
    except (ValueError, WavefoldError) as error:
        raise damaged(f"its tile set cannot be read: {error}") from None
    summary, _ = service.tilesets.store(received.tiles, "uploaded")
    if summary.id != tileset.id:
        raise damaged("its tile set is not the one that it names")
    return summary


def damaged(detail: str) -> Problem:
    """What is said of a link or file that cannot be read."""
    return Problem(422, detail, error="DamagedDocument", title="This link or file is damaged",
                   advice="Copy or save it again, whole.")  # fmt: skip


def deflate(document: dict[str, Any]) -> str:
    """A document as text for an address."""
    data = json.dumps(document, separators=(",", ":")).encode()
    return urlsafe_b64encode(zlib.compress(data, 9, wbits=-15)).rstrip(b"=").decode()


def inflate(text: str) -> Any:
    """Inverse of `deflate`. Raises `ValueError` or `zlib.error` for anything else."""
    packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    stream = zlib.decompressobj(-15)
    data = stream.decompress(packed, MOST_INFLATED)
    if not stream.eof:
        raise ValueError("too long, or cut off")
    return json.loads(data)
