"""What can be seen of a tile set: its description, its pictures, its audit. Drawn once, then remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic_core import to_json

from wavefold import audit
from wavefold.errors import TileSetError
from wavefold.formats import TILES_FILE, encode_tables, encode_toml, write_archive
from wavefold.solver import Budget, CancelToken, LimitReached, checkpoint, limiting
from wavefold.storage import BoundedCache
from wavefold.tiles import TileSet
from wavefold.topology import is_plane
from wavefold_server.problems import Problem, unknown
from wavefold_server.tilesets.describe import describe_whole, link
from wavefold_server.tilesets.models import AtlasAnswer, AuditRequest, TileSetList, VoxelAnswer
from wavefold_server.tilesets.pictures import draw_atlas, draw_pattern, draw_sample, lay_out_atlas
from wavefold_server.tilesets.voxels import draw_voxels, lay_out_voxels

if TYPE_CHECKING:
    from wavefold_server.service import Service

CACHE_SHARE = 8  # of all memory for answers, one part in so many is for those about tile sets


class TileSetViews:
    """Answers about tile sets. Everything takes a while at first: call it in a thread."""

    def __init__(self, service: Service) -> None:
        self._library, self._limits = service.tilesets, service.limits
        self._answers: BoundedCache[bytes] = BoundedCache(self._limits.cache_bytes // CACHE_SHARE, len)

    def describe_all(self) -> bytes:
        """All tile sets, as JSON."""
        return TileSetList(tilesets=self._library.describe_all()).model_dump_json().encode()

    def describe(self, id: str) -> bytes:
        """Everything about a tile set but its rules, as JSON."""
        tiles, summary = self._library.load(id), self._library.describe(id)

        def make() -> bytes:
            layout = lay_out_atlas(tiles, None)._asdict()
            atlas = AtlasAnswer(url=link(id, "atlas.png"), **layout)
            return describe_whole(tiles, summary, atlas, self._find_voxels(id)).model_dump_json().encode()

        return self._answers.get((id, "answer", summary.created), make)

    def tabulate(self, id: str) -> bytes:
        """The tables of a tile set and its pictures, as JSON."""
        tiles = self._library.load(id)
        return self._answers.get((id, "tables"), lambda: to_json(encode_tables(tiles)))

    def archive(self, id: str) -> bytes:
        """A zip archive with the TOML file of a tile set and its pictures."""
        tiles = self._library.load(id)
        return self._answers.get((id, "zip"), lambda: write_archive(encode_toml(tiles, TILES_FILE)))

    def audit(self, id: str, body: AuditRequest) -> bytes:
        """The report, as JSON. Raises a `Problem` if it takes longer than asked."""
        tiles = self._library.load(id)
        token = CancelToken()
        if body.ms is not None:
            token.start(body.ms / 1e3)
        try:
            with limiting(token.check):
                return self._answers.get((id, "audit", body.deep), lambda: run_audit(tiles, body.deep))
        except LimitReached:
            raise Problem(
                422,
                f"the audit was stopped after {body.ms:g} ms",
                error="OutOfBudget",
                title="Out of budget",
                advice="Raise ms or omit it, or set deep to false.",
            ) from None

    def draw_atlas(self, id: str, size: int | None) -> bytes:
        """All patterns in one picture, as PNG."""
        tiles = self._library.load(id)
        return self._answers.get((id, "atlas", size), lambda: draw_atlas(tiles, size))

    def draw_voxels(self, id: str) -> bytes:
        """The models of all patterns in one picture, as PNG."""
        tiles = self._library.load(id)
        return self._answers.get((id, "voxels"), lambda: draw_voxels(tiles))

    def _find_voxels(self, id: str) -> VoxelAnswer | None:
        tiles = self._library.load(id)
        if is_plane(tiles.topology):
            return None
        return VoxelAnswer(url=link(id, "voxels.png"), **lay_out_voxels(tiles)._asdict())

    def draw_sample(self, id: str, seed: int | None) -> bytes:
        """A small map, as PNG."""
        tiles, budget = self._library.load(id), Budget(ms=self._limits.quick_seconds * 1e3)
        return self._answers.get((id, "sample", seed), lambda: draw_sample(tiles, seed, budget))

    def draw_tile(self, id: str, name: str, size: int | None) -> bytes:
        """A tile as it is drawn, or a pattern by its full name, as PNG."""
        tiles = self._library.load(id)
        pattern = find_pattern(tiles, name)
        return self._answers.get((id, pattern, size), lambda: draw_pattern(tiles, pattern, size))


def run_audit(tiles: TileSet, deep: bool) -> bytes:
    """The audit, with a checkpoint wherever it reports progress, as JSON."""
    report = audit(tiles, deep, lambda done, stages, what: checkpoint())
    return to_json(report.to_dict(), inf_nan_mode="null")


def find_pattern(tiles: TileSet, name: str) -> int:
    """The number of a pattern, or of the first of a tile."""
    try:
        return int(tiles.rules.patterns(name)[0])
    except TileSetError:
        raise unknown("tile", name, tiles.rules.tiles) from None
