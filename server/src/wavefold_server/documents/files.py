"""Saved documents (`.wavefold`): read by servers, and without one, where their maps are made again."""

from __future__ import annotations

from base64 import b64decode
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from wavefold import CONTENT_VERSION, __version__
from wavefold.errors import FormatError
from wavefold.formats import read_received_tiles
from wavefold.solver import Solution
from wavefold.storage import read_limited
from wavefold.tiles import TileSet
from wavefold_server.documents.models import DocumentBody, DocumentTiles
from wavefold_server.live.session import LiveSession
from wavefold_server.service_section import Limits
from wavefold_server.solves.models import SolveRequest

MOST_BYTES = 64 << 20
LARGE = Limits(cells=1 << 24, live_cells=1 << 24)  # one's own machine


class SavedMap(NamedTuple):
    """The map in a saved document; changes are sentences about what differs from when it was saved."""

    request: SolveRequest
    tiles: TileSet
    changes: list[str]

    def make(self) -> Solution:
        """The map that was on the screen."""
        return LiveSession(self.request, self.tiles, LARGE).complete()


def read_saved_map(path: Path) -> SavedMap:
    """The map in a document. Raises `FormatError` for anything else."""
    text = read_limited(path, MOST_BYTES, "files of the studio are smaller")
    try:
        document = check_document(parse_json(text))
        request = None if document.solve is None else SolveRequest.model_validate(document.solve)
        tiles = None if document.tileset is None else load_tiles(document.tileset)
    except (FormatError, ValidationError) as error:
        raise FormatError(f"{path} is not a document of the studio, or is damaged: {error}") from None
    if request is None or tiles is None:
        raise FormatError(f"{path} has no map in it: it was saved by the view {document.view!r}")
    return SavedMap(request, tiles, list_changes(document, tiles.name, tiles.rules.digest))


def load_tiles(about: DocumentTiles) -> TileSet:
    """The tile set of a document: the one inside it, or a bundled one."""
    if about.files is None:
        return TileSet.load(about.id)
    return read_received_tiles(decode_files(about), "its tile set").tiles


# --- what a server does, too ------------------------------------------------------------------------


def parse_json(text: bytes | str) -> Any:
    """What JSON says. Raises `FormatError` for anything else, and for halves of characters."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise FormatError(f"it is not valid JSON: {error}") from None


def check_document(data: Any) -> DocumentBody:
    """A document, checked. Raises `FormatError` for anything else."""
    try:
        return DocumentBody.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise FormatError(f"{where}: {first['msg']}" if where else first["msg"]) from None


def decode_files(about: DocumentTiles) -> bytes:
    """The archive with the tile set of a document."""
    try:
        return b64decode(about.files or "", validate=True)
    except ValueError:
        raise FormatError("its tile set is not base64") from None


def list_changes(document: DocumentBody, name: str, digest: str) -> list[str]:
    """Sentences: why it may look different from when it was made. The name and digest are of its tile set."""
    changes = []
    if document.content not in (None, CONTENT_VERSION):
        changes.append(
            f"It was made with wavefold {document.wavefold}; this is {__version__}, which makes other maps "
            "of the same seed."
        )
    if document.tileset is not None and document.tileset.digest not in ("", digest):
        changes.append(f"The rules of the tile set “{name}” have changed since.")
    return changes
