"""Packs documents into links and files, with uploaded tile sets, and opens them on another server."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode, urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Any

from wavefold import CONTENT_VERSION, __version__
from wavefold.errors import FormatError
from wavefold_server.documents.files import check_document, decode_files, list_changes, parse_json
from wavefold_server.documents.models import DocumentTiles, OpenedDocument, PackedDocument, PackRequest
from wavefold_server.problems import Problem
from wavefold_server.tilesets.models import TileSetSummary, UploadOptions
from wavefold_server.tilesets.upload import read_upload

if TYPE_CHECKING:
    from wavefold_server.service import Service

LONGEST_LINK = 8_000  # letters; with its address, it is below 8 kB
MOST_INFLATED = 4 << 20  # bytes of a link
PACKED_KEYS = ("wavefold", "content", "tileset", "solve")  # that packing adds


def pack_document(service: Service, request: PackRequest) -> PackedDocument:
    """The document with the versions and the tile set that it was made with, and as a link if it is short."""
    packed = request.document | {"wavefold": __version__, "content": CONTENT_VERSION}
    bare = {key: value for key, value in packed.items() if key != "solve"}
    candidates = [bare]
    if request.tileset is not None:
        found = service.tilesets.describe(request.tileset)
        about = {"id": request.tileset, "name": found.name, "digest": found.digest}
        bare["tileset"] = packed["tileset"] = about
        if found.origin != "bundled":
            files = b64encode(service.tile_views.archive(request.tileset)).decode()
            packed["tileset"] = about | {"files": files}
            candidates = [bare | {"tileset": packed["tileset"]}, bare]
    links = [encode_link(each) for each in candidates]
    link = next((each for each in links if each is not None), None)
    return PackedDocument(document=packed, link=link, whole=link == links[0])


def open_document(service: Service, content: bytes) -> OpenedDocument:
    """The document in a file or, as `{"link": …}`, in a link. Raises a `Problem` that says what to do."""
    try:
        data = parse_json(content)
        packed = decode_link(data["link"]) if isinstance(data, dict) and "link" in data else data
        document = check_document(packed)
        found = None if document.tileset is None else find_tiles(service, document.tileset)
    except FormatError as error:
        raise Problem(422, str(error), error="DamagedDocument", title="This link or file is damaged",
                      advice="Copy or save it again, whole.") from None  # fmt: skip
    changes = list_changes(document, *(("", "") if found is None else (found.name, found.digest)))
    bare = {key: value for key, value in packed.items() if key not in PACKED_KEYS}
    return OpenedDocument(document=bare, changes=changes)


def find_tiles(service: Service, about: DocumentTiles) -> TileSetSummary:
    """The tile set of a document; one that is not there is stored, within the limits of uploads."""
    try:
        return service.tilesets.describe(about.id)
    except Problem as problem:
        if problem.status != 404:
            raise
    if about.files is None:
        raise Problem(
            422, f"this server does not have the tile set “{about.name}”, and the link does not contain it",
            error="TileSetMissing", title="The tile set is missing",
            advice="Ask for the file instead: it contains the tile set.")  # fmt: skip
    received, _ = read_upload(decode_files(about), UploadOptions(), service.limits)
    summary, _ = service.tilesets.store(received.tiles, "uploaded", expected=about.id)
    return summary


def encode_link(document: dict[str, Any]) -> str | None:
    """A document as text for an address; None if that would be too long."""
    data = json.dumps(document, separators=(",", ":")).encode()
    if len(data) > MOST_INFLATED:
        return None
    text = urlsafe_b64encode(zlib.compress(data, 9, wbits=-15)).rstrip(b"=").decode()
    return text if len(text) <= LONGEST_LINK else None


def decode_link(text: Any) -> Any:
    """Inverse of `encode_link`. Raises `FormatError` for anything else."""
    try:
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        stream = zlib.decompressobj(-15)
        data = stream.decompress(packed, MOST_INFLATED)
    except (ValueError, TypeError, zlib.error):
        raise FormatError("the link is not complete, or was changed on its way") from None
    if not stream.eof:
        raise FormatError("the link is too long, or is cut off")
    return parse_json(data)
