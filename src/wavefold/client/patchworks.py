"""The patchworks of a server: maps that grow grid by grid."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from wavefold.client.solves import read_arrays, write_archive
from wavefold.client.tilesets import AnyTileSet, find_id
from wavefold.client.transport import Transport

if TYPE_CHECKING:
    from PIL import Image

Pair = tuple[int, int]


class Patchworks:
    """`client.patchworks`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, tileset: AnyTileSet, radius: int = 8, seed: int = 0, join: str = "overlap", **options: Any
    ) -> RemotePatchwork:
        """Create a patchwork without grids, stored by the server; `options` are further fields of the API."""
        body = {"tileset": find_id(tileset), "radius": radius, "seed": seed, "join": join, **options}
        return RemotePatchwork(self._transport, self._transport.post_json("/patchworks", body))

    def open(self, id: str) -> RemotePatchwork:
        """Open a patchwork that was created earlier."""
        path = f"/patchworks/{quote(id, safe='')}"
        return RemotePatchwork(self._transport, self._transport.get_json(path))

    def list(self) -> Iterator[dict[str, Any]]:
        """List the id, tile set, seed and revision of all patchworks, newest first."""
        return self._transport.list_pages("/patchworks", "patchworks")


class RemotePatchwork:
    """A patchwork on a server.

    revision : the last known revision; other clients may have changed the patchwork since
    """

    def __init__(self, transport: Transport, document: dict[str, Any]) -> None:
        self._transport, self.document = transport, document
        self.id: str = document["id"]
        self.revision: int = document["revision"]
        self._path = f"/patchworks/{quote(self.id, safe='')}"

    def __repr__(self) -> str:
        return f"RemotePatchwork({self.id!r}, tileset={self.document['tileset']!r}, revision={self.revision})"

    def populate(self, grid: Pair, revision: int | None = None) -> dict[Pair, int]:
        """Make a grid and join it to the others. Returns the patterns of new and changed cells."""
        return self.populate_all([grid], revision)

    def populate_all(self, grids: Iterable[Pair], revision: int | None = None) -> dict[Pair, int]:
        """Make several grids in this order. If one fails, none is made.

        revision : if given, the required revision of the patchwork; otherwise an error is raised
        """
        return self._change("populate", {"grids": [list(each) for each in grids]}, revision)

    def rebuild(self, cell: Pair, radius: int = 2, revision: int | None = None) -> dict[Pair, int]:
        """Solve a disk of cells again with another result. Returns the patterns of changed cells."""
        return self._change("rebuild", {"cell": list(cell), "radius": radius}, revision)

    @property
    def grids(self) -> list[Pair]:
        """The keys of the grids, in order of creation."""
        return [(x, y) for x, y in self._transport.get_json(self._path)["keys"]]

    @property
    def patterns(self) -> dict[Pair, int]:
        """{(q, r): pattern} of all cells."""
        arrays = read_arrays(self.read("npz"))
        cells = map(tuple, arrays["coordinates"].tolist())
        return dict(zip(cells, arrays["patterns"].tolist(), strict=True))

    @property
    def report(self) -> dict[str, Any]:
        """The effort of joining the grids, in total and for each."""
        report: dict[str, Any] = self._transport.get_json(f"{self._path}/report")
        return report

    def image(self, **options: Any) -> Image.Image:
        """The map with outlined grids, as a Pillow image.

        options : tile_size, outlines, marks, levels, legend, objects
        """
        from PIL import Image

        picture = Image.open(BytesIO(self._transport.get_bytes(f"{self._path}/picture.png", **options)))
        picture.load()
        return picture

    def read(self, ending: str, **options: Any) -> bytes:
        """The map as a file: "png", "json", "npz", "tmx.zip", …"""
        return self._transport.get_bytes(f"{self._path}/map.{quote(ending, safe='.')}", **options)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the map in the format of the file ending, with its companion files."""
        write_archive(path, lambda ending: self.read(ending, **options))

    def delete(self) -> None:
        """Delete the patchwork permanently."""
        self._transport.send("DELETE", self._path)

    def _change(self, what: str, body: dict[str, Any], revision: int | None) -> dict[Pair, int]:
        if revision is not None:
            body["revision"] = revision
        answer = self._transport.post_json(f"{self._path}/{what}", body)
        self.revision = max(self.revision, answer["revision"])
        return {(x, y): pattern for x, y, pattern in answer["cells"]}
