"""Saved documents (`.wavefold`) without a server: their maps, made again."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.common.files import read_limited
from wavefold.config.service_section import Limits
from wavefold.errors import FormatError
from wavefold.formats.received import read_received_tiles
from wavefold.service.documents.models import DocumentBody, DocumentTiles
from wavefold.service.live.session import LiveSession
from wavefold.service.solves.models import SolveRequest
from wavefold.solver import Solution
from wavefold.tiles import TileSet

MOST_BYTES = 64 << 20
LARGE = Limits(cells=1 << 24, live_cells=1 << 24)  # one's own machine


class OpenDocument(NamedTuple):
    """A document that was read; notes are sentences about what differs from when it was saved."""

    request: SolveRequest
    tiles: TileSet
    notes: list[str]

    def make(self) -> Solution:
        """The map that was on the screen."""
        return LiveSession(self.request, self.tiles, LARGE).complete()


def read_document(path: Path) -> OpenDocument:
    """The map in a document. Raises `FormatError` for anything else."""
    text = read_limited(path, MOST_BYTES, "the studio writes smaller files")
    try:
        document = DocumentBody.model_validate(json.loads(text))
        request = None if document.solve is None else SolveRequest.model_validate(document.solve)
    except (ValidationError, ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not a document of the studio, or is damaged: {error}") from None
    if request is None or document.tileset is None:
        raise FormatError(f"{path} has no map in it: it was saved by the view {document.view!r}")
    tiles = load_tiles(document.tileset, path)
    notes = []
    if document.content not in (None, CONTENT_VERSION):
        maker = f"wavefold {document.wavefold}, whose maps differ from those of {__version__}"
        notes.append(f"it was made by {maker}")
    if document.tileset.digest and document.tileset.digest != tiles.rules.digest:
        notes.append(f"the tile set {tiles.name!r} has changed since it was saved")
    return OpenDocument(request, tiles, notes)


def load_tiles(about: DocumentTiles, path: Path) -> TileSet:
    """The tile set of a document: the one inside it, or a bundled one."""
    if about.files is None:
        return TileSet.load(about.id)
    try:
        content = b64decode(about.files, validate=True)
    except ValueError:
        raise FormatError(f"{path} is damaged: its tile set cannot be decoded") from None
    return read_received_tiles(content, f"the tile set in {path}").tiles
