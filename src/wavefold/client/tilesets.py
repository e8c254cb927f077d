"""The tile sets of a server: those that wavefold brings along, and those that were uploaded or learned."""

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

AUDIT_SECONDS = 1_800.0  # one takes minutes, and waits for two others at most
Source = str | os.PathLike[str] | bytes
ENDINGS = {".toml", ".xml", ".tsx", ".tsj", ".tmx", ".tmj", ".png", ".jpg", ".jpeg", ".bmp"}  # in archives


@dataclass(frozen=True)
class RemoteTileSet:
    """A tile set on a server; wherever the name of one is expected, this may be given.

    size : of a recommended map, in cells
    worlds : whether endless worlds are possible
    document : everything that the server says; with `client.tilesets.get`, that includes tiles and patterns
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
        """The name of each pattern, in the order of the numbers in maps."""
        return [each["name"] for each in self.document.get("patterns", ())]


AnyTileSet = str | RemoteTileSet


def path_of(tileset: AnyTileSet) -> str:
    """Where the API has a tile set."""
    return f"/tilesets/{quote(id_of(tileset), safe='')}"


def id_of(tileset: AnyTileSet) -> str:
    """The name of a tile set in requests."""
    return tileset if isinstance(tileset, str) else tileset.id


class TileSets:
    """`client.tilesets`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> list[RemoteTileSet]:
        """All of them: those that wavefold brings along first."""
        return [RemoteTileSet.read(each) for each in self._transport.get_json("/tilesets")["tilesets"]]

    def get(self, tileset: AnyTileSet) -> RemoteTileSet:
        """One of them, with its tiles and patterns."""
        return RemoteTileSet.read(self._transport.get_json(path_of(tileset)))

    def upload(self, source: Source, **options: Any) -> RemoteTileSet:
        """Store a tile set on the server. The same one twice is stored once.

        source : a zip archive with one description (TOML, mxgmn's .xml, a file of Tiled's) and its pictures;
            a folder with such files; or a TOML file without pictures; its path, or its bytes
        options : name, subset, wangset, layer
        """
        return self._send(read_source(source), options)

    def learn(self, picture: Source, n: int = 3, **options: Any) -> RemoteTileSet:
        """Learn the n × n windows of a sample picture (PNG, JPEG or BMP), and store the tile set.

        options : name, symmetry, periodic, ground, scale, colours, as in `wf.learn`
        """
        return self._send(read_source(picture), {"n": n, **options})

    def audit(self, tileset: AnyTileSet, **options: Any) -> dict[str, Any]:
        """What it can and cannot do, as `wf.audit(tiles).to_dict()`; options are deep and ms."""
        timeout = max(self._transport.timeout, AUDIT_SECONDS)
        answer = self._transport.send(
            "POST", f"{path_of(tileset)}/audit", json=options, repeatable=True, timeout=timeout
        )
        report: dict[str, Any] = answer.json()
        return report

    def delete(self, tileset: AnyTileSet) -> None:
        """Delete one that was uploaded; refused while something needs it."""
        self._transport.send("DELETE", path_of(tileset))

    def _send(self, data: bytes, options: dict[str, Any]) -> RemoteTileSet:
        answer = self._transport.send(
            "POST",
            "/tilesets",
            content=data,
            params=options,
            headers={"Content-Type": "application/octet-stream"},
            repeatable=True,  # the same tile set twice is stored once
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
    """A zip archive of the descriptions and pictures in a folder; nothing else leaves this machine."""
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() in ENDINGS and path.is_file():
                archive.write(path, path.relative_to(folder).as_posix())
    return file.getvalue()
