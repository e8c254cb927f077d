"""The maps of a server, made immediately or as background jobs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from zipfile import ZipFile

from wavefold.client.service_error import ServiceError, build_error
from wavefold.client.tilesets import AnyTileSet, find_id
from wavefold.client.transport import Transport
from wavefold.storage.files import write_files_atomically

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

ProgressFunction = Callable[[int, int], None]
Pins = Mapping[tuple[int, ...], Any] | Iterable[Iterable[Any]]
FINAL_STATUSES = ("solved", "failed", "cancelled")
SIZE_KEYS = ("width", "height", "depth")


class Solves:
    """`client.solves`: maps and jobs. To wait for one map, use `client.generate`."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        tileset: AnyTileSet,
        size: tuple[int, ...] | None = None,
        seed: int = 0,
        *,
        pins: Pins = (),
        background: bool = False,
        **options: Any,
    ) -> RemoteMap:
        """Request a map. The result may be an unfinished job: see `RemoteMap.wait`.

        size : columns, rows and, for cubes, layers; by default the size that the tile set recommends
        pins : {(x, y): tile}
        background : create a job even if the map is small
        options : further fields of the API, such as `refine=False`, `constraints=[{"kind": "connected", …}]`,
            `topology={"radius": 8}` or `budget={"ms": 2000}`
        """
        body = {"tileset": find_id(tileset), "seed": seed, **options}
        if size is not None:
            body["topology"] = {**options.get("topology", {}), **dict(zip(SIZE_KEYS, size, strict=False))}
        if pins:
            body["pins"] = list_pins(pins)
        headers = {"Prefer": "respond-async"} if background else {}
        answer = self._transport.send("POST", "/solves", json=body, headers=headers, repeatable=True)
        return RemoteMap(self._transport, answer.json())

    def get(self, id: str) -> RemoteMap:
        """Get a map or job that was requested earlier."""
        return RemoteMap(self._transport, self._transport.get_json(f"/solves/{quote(id, safe='')}"))

    def list(self) -> Iterator[dict[str, Any]]:
        """List the id, status, tile set and seed of all maps and jobs, newest first."""
        return self._transport.list_pages("/solves", "solves")


class RemoteMap:
    """A map on a server, or the job that makes it. Its parts are fetched on first use."""

    def __init__(self, transport: Transport, answer: dict[str, Any]) -> None:
        self._transport, self._answer = transport, answer
        self._path = f"/solves/{quote(self.id, safe='')}"

    def __repr__(self) -> str:
        return f"RemoteMap({self.id!r}, {self.status!r})"

    @property
    def id(self) -> str:
        """The id that `client.solves.get` takes."""
        return str(self._answer["id"])

    @property
    def status(self) -> str:
        """The status at the last request: "queued", "running", "solved", "failed" or "cancelled"."""
        return str(self._answer["status"])

    @property
    def is_finished(self) -> bool:
        """Whether the status is final."""
        return self.status in FINAL_STATUSES

    @property
    def stats(self) -> dict[str, Any]:
        """Decisions, backtracks and other counts of the solver; empty until it is solved."""
        return dict(self._answer.get("stats") or {})

    def refresh(self) -> RemoteMap:
        """Request the status again."""
        self._answer = self._transport.get_json(self._path)
        return self

    def wait(self, progress: ProgressFunction | None = None) -> RemoteMap:
        """Wait until the map is solved. Raises the error of a failed job.

        progress : called regularly with the work done and the total work, in cells
        """
        if not self.is_finished:
            for event in self._transport.follow(f"{self._path}/events"):
                self._answer = event.data
                report_progress(progress, self._answer.get("progress"))
                if self.is_finished:
                    break
        if self.status != "solved":
            raise self._find_error()
        return self

    def cancel(self) -> RemoteMap:
        """Cancel a queued or running job. A finished map does not change."""
        self._answer = self._transport.send("POST", f"{self._path}/cancel", repeatable=True).json()
        return self

    def delete(self) -> None:
        """Delete the map on the server."""
        self._transport.send("DELETE", self._path)

    @cached_property
    def arrays(self) -> dict[str, Any]:
        """The arrays and metadata of the NPZ file that `solution.save("map.npz")` writes."""
        return read_arrays(self.read("npz"))

    @property
    def patterns(self) -> NDArray[np.int32]:
        """int32 [row, column] (or [layer, row, column]) patterns, -1 where the map has no cell."""
        found: NDArray[np.int32] = self.arrays["array"]
        return found

    @property
    def names(self) -> list[str]:
        """The name of each pattern."""
        return [str(name) for name in self.arrays["names"]]

    def image(self, **options: Any) -> Image.Image:
        """The map as a Pillow image; the options are those of `read`."""
        from PIL import Image

        picture = Image.open(BytesIO(self.read("png", **options)))
        picture.load()
        return picture

    def read(self, ending: str, **options: Any) -> bytes:
        """The map as a file: "png", "json", "npz", "tmj", … or "tmx.zip" for an archive of all its files.

        options : tile_size (pixels across a cell), scale, layers, objects
        """
        path = f"{self._path}/result.{quote(ending.lstrip('.'), safe='.')}"
        return self._transport.get_bytes(path, **options)

    def save(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the map in the format of the file ending, with its companion files."""
        write_archive(path, lambda ending: self.read(ending, **options))

    def _find_error(self) -> Exception:
        document = self._answer.get("error")
        if document is not None:
            return build_error(document, document.get("status"))
        return ServiceError(f"no map: the job's status is {self.status!r}")


def report_progress(progress: ProgressFunction | None, state: dict[str, Any] | None) -> None:
    """Call the function with the progress in a state, if both exist."""
    if progress is not None and state:
        progress(state["done"], state["all"])


def list_pins(pins: Pins) -> list[list[Any]]:
    """Rows of coordinates and a tile."""
    if isinstance(pins, Mapping):
        return [[*cell, tile] for cell, tile in pins.items()]
    return [list(row) for row in pins]


def read_arrays(npz: bytes) -> dict[str, Any]:
    """The arrays of a map's NPZ file by name, and its metadata as plain data."""
    import numpy as np

    with np.load(BytesIO(npz), allow_pickle=False) as file:
        arrays: dict[str, Any] = dict(file)
    return arrays | {"metadata": json.loads(str(arrays["metadata"]))}


def write_archive(path: str | os.PathLike[str], read: Callable[[str], bytes]) -> None:
    """Write a map in the format of the file ending, with its companion files.

    read : returns the content of a file with this ending; with ".zip", an archive of all files
    """
    target = Path(path)
    ending = target.suffix.lower()
    with ZipFile(BytesIO(read(f"{ending.lstrip('.')}.zip"))) as archive:
        files = {Path(name).name: archive.read(name) for name in archive.namelist()}
    write_files_atomically(
        {
            target.with_name(target.name if name == f"map{ending}" else name): data
            for name, data in files.items()
        }
    )
