"""What can be seen of a tile set: its description, its pictures, its audit. Drawn once, then remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wavefold.auditing import audit
from wavefold.common.cache import BoundedCache
from wavefold.common.checkpoint import CancelToken, LimitReached, checkpoint, limiting
from wavefold.errors import OutOfBudget, TileSetError
from wavefold.service.problems import unknown
from wavefold.service.tilesets.describe import describe_whole, link
from wavefold.service.tilesets.models import AtlasAnswer, AuditRequest, TileSetAnswer
from wavefold.service.tilesets.pictures import draw_atlas, draw_pattern, draw_sample, lay_out_atlas
from wavefold.solver import Budget
from wavefold.tiles import TileSet

if TYPE_CHECKING:
    from wavefold.service.service import Service

CACHE_SHARE = 8  # of all memory for pictures, one part in so many is for those of tile sets
MOST_AUDITS = 64


class TileSetViews:
    """Answers about tile sets. Everything takes a while at first: call it in a thread."""

    def __init__(self, service: Service) -> None:
        self._library, self._limits = service.tilesets, service.limits
        self._pictures: BoundedCache[bytes] = BoundedCache(self._limits.cache_bytes // CACHE_SHARE, len)
        self._audits: BoundedCache[dict[str, Any]] = BoundedCache(MOST_AUDITS)

    def describe(self, id: str) -> TileSetAnswer:
        """Everything about a tile set but its rules."""
        tiles = self._library.load(id)
        layout = lay_out_atlas(tiles, None)._asdict()
        atlas = AtlasAnswer(url=link(id, "atlas.png"), **layout)
        return describe_whole(tiles, self._library.describe(id), atlas)

    def audit(self, id: str, body: AuditRequest) -> dict[str, Any]:
        """The report as plain data. Raises `OutOfBudget` if it takes longer than asked."""
        tiles = self._library.load(id)
        token = CancelToken()
        if body.ms is not None:
            token.start(body.ms / 1e3)
        try:
            with limiting(token.check):
                return self._audits.get((id, body.deep), lambda: run_audit(tiles, body.deep))
        except LimitReached:
            raise OutOfBudget(f"the audit was stopped after {body.ms:g} ms", phase="auditing") from None

    def draw_atlas(self, id: str, size: int | None) -> bytes:
        """All patterns in one picture, as PNG."""
        tiles = self._library.load(id)
        return self._pictures.get((id, "atlas", size), lambda: draw_atlas(tiles, size))

    def draw_sample(self, id: str, seed: int | None) -> bytes:
        """A small map, as PNG."""
        tiles, budget = self._library.load(id), Budget(ms=self._limits.quick_seconds * 1e3)
        return self._pictures.get((id, "sample", seed), lambda: draw_sample(tiles, seed, budget))

    def draw_tile(self, id: str, name: str, size: int | None) -> bytes:
        """A tile as it is drawn, or a pattern by its full name, as PNG."""
        tiles = self._library.load(id)
        pattern = find_pattern(tiles, name)
        return self._pictures.get((id, pattern, size), lambda: draw_pattern(tiles, pattern, size))


def run_audit(tiles: TileSet, deep: bool) -> dict[str, Any]:
    """The audit, with a checkpoint wherever it reports progress."""
    return audit(tiles, deep, lambda done, stages, what: checkpoint()).to_dict()


def find_pattern(tiles: TileSet, name: str) -> int:
    """The number of a pattern, or of the first of a tile."""
    try:
        return int(tiles.rules.patterns(name)[0])
    except TileSetError:
        raise unknown("tile", name, tiles.rules.tiles) from None
