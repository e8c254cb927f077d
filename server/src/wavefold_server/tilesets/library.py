"""The tile sets that requests may name: those that come with wavefold, and uploads in the database."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from sqlite3 import Row
from time import time
from typing import TYPE_CHECKING

import numpy as np

from wavefold.api import tilesets
from wavefold.errors import FormatError
from wavefold.formats import decode_tiles, encode_tiles, read_picture
from wavefold.options import shorten
from wavefold.storage import BoundedCache, MemoryFile
from wavefold.tiles import Art, Pixels, TileSet
from wavefold_server.problems import Problem, damage_problem, limit_problem, unknown
from wavefold_server.tilesets.describe import describe_tileset
from wavefold_server.tilesets.models import Origin, TileSetSummary

if TYPE_CHECKING:
    from wavefold_server.service import Service

TABLES = """
CREATE TABLE IF NOT EXISTS tilesets (
    id TEXT PRIMARY KEY, created REAL NOT NULL, summary TEXT NOT NULL,
    row_digest BLOB, content_digest BLOB
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tileset_files (
    tileset TEXT NOT NULL REFERENCES tilesets (id) ON DELETE CASCADE,
    name TEXT NOT NULL, content BLOB NOT NULL,
    row_digest BLOB, content_digest BLOB, PRIMARY KEY (tileset, name)
);
"""
NEEDING_SOLVES = """
SELECT min(id) AS id, count(*) AS count FROM solves
WHERE tileset = ? AND status IN ('queued', 'running', 'solved')
"""
ADVICE = "Delete that first. The oldest maps are also deleted automatically when there are too many."
LOADED_BYTES = 256 << 20  # of tile sets in memory, about
BYTES_PER_PATTERN = 2_000  # its names, sockets and heights
MOST_SUMMARIES = 1_000  # of bundled tile sets and those of other packages

Files = dict[str, bytes]
FindUse = Callable[[str], str | None]


class TileSetLibrary:
    """Finds and stores tile sets. Any thread may ask; most calls read the database.

    uses : functions that take the id of a tile set and say what needs it, as "the world 'a1b2'", or None
    """

    def __init__(self, service: Service) -> None:
        self._database, self._limits = service.database, service.limits
        self._database.create(TABLES)
        self.bundled = tilesets()  # looking through all installed packages takes milliseconds
        self._loaded: BoundedCache[TileSet] = BoundedCache(LOADED_BYTES, estimate_bytes)
        self._bundled: BoundedCache[TileSetSummary] = BoundedCache(MOST_SUMMARIES)
        self.uses: list[FindUse] = [self._find_solve]

    def names(self) -> list[str]:
        """What `load` accepts."""
        return [*self.bundled, *(row["id"] for row in self._database.read("SELECT id FROM tilesets"))]

    def load(self, id: str) -> TileSet:
        """The tile set with this id, loaded once; takes a while at first, so call it in a thread."""
        if id in self.bundled:
            return self._loaded.get(id, lambda: TileSet.load(id))
        self._find(id)
        return self._loaded.get(id, lambda: decode_tiles(self._read_files(id)))

    def describe(self, id: str) -> TileSetSummary:
        """What is said of a tile set in a list; takes a while at first."""
        if id in self.bundled:
            return self._bundled.get(id, lambda: describe_tileset(self.load(id), id, "bundled"))
        return TileSetSummary.model_validate_json(self._find(id)["summary"])

    def describe_all(self) -> list[TileSetSummary]:
        """Bundled tile sets, then intact uploads by age."""
        rows = self._database.read("SELECT summary FROM intact_tilesets ORDER BY created, id")
        uploads = [TileSetSummary.model_validate_json(row["summary"]) for row in rows]
        return [*map(self.describe, self.bundled), *uploads]

    def store(
        self, tiles: TileSet, origin: Origin, expected: str | None = None
    ) -> tuple[TileSetSummary, bool]:
        """Store a tile set, and return its description and whether it is new.

        expected : refuse it if it has another id
        """
        files = encode_tiles(tiles)
        id = digest_files(files)
        if expected not in (None, id):
            raise FormatError(f"the tile set has the id {id!r}, not {shorten(expected)}")
        if self._database.read_one("SELECT 1 FROM tilesets WHERE id = ?", (id,)) is not None:
            return self.describe(id), False
        summary = describe_tileset(decode_tiles(files), id, origin, time())
        with self._database.writing() as connection:
            (count,) = connection.execute("SELECT count(*) FROM tilesets").fetchone()
            if count >= self._limits.tilesets:
                detail = f"there are {count:,} uploaded tile sets already; delete one first"
                raise limit_problem("tilesets", self._limits.tilesets, detail)
            row = (id, summary.created, summary.model_dump_json())
            added = connection.execute(
                "INSERT OR IGNORE INTO tilesets (id, created, summary) VALUES (?, ?, ?)", row
            )
            is_new = added.rowcount > 0
            if is_new:
                rows = [(id, name, content) for name, content in files.items()]
                connection.executemany(
                    "INSERT INTO tileset_files (tileset, name, content) VALUES (?, ?, ?)", rows
                )
        return summary if is_new else self.describe(id), is_new

    def delete(self, id: str) -> None:
        """Remove an upload that nothing needs."""
        if id in self.bundled:
            raise Problem(403, f"the tile set {id!r} comes with wavefold and cannot be deleted",
                          error="Forbidden", advice="Only uploaded tile sets can be deleted.")  # fmt: skip
        for find_use in self.uses:
            if needed_by := find_use(id):
                raise Problem(
                    409, f"the tile set {id!r} is needed by {needed_by}", error="InUse", advice=ADVICE
                )
        if not self._database.write("DELETE FROM tilesets WHERE id = ?", (id,)):
            raise unknown("tile set", id)

    def _find_solve(self, id: str) -> str | None:
        """Jobs that need a tile set, and finished maps: their files are written with its tiles."""
        ((name, count),) = self._database.read(NEEDING_SOLVES, (id,))
        others = f" and {count - 1:,} more" if count > 1 else ""
        return f"the solve {name!r}{others}" if count else None

    def _read_files(self, id: str) -> Files:
        """The files of an upload, whose id is a digest of them. Raises a `Problem` if they are damaged."""
        rows = self._database.read("SELECT name, content FROM intact_tileset_files WHERE tileset = ?", (id,))
        files = {row["name"]: row["content"] for row in rows}
        if None in files.values() or digest_files(files) != id:
            raise damage_problem("tile set", id)
        return files

    def _find(self, id: str) -> Row:
        try:
            return self._database.find("tile set", "tilesets", id, "summary")
        except Problem as problem:
            raise unknown("tile set", id, self.bundled) if problem.status == 404 else problem from None


def digest_files(files: Files) -> str:
    """The id of a tile set: a digest of its text and pixels, however these are compressed."""
    digest = blake2b(digest_size=12)
    for name, content in sorted(files.items()):
        if name.endswith(".png"):
            pixels = read_picture(MemoryFile.of(files, name))
            digest.update(repr(pixels.shape).encode() + pixels.tobytes())
        else:
            digest.update(content)
    return digest.hexdigest()


def estimate_bytes(tiles: TileSet) -> int:
    """Estimate the memory that a tile set takes: the tables of its rules, and its pictures."""
    tables = sum(each.rows.nbytes + each.class_of.nbytes for each in tiles.rules.relations)
    pictures = {id(each): each.nbytes for tile in tiles.tiles for each in list_pictures(tile.picture)}
    return tables + sum(pictures.values()) + BYTES_PER_PATTERN * len(tiles)


def list_pictures(art: Art | None) -> tuple[Pixels, ...]:
    """The pictures of a tile that are in memory."""
    if isinstance(art, tuple):
        return art
    return (art,) if isinstance(art, np.ndarray) else ()
