"""Describes tile sets in the models of responses."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from typing import Any
from urllib.parse import quote

from wavefold.constraints import tabulate_constraint
from wavefold.errors import TileSetError
from wavefold.solver import CancelToken, LimitReached, find_certificate, limiting, recommend_sweeps
from wavefold.tiles import LearnedTileSet, Pattern, Tile, TileSet, get_ring
from wavefold.topology import is_plane, list_drawn_directions
from wavefold_server.tilesets.models import (
    AtlasAnswer,
    CertificateAnswer,
    Origin,
    PatternAnswer,
    PictureLinks,
    TileAnswer,
    TileSetAnswer,
    TileSetSummary,
    VoxelAnswer,
)

NOT_FLAT = "; but worlds are flat, and these tiles are not"
CERTIFICATE_SECONDS = 3.0  # an audit may search for longer


def describe_tileset(tiles: TileSet, id: str, origin: Origin, created: float | None = None) -> TileSetSummary:
    """A tile set in a list; takes a moment, as it searches for a certificate."""
    certificate = describe_certificate(tiles)
    return TileSetSummary(
        id=id,
        name=tiles.name or id,
        origin=origin,
        description=tiles.description,
        topology=tiles.topology,
        tile_count=len(tiles.tiles),
        pattern_count=len(tiles),
        size=None if tiles.size is None else list(tiles.size),
        digest=tiles.rules.digest,
        worlds=certificate.verdict == "periodic" and is_plane(tiles.topology),
        certificate=certificate,
        pictures=PictureLinks(sample=link(id, "sample.png"), atlas=link(id, "atlas.png")),
        created=created,
    )


def describe_certificate(tiles: TileSet) -> CertificateAnswer:
    """Whether endless maps are possible, if that is found out quickly."""
    token = CancelToken()
    token.start(CERTIFICATE_SECONDS)
    try:
        with limiting(token.check):
            found = find_certificate(tiles)
    except LimitReached:
        return CertificateAnswer(verdict="unknown", text="the search was stopped; an audit takes longer")
    return CertificateAnswer(
        verdict=found.verdict,
        text=str(found) + ("" if is_plane(tiles.topology) else NOT_FLAT),
        size=list(found.size),
        mixing=found.mixing,
    )


def describe_whole(
    tiles: TileSet, summary: TileSetSummary, atlas: AtlasAnswer, voxels: VoxelAnswer | None
) -> TileSetAnswer:
    """Everything about a tile set."""
    numbers: dict[str, list[int]] = {tile.name: [] for tile in tiles.tiles}
    for number, pattern in enumerate(tiles.patterns):
        numbers[pattern.tile.name].append(number)
    weights = tiles.rules.weights.tolist()
    values = tiles.values if isinstance(tiles, LearnedTileSet) else [None] * len(tiles)
    return TileSetAnswer(
        **summary.model_dump(),
        directions=list(tiles.directions),
        sweeps=recommend_sweeps(tiles),
        tiles=[describe_tile(tile, tiles, numbers[tile.name], summary.id) for tile in tiles.tiles],
        patterns=[
            describe_pattern(*each, tiles.topology)
            for each in zip(tiles.patterns, weights, values, strict=True)
        ],
        groups={name: found.tolist() for name, found in tiles.pattern_table.groups.items()},
        constraints=list_constraints(tiles),
        objects=[each.name for each in tiles.objects],
        atlas=atlas,
        voxels=voxels,
    )


def describe_tile(tile: Tile, tiles: TileSet, patterns: list[int], id: str) -> TileAnswer:
    """A tile as it was drawn."""
    sides = list_drawn_directions(tiles.topology)
    limits = tile.limits if not isinstance(tile.limits, Mapping) else [tile.limits] if tile.limits else []
    return TileAnswer(
        name=tile.name,
        weight=tile.weight,
        symmetry=tile.symmetry if isinstance(tile.symmetry, str) else list(tile.symmetry),
        sockets=None if tile.sockets is None else dict(zip(sides, tile.sockets, strict=True)),
        levels=tile.levels,
        rises=list(tile.rises),
        apart=tile.apart,
        limits=[{name: (finite(low), finite(high)) for name, (low, high) in each.items()} for each in limits],
        meets=[list(group) for group in tile.meets],
        patterns=patterns,
        picture=link(id, "tiles", f"{tile.name}.png"),
    )


def describe_pattern(pattern: Pattern, weight: float, value: Any, topology: str) -> PatternAnswer:
    """A tile in one orientation, at one height."""
    return PatternAnswer(
        name=pattern.name,
        tile=pattern.tile.name,
        weight=weight,
        level=pattern.level,
        orientation=get_ring(topology).spell(pattern.orientation),
        sockets=None if pattern.sockets is None else list(pattern.sockets),
        value=value,
    )


def finite(value: float) -> float | None:
    """A number; JSON has no infinite ones."""
    return value if isfinite(value) else None


def list_constraints(tiles: TileSet) -> list[dict[str, Any]]:
    """The own constraints of a tile set; those of other packages may have no table."""
    found = []
    for constraint in tiles.constraints:
        with suppress(TileSetError):
            found.append(tabulate_constraint(constraint))
    return found


def link(id: str, *parts: str) -> str:
    """The path of something that belongs to a tile set."""
    return "/".join(["/api/v1/tilesets", *(quote(part, safe="") for part in (id, *parts))])
