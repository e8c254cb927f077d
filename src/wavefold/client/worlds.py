"""The endless worlds of a server."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from wavefold.client.service_error import build_error
from wavefold.client.solves import list_pins, read_arrays, write_archive
from wavefold.client.tilesets import AnyTileSet, find_id
from wavefold.client.transport import Transport

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cells = Mapping[tuple[int, int], Any]


@dataclass(frozen=True)
class RemoteChange:
    """The change that led to a revision of a world.

    kind : "edit", "undo" or "redo"
    box : the rectangle (x0, y0, width, height) around all cells that changed; None without any
    cells : the number of changed cells
    """

    revision: int
    kind: str
    box: tuple[int, int, int, int] | None
    cells: int

    @classmethod
    def read(cls, document: dict[str, Any]) -> Self:
        """From the JSON of an answer."""
        box = document["box"]
        return cls(document["revision"], document["kind"], box and tuple(box), document["cells"])


class Worlds:
    """`client.worlds`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, tileset: AnyTileSet, seed: int = 0, *, pins: Cells | None = None, **options: Any
    ) -> RemoteWorld:
        """Create a world, stored by the server.

        pins : {(x, y): tile}
        options : further fields of the API, such as `chunk=64`, `preset="terrain"` or `refine=False`
        """
        body = {"tileset": find_id(tileset), "seed": seed, **options}
        if pins:
            body["pins"] = list_pins(pins)
        return RemoteWorld(self._transport, self._transport.post_json("/worlds", body))

    def open(self, id: str) -> RemoteWorld:
        """Open a world that was created earlier."""
        return RemoteWorld(self._transport, self._transport.get_json(f"/worlds/{quote(id, safe='')}"))

    def list(self) -> Iterator[dict[str, Any]]:
        """List the id, tile set and seed of all worlds, newest first."""
        return self._transport.list_pages("/worlds", "worlds")


class RemoteWorld:
    """A world on a server.

    revision : the last known revision; other clients may have edited the world since
    """

    def __init__(self, transport: Transport, document: dict[str, Any]) -> None:
        self._transport, self.document = transport, document
        self.id: str = document["id"]
        self.revision: int = document["revision"]
        self._path = f"/worlds/{quote(self.id, safe='')}"

    def __repr__(self) -> str:
        return f"RemoteWorld({self.id!r}, tileset={self.document['tileset']!r}, revision={self.revision})"

    # --- reading --------------------------------------------------------------------------------

    def chunk(self, x: int, y: int, revision: int | None = None) -> NDArray[np.int32]:
        """int32 [row, column] patterns of a chunk, of the current revision or an earlier one."""
        side = self.document["chunk"]
        return self.region(x * side, y * side, side, side, revision)

    def region(
        self, x0: int, y0: int, width: int, height: int, revision: int | None = None
    ) -> NDArray[np.int32]:
        """int32 [row, column] patterns of a rectangle of cells."""
        found: NDArray[np.int32] = read_arrays(self.read("npz", x0, y0, width, height, revision=revision))[
            "array"
        ]
        return found

    def tile(self, z: int, x: int, y: int, revision: int | None = None) -> bytes:
        """A map tile, as PNG: 256 x 256 pixels; at zoom 0, 64 x 64 cells of 4 pixels."""
        return self._transport.get_bytes(f"{self._path}/tiles/{z}/{x}/{y}.png", revision=revision)

    def read(self, ending: str, x0: int, y0: int, width: int, height: int, **options: Any) -> bytes:
        """A rectangle of cells as a file: "png", "json", "npz", "tmj", "tmx.zip", …

        options : revision, tile_size, scale, objects
        """
        box = {"x0": x0, "y0": y0, "width": width, "height": height}
        return self._transport.get_bytes(f"{self._path}/region.{quote(ending, safe='.')}", **box, **options)

    def export(
        self, path: str | os.PathLike[str], x0: int, y0: int, width: int, height: int, **options: Any
    ) -> None:
        """Write a rectangle of cells in the format of the file ending."""
        write_archive(path, lambda ending: self.read(ending, x0, y0, width, height, **options))

    # --- edits ----------------------------------------------------------------------------------

    def edit(self, cells: Cells, *, reach: int | None = None, revision: int | None = None) -> RemoteChange:
        """Place tiles, {(x, y): tile}, and change as few cells around them as possible.

        When this returns, the edit is stored. After ConnectionFailed it may or may not be stored. With
        `revision`, the edit applies only if the world is at this revision, so that it can be sent again
        safely.
        """
        body = {"cells": list_pins(cells)} | ({} if reach is None else {"reach": reach})
        return self._change("edits", body, revision)

    def undo(self, revision: int | None = None) -> RemoteChange:
        """Undo the last edit."""
        return self._change("undo", {}, revision)

    def redo(self, revision: int | None = None) -> RemoteChange:
        """Redo the edit that was undone last."""
        return self._change("redo", {}, revision)

    def changes(self, since: int | None = None) -> Iterator[RemoteChange]:
        """Yield all changes after a revision by any client: past changes first, then new ones as they happen.

        The iterator never ends; use `break`. since : by default the `revision` of this object
        """
        return self._follow(self.revision if since is None else since)

    def _follow(self, since: int) -> Iterator[RemoteChange]:
        for event in self._transport.follow(f"{self._path}/events", str(since)):
            if event.kind == "end":
                raise build_error(event.data, event.data.get("status"))
            change = RemoteChange.read(event.data)
            self.revision = max(self.revision, change.revision)
            yield change

    def delete(self) -> None:
        """Delete the world and its edits permanently."""
        self._transport.send("DELETE", self._path)

    def _change(self, what: str, body: dict[str, Any], revision: int | None) -> RemoteChange:
        if revision is not None:
            body["revision"] = revision
        change = RemoteChange.read(self._transport.post_json(f"{self._path}/{what}", body))
        self.revision = max(self.revision, change.revision)
        return change
