"""Maps for Godot: a scene with the cells, its TileSet, and the atlas of the TileSet.

Cells have the same coordinates in the scene as in the map: (x, y), or (q, r) on hexagons. For a part of a
world, these are the coordinates in the world. The custom data of each tile in the TileSet name the tile and
its pattern. Turned and mirrored patterns are the same tile with Godot's transform flags, if the flags can
draw them.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.godot.atlas import Atlas, check_atlas, draw_atlas, list_atlas_cells, list_groups
from wavefold.formats.header import check_names, encode_utf8, find_tileset_name, make_header, to_json
from wavefold.formats.pattern_sheet import WrittenMap, check_name
from wavefold.formats.schema import MOST_CELLS
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.png import encode_png
from wavefold.tiles import TileSet
from wavefold.tiles.objects import Placements
from wavefold.topology import HexGrid, Lattice, SquareGrid

NEAREST_FILTER = 1  # texture filter: sharp pixels, whatever the project's setting
HEXAGON_SHAPE = 3  # shape of tiles; squares are the default
# The layouts with axial coordinates: a step in r goes down and half a cell to the right; on flat hexagons, a
# step in q goes to the right and half a cell down.
STAIRS_RIGHT, STAIRS_DOWN = 2, 3
HORIZONTAL, VERTICAL = 0, 1  # the axis along which every other line is shifted
STRING_TYPE, STRING_LIST_TYPE = 4, 34  # types of custom data
CELL_FORMAT = 0  # of the cells
LOWEST_COORDINATE, HIGHEST_COORDINATE = -(1 << 15), (1 << 15) - 1  # coordinates have 16 bits
ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def encode_godot(written: WrittenMap) -> dict[Path, bytes]:
    """The files of a map: the atlas, the TileSet and the scene.

    Each object becomes a `Marker2D` in a group with its name.
    """
    solution, path = written.solution, written.path
    problem = solution.problem
    grid = check_grid(problem, path, written.origin)
    atlas = draw_atlas(solution, written.tile_size, written.unused)
    tileset, picture = list_godot_companions(path)
    scene = format_scene(solution, grid, atlas, tileset.name)
    return {
        picture: encode_png(atlas.pixels),
        tileset: encode_lines(format_tileset(problem, atlas, picture.name)),
        path: encode_lines(chain(scene, format_objects(solution, atlas, written.placements))),
    }


def list_godot_companions(path: Path) -> tuple[Path, Path]:
    """The files written beside a scene: its TileSet and its atlas."""
    return path.with_name(f"{path.stem}-tileset.tres"), path.with_name(f"{path.stem}-atlas.png")


def check_godot(
    problem: Problem, path: str | os.PathLike[str], origin: tuple[int, ...] | None = None, **options: Any
) -> None:
    """Raise before solving if the map could not be written."""
    check_grid(problem, Path(path), origin)
    check_atlas(problem, options.get("tile_size"))


def check_grid(problem: Problem, path: Path, origin: tuple[int, ...] | None) -> Lattice:
    """The grid of a map that Godot can show; raises `ConfigError` for any other."""
    check_name(path)
    check_names(problem.rules.names)
    topology = problem.topology
    if not isinstance(topology, SquareGrid | HexGrid):
        raise ConfigError(
            f"Godot's TileMapLayer supports square and hex cells, not {topology.kind} cells; "
            "save the map as .json, or a cube map as .glb"
        )
    if topology.cell_count > MOST_CELLS:
        raise ConfigError(f"a map for Godot has at most {MOST_CELLS:,} cells")
    cells = locate_cells(topology, origin)
    if cells.min() < LOWEST_COORDINATE or cells.max() > HIGHEST_COORDINATE:
        farthest = max(cells.min(), cells.max(), key=abs)
        raise ConfigError(
            f"the coordinate {farthest:,} is out of Godot's range, {LOWEST_COORDINATE:,} to "
            f"{HIGHEST_COORDINATE:,}; save the map as .json or .npz"
        )
    return topology


def locate_cells(grid: Lattice, origin: tuple[int, ...] | None) -> NDArray[np.int64]:
    """int64 [cell, (x, y)]: the positions of cells in Godot."""
    return grid.coordinates.astype(np.int64) + np.array(origin or (0, 0), np.int64)


# --- content of the files -------------------------------------------------------------------------


def format_tileset(problem: Problem, atlas: Atlas, picture: str) -> Iterator[str]:
    """The lines of the TileSet file."""
    has_groups = bool(problem.rules.groups)
    yield '[gd_resource type="TileSet" load_steps=3 format=3]'
    yield ""
    yield f'[ext_resource type="Texture2D" path={quote(picture)} id="1"]'
    yield ""
    yield '[sub_resource type="TileSetAtlasSource" id="Atlas"]'
    yield f"resource_name = {quote(find_tileset_name(problem) or 'tiles')}"
    yield 'texture = ExtResource("1")'
    yield f"texture_region_size = {format_vector(atlas.width, atlas.height)}"
    for tile, pattern in enumerate(atlas.drawn):
        yield from format_tile(problem, pattern, atlas.position(tile), has_groups)
    yield ""
    yield "[resource]"
    yield from format_shape(problem.topology)
    yield f"tile_size = {format_vector(atlas.width, atlas.height)}"
    layers = (("tile", STRING_TYPE), ("pattern", STRING_TYPE), ("groups", STRING_LIST_TYPE))
    for number, (name, kind) in enumerate(layers[: 2 + has_groups]):
        yield f"custom_data_layer_{number}/name = {quote(name)}"
        yield f"custom_data_layer_{number}/type = {kind}"
    yield 'sources/0 = SubResource("Atlas")'


def format_shape(topology: object) -> Iterator[str]:
    """The lines with the cell layout; Godot's default is squares in rows and columns."""
    if isinstance(topology, HexGrid):
        flat = topology.layout == "flat"
        yield f"tile_shape = {HEXAGON_SHAPE}"
        yield f"tile_layout = {STAIRS_DOWN if flat else STAIRS_RIGHT}"
        yield f"tile_offset_axis = {VERTICAL if flat else HORIZONTAL}"


def format_tile(problem: Problem, pattern: int, position: tuple[int, int], has_groups: bool) -> Iterator[str]:
    """The lines of one tile in the atlas."""
    rules = problem.rules
    tile = f"{position[0]}:{position[1]}/0"
    yield f"{tile} = 0"
    yield f"{tile}/probability = {float(rules.weights[pattern])!r}"
    yield f"{tile}/custom_data_0 = {quote(rules.tiles[rules.tile_of[pattern]])}"
    yield f"{tile}/custom_data_1 = {quote(rules.names[pattern])}"
    if has_groups:
        groups = ", ".join(map(quote, list_groups(problem, pattern)))
        yield f"{tile}/custom_data_2 = PackedStringArray({groups})"


def format_scene(solution: Map, grid: Lattice, atlas: Atlas, tileset: str) -> Iterator[str]:
    """The lines of the scene: a node for the map, which contains a node for the tiles."""
    header = make_header(solution)
    yield "[gd_scene load_steps=2 format=4]"
    yield ""
    yield f'[ext_resource type="TileSet" path={quote(tileset)} id="1"]'
    yield ""
    yield '[node name="Map" type="Node2D"]'
    yield f"metadata/wavefold = {quote(to_json({**header, 'statistics': None}))}"
    yield ""
    yield '[node name="Tiles" type="TileMapLayer" parent="."]'
    yield f"texture_filter = {NEAREST_FILTER}"
    yield f"tile_map_data = PackedByteArray({quote(b64encode(encode_cells(solution, grid, atlas)).decode())})"
    yield 'tile_set = ExtResource("1")'


def format_objects(solution: Map, atlas: Atlas, placements: Placements | None) -> Iterator[str]:
    """The lines of the objects: one node each, at its position in pixels, within a common node."""
    tiles, grid = solution.problem.tiles, solution.problem.topology
    if placements is None or not isinstance(tiles, TileSet) or not isinstance(grid, Lattice):
        return
    x, y = locate_cells(grid, getattr(solution, "origin", None))[placements.cells].T.astype(np.float64)
    if isinstance(grid, HexGrid):  # rows of hexagons overlap by a quarter
        x, y = (x * 0.75, y + x / 2) if grid.layout == "flat" else (x + y / 2, y * 0.75)
    across = placements.jitter * atlas.width
    points = np.stack([(x + 0.5) * atlas.width, (y + 0.5) * atlas.height], axis=1) + across
    yield ""
    yield '[node name="Objects" type="Node2D" parent="."]'
    standing = zip(placements.kinds.tolist(), points.tolist(), strict=True)
    for number, (kind, point) in enumerate(each_checked(standing)):
        name = quote(tiles.objects[kind].name)
        yield ""
        yield f'[node name="Object{number}" type="Marker2D" parent="Objects" groups=[{name}]]'
        yield "position = Vector2({:g}, {:g})".format(*point)
        yield f"metadata/object = {name}"


def encode_cells(solution: Map, grid: Lattice, atlas: Atlas) -> bytes:
    """The decided cells as Godot stores them, in numbers of 16 bits.

    The first number is the format. Each cell then has six: x, y, the source, the column and row in the atlas,
    and the alternative with its flags.
    """
    known = solution.patterns >= 0
    used, inverse = np.unique(solution.patterns[known], return_inverse=True)
    cells = np.zeros((int(known.sum()), 6), np.int64)
    cells[:, :2] = locate_cells(grid, getattr(solution, "origin", None))[known]
    cells[:, 3:] = list_atlas_cells(atlas, used.tolist())[inverse]
    if not len(cells):
        return b""
    return CELL_FORMAT.to_bytes(2, "little") + (cells & 0xFFFF).astype("<u2").tobytes()


def encode_lines(lines: Iterable[str]) -> bytes:
    """The content of a text file."""
    return encode_utf8("\n".join([*lines, ""]))


def quote(text: str) -> str:
    """A text in Godot's notation."""
    return f'"{text.translate(ESCAPES)}"'


def format_vector(x: int, y: int) -> str:
    """Two integers in Godot's notation."""
    return f"Vector2i({x}, {y})"
