"""The tile sets of a server: bundled, uploaded and learned."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote
from zipfile import ZipFile

from wavefold.client.transport import Transport
from wavefold.errors import FormatError

MAX_AUDIT_SECONDS = 1_800.0  # an audit takes minutes, and waits for at most two others
Source = str | os.PathLike[str] | bytes
PACKED_ENDINGS = {
    ".toml",
    ".xml",
    ".tsx",
    ".tsj",
    ".tmx",
    ".tmj",
    ".png",
    ".jpg",
    ".jpeg",
    ".bmp",
}  # in archives


@dataclass(frozen=True)
class RemoteTileSet:
    """A tile set on a server. It can be passed in place of the name of a tile set.

    size : the recommended size of a map, in cells
    worlds : whether endless worlds are possible
    document : the response of the server; from `client.tilesets.get`, it includes tiles and patterns
    """

    id: str
    name: str
    origin: str
    topology: str
    pattern_count: int
    size: tuple[int, ...] | None
    worlds: bool
    document: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls, document: dict[str, Any]) -> Self:
        """From the JSON of an answer."""
        names = ("id", "name", "origin", "topology", "pattern_count", "worlds")
        size = document.get("size")
        return cls(**{name: document[name] for name in names}, size=size and tuple(size), document=document)

    @property
    def tiles(self) -> list[str]:
        """The names of its tiles."""
        return [each["name"] for each in self.document.get("tiles", ())]

    @property
    def patterns(self) -> list[str]:
        """The names of the patterns, in the order of their numbers in maps."""
        return [each["name"] for each in self.document.get("patterns", ())]


AnyTileSet = str | RemoteTileSet


def make_path(tileset: AnyTileSet) -> str:
    """The path of a tile set in the API."""
    return f"/tilesets/{quote(find_id(tileset), safe='')}"


def find_id(tileset: AnyTileSet) -> str:
    """The id of a tile set in requests."""
    return tileset if isinstance(tileset, str) else tileset.id


class TileSets:
    """`client.tilesets`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> list[RemoteTileSet]:
        """List all tile sets, bundled ones first."""
        return [RemoteTileSet.read(each) for each in self._transport.get_json("/tilesets")["tilesets"]]

    def get(self, tileset: AnyTileSet) -> RemoteTileSet:
        """Get a tile set with its tiles and patterns."""
        return RemoteTileSet.read(self._transport.get_json(make_path(tileset)))

    def upload(self, source: Source, **options: Any) -> RemoteTileSet:
        """Store a tile set on the server. Equal tile sets are stored once.

        source : the path or the bytes of a zip archive with one description (TOML, mxgmn's .xml, or a file of
            Tiled) and its pictures, or of a TOML file without pictures; or the path of a folder with such
            files
        options : name, subset, wangset, layer
        """
        return self._send(read_source(source), options)

    def learn(self, picture: Source, n: int = 3, **options: Any) -> RemoteTileSet:
        """Learn the n × n windows of a sample picture (PNG, JPEG or BMP), and store the tile set.

        options : name, symmetry, periodic, ground, scale, colours, as in `wf.learn`
        """
        return self._send(read_source(picture), {"n": n, **options})

    def audit(self, tileset: AnyTileSet, **options: Any) -> dict[str, Any]:
        """Audit a tile set. Returns the same data as `wf.audit(tiles).to_dict()`; options are deep and ms."""
        timeout = max(self._transport.timeout, MAX_AUDIT_SECONDS)
        answer = self._transport.send(
            "POST", f"{make_path(tileset)}/audit", json=options, repeatable=True, timeout=timeout
        )
        report: dict[str, Any] = answer.json()
        return report

    def delete(self, tileset: AnyTileSet) -> None:
        """Delete an uploaded tile set. The server refuses this while maps or worlds use it."""
        self._transport.send("DELETE", make_path(tileset))

    def _send(self, data: bytes, options: dict[str, Any]) -> RemoteTileSet:
        answer = self._transport.send(
            "POST",
            "/tilesets",
            content=data,
            params=options,
            headers={"Content-Type": "application/octet-stream"},
            repeatable=True,  # equal tile sets are stored once
        )
        return RemoteTileSet.read(answer.json())


def read_source(source: Source) -> bytes:
    """The bytes of a file, or of an archive of the files in a folder."""
    if isinstance(source, bytes):
        return source
    path = Path(source)
    try:
        return pack_folder(path) if path.is_dir() else path.read_bytes()
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}") from error


def pack_folder(folder: Path) -> bytes:
    """A zip archive of the descriptions and pictures in a folder. Other files are not sent."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in PACKED_ENDINGS and path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return file.getvalue()
