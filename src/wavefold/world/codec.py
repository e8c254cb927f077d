"""What a world is made of, as bytes for a store, and back: tiles, seed, sizes, fields, pins."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold._version import CONTENT_VERSION, __version__
from wavefold.errors import ConfigError, TileSetWarning, WavefoldError, WorldError
from wavefold.fields import Fields
from wavefold.map_format import find_writer
from wavefold.tiles import TileSet
from wavefold.world.base import plane_key
from wavefold.world.edits.edit import Edit, Wanted
from wavefold.world.field_codec import fields_from, fields_to

if TYPE_CHECKING:
    from wavefold.world.world import World


TILE_PARTS = TILES, SHEET = "tiles.toml", "tiles.png"


class Description(NamedTuple):
    """Everything a world is a function of, but its edits."""

    content_version: int
    tiles: TileSet
    seed: int
    chunk: int
    radius: int
    half_width: int
    fields: Fields | None
    pins: Wanted | None


def parts_of(world: World, pins: Wanted | None) -> dict[str, bytes]:
    """{name: bytes}; the part "world" names all others by what is in them."""
    plan = world.plan
    fields = {} if world.fields is None else fields_to(world.fields)
    told = {
        "content_version": CONTENT_VERSION,
        "wavefold": __version__,
        "seed": world.seed,
        "chunk": plan.chunk,
        "radius": plan.radius,
        "half_width": plan.half_width,
        "rules": plane_key(world.tiles),
        "fields": None if world.fields is None else world.fields.digest,
        "limits": None if world.fields is None else limits_of(world.tiles),
        "pins": None if pins is None else Edit(pins, {}, 0).to_dict()["wanted"],
    }
    return {"world": json.dumps(told).encode(), **tiles_to(world.tiles), **fields}


def read_parts(parts: Mapping[str, bytes], path: Path, tiles: TileSet | None = None) -> Description:
    """The other way. The tiles, if they are given, must have the rules the world was made with."""
    own = tiles is None
    try:
        told: dict[str, Any] = json.loads(parts["world"])
        if tiles is None:
            tiles = tiles_from(parts)
        pins = told["pins"]
        found = Description(
            told["content_version"],
            tiles,
            told["seed"],
            told["chunk"],
            told["radius"],
            told["half_width"],
            fields_from(parts),
            None if pins is None else Edit.from_dict({"wanted": pins, "settled": [], "reach": 0}).wanted,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise WorldError(f"{path} does not tell all of its world: {error!r}") from error
    except WavefoldError as error:
        raise WorldError(f"{path} holds what this wavefold ({__version__}) cannot read: {error}") from error
    if plane_key(tiles) != told["rules"]:
        whose = f"in it, which wavefold {told.get('wavefold')} wrote," if own else "given"
        raise WorldError(
            f"{path}: the tiles {whose} have other rules than the world was made with (this is wavefold "
            f"{__version__})"
        )
    if told.get("limits") is not None and limits_of(tiles) != told["limits"]:
        raise WorldError(f"{path}: the tiles say other things about fields than when the world was made")
    return found


def identity(parts: Mapping[str, bytes]) -> dict[str, Any]:
    """What tells two worlds apart, whoever wrote them."""
    try:
        told: dict[str, Any] = dict(json.loads(parts["world"]))
    except (TypeError, ValueError) as error:
        raise WorldError(f"what a file tells of its world cannot be read: {error}") from error
    return {name: value for name, value in told.items() if name != "wavefold"}


def limits_of(tiles: TileSet) -> str:
    """A name for what tiles say about fields; rules do not tell that."""
    told = []
    for tile in tiles.tiles:
        ranges = [tile.limits] if isinstance(tile.limits, Mapping) else tile.limits
        for each in ranges:
            told += [(tile.name, *((name, *map(float, pair)) for name, pair in sorted(each.items())))]
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


# --- tiles --------------------------------------------------------------------------------------


def tiles_to(tiles: TileSet) -> dict[str, bytes]:
    """The files of a tile set: its text, and the sheet of its pictures if it has one."""
    with draft_folder() as folder:
        find_writer(TILES, "write_tiles")(tiles, folder / TILES)
        return {name: (folder / name).read_bytes() for name in (TILES, SHEET) if (folder / name).exists()}


def tiles_from(parts: Mapping[str, bytes]) -> TileSet:
    """The tile set in these files, without pictures if their sheet is not there.

    What looks like a mistake was told when it was made.
    """
    text = parts[TILES] if SHEET in parts else without_pictures(parts[TILES])
    with draft_folder() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", TileSetWarning)
        (folder / TILES).write_bytes(text)
        if SHEET in parts:
            (folder / SHEET).write_bytes(parts[SHEET])
        return TileSet.load(folder / TILES)


@contextmanager
def draft_folder() -> Iterator[Path]:
    """A folder for a moment: readers and writers of tile sets speak of files."""
    try:
        with TemporaryDirectory(prefix="wavefold-") as folder:
            yield Path(folder)
    except (OSError, ConfigError) as error:
        if not isinstance(error, OSError) and not isinstance(error.__cause__, OSError):
            raise
        raise WorldError(
            f"the tiles could not be written for a moment to the folder for temporary files "
            f"({gettempdir()}): {error}; make room there, or name another in TMPDIR"
        ) from error


def without_pictures(text: bytes) -> bytes:
    """The text of a tile set as we write it, but for its sheet and the cells of it."""
    lines, table, skipping = [], "", False
    for line in text.decode().splitlines():
        if line.startswith("["):
            table = line
        if not line.startswith((" ", "]")):  # not the rest of a longer value
            is_cell = table.startswith("[tiles.") and line.startswith(("at = ", "model = "))
            skipping = table == "[sheet]" or is_cell
        if not skipping:
            lines.append(line)
    return "\n".join(lines).encode()


# --- edits and chunks ---------------------------------------------------------------------------


def edit_to(edit: Edit) -> bytes:
    """An entry of the log."""
    return json.dumps(edit.to_dict(), ensure_ascii=False).encode()


def edit_from(content: bytes) -> Edit:
    """The other way."""
    try:
        return Edit.from_dict(json.loads(content))
    except ValueError as error:
        raise WorldError(f"an entry of the log of edits is no JSON: {error}") from error


def patterns_to(chunk: NDArray[np.int32]) -> bytes:
    """A chunk as its numbers, row by row."""
    return chunk.astype("<i4").tobytes()


def patterns_from(content: bytes, side: int, patterns: int) -> NDArray[np.int32] | None:
    """The other way, read-only; None if it is no chunk of this world."""
    if len(content) != 4 * side * side:
        return None
    chunk = np.frombuffer(content, "<i4").astype(np.int32).reshape(side, side)
    if chunk.min() < 0 or chunk.max() >= patterns:
        return None
    chunk.flags.writeable = False
    return chunk
