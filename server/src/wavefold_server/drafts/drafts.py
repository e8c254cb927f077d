"""Drafts of tile sets: compiled once, solved again whenever a weight changes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from pydantic_core import to_json

from wavefold import lint
from wavefold.constraints import find_path
from wavefold.errors import FormatError, TileSetError
from wavefold.formats import TILES_FILE, decode_tables, encode_tables, encode_toml, list_tiles
from wavefold.options import LimitError
from wavefold.solver import Problem, Solver, unpack_bits
from wavefold.storage import BoundedCache
from wavefold.tiles import LearnedTileSet, Relation, TileSet, get_ring
from wavefold.topology import Topology, get_lattice_class, is_plane
from wavefold_server.drafts.models import (
    DraftBody,
    DraftMapAnswer,
    DraftMapRequest,
    DraftPattern,
    DraftRulesAnswer,
    DraftTileSetRequest,
    NeighbourAnswer,
    PicturesRequest,
)
from wavefold_server.drafts.pictures import SHEET, add_drawn, cut_tiles, list_colours
from wavefold_server.drafts.starters import find_starter
from wavefold_server.problems import limit_problem
from wavefold_server.sketches.sketch import PREVIEW
from wavefold_server.tilesets.library import estimate_bytes
from wavefold_server.tilesets.models import UploadAnswer
from wavefold_server.tilesets.upload import check_words, input_limits
from wavefold_server.tilesets.views import run_audit

if TYPE_CHECKING:
    from wavefold_server.service import Service

ROOM = 64 << 20  # bytes of compiled drafts, about
MOST_GRIDS = 16

Tables = dict[str, Any]


class Drafts:
    """Answers about drafts. Everything takes a while at first: call it in a thread.

    What is compiled is remembered by what the tables say, but for weights: these change with every move of a
    slider, and need no new rules.
    """

    def __init__(self, service: Service) -> None:
        self._limits, self._library = service.limits, service.tilesets
        self._sets: BoundedCache[TileSet] = BoundedCache(ROOM, estimate_bytes)
        self._bases: BoundedCache[bytes] = BoundedCache(ROOM, len)
        self._grids: BoundedCache[Topology] = BoundedCache(MOST_GRIDS)

    def describe_rules(self, body: DraftBody) -> bytes:
        """Patterns, neighbours and findings, as JSON."""
        bare, _ = split_weights(body.tables)
        return summarize_rules(self._compile(bare)).model_dump_json().encode()

    def make_map(self, request: DraftMapRequest) -> DraftMapAnswer:
        """A map, not refined. Raises `Contradiction` and `OutOfBudget` as `wf.generate` does."""
        began = perf_counter()
        bare, given = split_weights(request.tables)
        tiles = self._compile(bare)
        weighted = tiles.with_pattern_weights(weigh_patterns(tiles, given))
        size = tiles.topology, request.width, request.height
        grid = self._grids.get(size, lambda: get_lattice_class(tiles.topology).of_size(*size[1:]))
        solution = Solver(Problem(weighted, grid), seed=request.seed).run(PREVIEW)
        return DraftMapAnswer(
            patterns=solution.patterns.tolist(),
            backtracks=solution.stats.backtracks,
            milliseconds=round((perf_counter() - began) * 1e3, 2),
        )

    def audit(self, body: DraftBody) -> bytes:
        """The report, as JSON."""
        return run_audit(self._read(body.tables), deep=False)

    def cut_pictures(self, request: PicturesRequest) -> bytes:
        """Pictures as tiles: tables and a sheet, as JSON."""
        with naming_limits():
            return encode_base(cut_tiles(request, input_limits(self._limits)))

    def store(self, request: DraftTileSetRequest) -> UploadAnswer:
        """Store a draft as a tile set; what is said of it."""
        files: dict[str, bytes] = {}
        if request.base is not None:
            files = encode_toml(self.load_base(request.base), TILES_FILE)
        with naming_limits():
            tables, pictures = add_drawn(request.tables, files, input_limits(self._limits))
        tiles = self._read(tables, pictures)
        check_words(tiles)
        summary, _ = self._library.store(tiles, "uploaded")
        return UploadAnswer(**summary.model_dump(), findings=list(lint(tiles)))

    def load_base(self, id: str) -> TileSet:
        """The tile set that a draft began as: a starter, or one of the library."""
        return find_starter(id) or self._library.load(id)

    def describe_base(self, id: str) -> bytes:
        """Its tables and pictures, as JSON."""
        if find_starter(id) is None:
            self._library.describe(id)  # raises for one that was deleted meanwhile
        return self._bases.get(id, lambda: encode_base(self.load_base(id)))

    def _compile(self, bare: Tables) -> TileSet:
        return self._sets.get(json.dumps(bare, sort_keys=True), lambda: self._read(bare))

    def _read(self, tables: Tables, pictures: Mapping[str, bytes] | None = None) -> TileSet:
        """A tile set, without pictures unless given, within the limits of the server."""
        with naming_limits():
            tiles = decode_tables(tables, pictures, self._limits.patterns)
        check_kind(tiles)
        if any(find_path(constraint) for constraint in tiles.constraints):
            raise FormatError("a constraint names a file; give the area itself")
        return tiles


@contextmanager
def naming_limits() -> Iterator[None]:
    """Turn errors about limits into problems that name the limit of the server."""
    try:
        yield
    except LimitError as error:
        status = 413 if error.limit == "pixels" else 422
        raise limit_problem(error.limit, error.most, str(error), status) from error


def check_kind(tiles: TileSet) -> None:
    """Raise for tiles that cannot be changed one by one, or not be shown flat."""
    if isinstance(tiles, LearnedTileSet) or not is_plane(tiles.topology):
        raise FormatError(
            "only tiles for squares or hexagons, with sockets or neighbour rules, can be changed one by one"
        )


def encode_base(tiles: TileSet) -> bytes:
    """A tile set to begin with: tables, with a socket for each side; pictures; a palette; as JSON.

    What calibrating found is left out: it holds for the weights that were.
    """
    check_kind(tiles)
    data = encode_tables(tiles)
    for key in ("activities", "reached", "refine"):
        data["tables"].pop(key, None)
    for table, tile in zip(data["tables"]["tiles"], tiles.tiles, strict=True):
        if tile.sockets is not None:
            table["sockets"] = list(tile.sockets)
    pictures = {name: data["files"][name] for name in (SHEET,) if name in data["files"]}
    return to_json({"tables": data["tables"], "files": pictures, "palette": list_colours(pictures)})


def split_weights(tables: Tables) -> tuple[Tables, list[Any]]:
    """The tables without weights, and for each tile what it has as `weights` or `weight`."""
    bare, weights = [], []
    for tile in list_tiles(tables):
        weights.append(tile.get("weights", tile.get("weight", 1)))
        bare.append({key: value for key, value in tile.items() if key not in ("weight", "weights")})
    return {**tables, "tiles": bare}, weights


def weigh_patterns(tiles: TileSet, given: list[Any]) -> NDArray[np.float64]:
    """[pattern] its weight, from one for each tile, or one for each of its patterns."""
    counts, found = Counter(tiles.pattern_table.tile_of), []
    for number, (tile, weight) in enumerate(zip(tiles.tiles, given, strict=True)):
        row = weight if isinstance(weight, list) else [weight] * counts[number]
        if len(row) != counts[number] or not all(is_weight(each) for each in row):
            raise TileSetError(
                f"the weights of tile {tile.name!r} must be numbers above 0, one for each of its "
                f"{counts[number]} patterns, or one for all"
            )
        found += row
    return np.array(found, np.float64)


def is_weight(value: Any) -> bool:
    """Whether this is a number above zero, and not infinite."""
    return type(value) in (int, float) and 0 < value < float("inf")


def summarize_rules(tiles: TileSet) -> DraftRulesAnswer:
    """What the sockets, symmetries and neighbour rules of a tile set mean."""
    rules, ring = tiles.rules, get_ring(tiles.topology)
    return DraftRulesAnswer(
        directions=list(tiles.directions),
        opposite=tiles.opposite,
        patterns=[
            DraftPattern(
                name=pattern.name,
                tile=tile,
                orientation=ring.spell(pattern.orientation),
                level=pattern.level,
                sockets=None if pattern.sockets is None else list(pattern.sockets),
            )
            for pattern, tile in zip(tiles.patterns, tiles.pattern_table.tile_of, strict=True)
        ],
        neighbours=[describe_relation(each, len(tiles)) for each in rules.relations],
        kinds=rules.kinds.tolist(),
        findings=list(lint(tiles)),
    )


def describe_relation(relation: Relation, count: int) -> NeighbourAnswer:
    """What may stand on one side of each pattern."""
    rows = [np.flatnonzero(unpack_bits(row, count)).tolist() for row in relation.rows]
    return NeighbourAnswer(class_of=relation.class_of.tolist(), rows=rows)
