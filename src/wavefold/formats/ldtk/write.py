"""Maps for LDtk: a project of one level with its objects, and beside it the sheet of its tiles.

Each pattern is a separate tile, because LDtk can mirror tiles but not turn them. The custom data of a tile
are the full name of its pattern, which identifies it in edited maps. Groups of tiles are values of an IntGrid
layer, or of several layers if groups overlap. A part of a world is a level at its position.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError
from wavefold.formats.header import check_names, encode_utf8, find_tileset_name, make_header, to_json
from wavefold.formats.ldtk.definitions import (
    FIRST_LAYER_UID,
    GROUPS_LAYER,
    OBJECTS_LAYER,
    TILES_LAYER,
    TILESET_UID,
    Fields,
    LayerParts,
    make_identifiers,
    make_iid,
    make_layer,
    make_level,
    make_project,
    make_tileset_definition,
)
from wavefold.formats.nodes import LARGEST_NUMBER, MOST_BYTES
from wavefold.formats.pattern_sheet import TileSheet, WrittenMap, check_name, check_sheet, draw_tile_sheet
from wavefold.formats.schema import MOST_CELLS
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.render.object_pictures import ObjectStamp, choose_mark_colour, make_stamps
from wavefold.render.tile_pictures import get_flat_colours
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.png import encode_png
from wavefold.tiles import MapObject, TileSet
from wavefold.tiles.objects import Placements
from wavefold.topology import SquareGrid

OWN_ENTITY_NOTE = "An object of wavefold."  # the description that marks our entities in LDtk
ENTITY_DEFINITION: Fields = {
    "tags": [],
    "exportToToc": False,
    "allowOutOfBounds": True,
    "doc": OWN_ENTITY_NOTE,
    "resizableX": False,
    "resizableY": False,
    "minWidth": None,
    "maxWidth": None,
    "minHeight": None,
    "maxHeight": None,
    "keepAspectRatio": False,
    "tileOpacity": 1,
    "fillOpacity": 0.3,
    "lineOpacity": 1,
    "hollow": False,
    "renderMode": "Ellipse",
    "showName": True,
    "tilesetId": None,
    "tileRenderMode": "FitInside",
    "tileRect": None,
    "uiTileRect": None,
    "nineSliceBorders": [],
    "maxCount": 0,
    "limitScope": "PerLevel",
    "limitBehavior": "MoveLastOne",
    "fieldDefs": [],
}
LEAST_TILE_BYTES = 60  # per tile in the file
TOO_LARGE_MESSAGE = "the map is too large to be read back from LDtk; save it as .tmj or .npz"

Origin = tuple[int, ...]


class Entities:
    """The objects of a map as entities, on cells `size` pixels across."""

    def __init__(self, problem: Problem, size: int, placements: Placements, iid: str) -> None:
        tiles = problem.tiles
        assert isinstance(tiles, TileSet)
        self.grid, self.size, self.placements, self.iid = problem.topology, size, placements, iid
        self.objects = tiles.objects
        self.identifiers = make_identifiers(each.name for each in tiles.objects)
        self.stamps: dict[int, ObjectStamp] = make_stamps(problem, size, np.arange(len(tiles.objects)))

    def definitions(self, first_uid: int) -> list[Fields]:
        """The definition of an entity for each kind of object; their uids begin with `first_uid`."""
        return [self._definition(kind, each, first_uid + kind) for kind, each in enumerate(self.objects)]

    def _definition(self, kind: int, each: MapObject, uid: int) -> Fields:
        width, height = self.stamps[kind].image.size
        own = {"identifier": self.identifiers[kind], "uid": uid, "width": width, "height": height}
        return (
            ENTITY_DEFINITION
            | own
            | {
                "color": self._colour(kind),
                "pivotX": each.anchor[0],
                "pivotY": each.anchor[1],
            }
        )

    def _colour(self, kind: int) -> str:
        red, green, blue = choose_mark_colour(self.objects[kind], kind)[:3]
        return f"#{red:02X}{green:02X}{blue:02X}"

    def layer(self, uid: int, corner: tuple[int, int]) -> LayerParts:
        """The layer of the entities. The uids of their definitions follow that of the layer.

        corner : the position of the level in the world, in pixels
        """
        grid = self.grid
        assert isinstance(grid, SquareGrid)
        places = grid.coordinates[self.placements.cells]
        points = np.round((places + 0.5 + self.placements.jitter) * self.size).astype(int)
        placed: list[Any] = [
            {
                "__identifier": self.identifiers[kind],
                "__grid": place,
                "__pivot": list(self.objects[kind].anchor),
                "__tags": [],
                "__tile": None,
                "__smartColor": self._colour(kind),
                "iid": make_iid(self.iid, OBJECTS_LAYER, *place),
                "width": self.stamps[kind].image.width,
                "height": self.stamps[kind].image.height,
                "defUid": uid + 1 + kind,
                "px": point,
                "fieldInstances": [],
                "__worldX": corner[0] + point[0],
                "__worldY": corner[1] + point[1],
            }
            for kind, place, point in zip(
                self.placements.kinds.tolist(), places.tolist(), points.tolist(), strict=True
            )
        ]
        of_layer = uid, make_iid(self.iid, OBJECTS_LAYER), (grid.width, grid.height)
        return make_layer(
            "Entities", OBJECTS_LAYER, *of_layer, {"gridSize": self.size}, {"entityInstances": placed}
        )


def encode_ldtk(written: WrittenMap) -> dict[Path, bytes]:
    """The files of a map: the sheet of its tiles, and the project. Objects become entities."""
    solution, path = written.solution, written.path
    grid = check_grid(solution.problem, path)
    sheet = draw_tile_sheet(solution, written.tile_size, written.unused)
    check_reach(grid, sheet.width, written.origin)
    (picture,) = list_ldtk_companions(path)
    data = build_project(solution, grid, sheet, picture.name, written.placements)
    project = encode_utf8(to_json(data) + "\n")
    if len(project) > MOST_BYTES:
        raise ConfigError(f"cannot write {str(path)!r}: {TOO_LARGE_MESSAGE}")
    return {picture: encode_png(sheet.pixels), path: project}


def list_ldtk_companions(path: Path) -> tuple[Path]:
    """The file written beside a map: the sheet of its tiles."""
    return (path.with_name(f"{path.stem}-tileset.png"),)


def check_ldtk(
    problem: Problem, path: str | os.PathLike[str], origin: Origin | None = None, **options: Any
) -> None:
    """Raise before solving if the map could not be written."""
    grid = check_grid(problem, Path(path))
    width, _ = check_sheet(problem, options.get("tile_size"))
    check_reach(grid, width, origin)
    if problem.cell_count * LEAST_TILE_BYTES > MOST_BYTES:
        raise ConfigError(f"cannot write {str(path)!r}: {TOO_LARGE_MESSAGE}")


def check_grid(problem: Problem, path: Path) -> SquareGrid:
    """The grid of a map that LDtk can show; raises `ConfigError` for any other."""
    check_name(path)
    check_names(problem.rules.names)
    topology = problem.topology
    if not isinstance(topology, SquareGrid):
        raise ConfigError(
            f"LDtk supports square cells, not {topology.kind} cells; save the map as .json, or hexagons as "
            ".tmj for Tiled or .tscn for Godot"
        )
    if topology.width * topology.height > MOST_CELLS:
        raise ConfigError(f"a map for LDtk has at most {MOST_CELLS:,} cells")
    return topology


def check_reach(grid: SquareGrid, size: int, origin: Origin | None) -> None:
    """Raise if a part of a world is outside LDtk's range of pixels."""
    column, row = origin or (0, 0)
    farthest = max(abs(column), abs(column + grid.width), abs(row), abs(row + grid.height))
    if farthest * size > LARGEST_NUMBER:
        raise ConfigError(
            f"column {column:,}, row {row:,} is out of LDtk's range, which counts pixels with 32 bits; "
            "save the map as .json or .npz"
        )


# --- content of the project -----------------------------------------------------------------------


def build_project(
    solution: Map, grid: SquareGrid, sheet: TileSheet, picture: str, placements: Placements | None = None
) -> Fields:
    """The project as JSON data."""
    rules = solution.problem.rules
    header = make_header(solution)
    iid = make_iid(rules.digest, header["seed"], header["origin"], to_json(header["topology"]))
    numbers = grid.to_array(solution.patterns, missing=-1)  # [row, column]
    # The top layer first: entities, then tiles.
    layers = [make_tile_layer(numbers, sheet, picture, iid)]
    layers += make_group_layers(solution.problem, numbers, sheet.width, iid)
    names = [rules.names[pattern] for pattern in sheet.patterns]
    title = make_identifiers([find_tileset_name(solution.problem) or "Tileset"])[0]
    column, row = getattr(solution, "origin", None) or (0, 0)
    entities: list[Fields] = []
    if placements is not None:
        uid = FIRST_LAYER_UID + len(layers)
        found = Entities(solution.problem, sheet.width, placements, iid)
        layers.insert(0, found.layer(uid, (column * sheet.width, row * sheet.width)))
        entities = found.definitions(uid + 1)
    level = make_level(
        make_iid(iid, "level"),
        (column * sheet.width, row * sheet.width),
        (grid.width * sheet.width, grid.height * sheet.width),
        to_json({**header, "statistics": None}),
        layers,
    )
    return make_project(iid, layers, make_tileset_definition(sheet, title, picture, names), level, entities)


def make_tile_layer(numbers: NDArray[np.int64], sheet: TileSheet, picture: str, iid: str) -> LayerParts:
    """The layer of tiles; missing and undecided cells are empty."""
    height, width = numbers.shape
    tile = np.full(int(max(sheet.patterns)) + 1, -1, np.int64)
    tile[sheet.patterns] = np.arange(len(sheet.patterns))
    rows, columns = np.nonzero(numbers >= 0)
    size = sheet.width
    placed = [
        {
            "px": [column * size, row * size],
            "src": [number % sheet.columns * size, number // sheet.columns * size],
            "f": 0,
            "t": number,
            "d": [row * width + column],
            "a": 1,
        }
        for row, column, number in each_checked(
            zip(rows.tolist(), columns.tolist(), tile[numbers[rows, columns]].tolist(), strict=True)
        )
    ]
    definition = {"gridSize": size, "tilesetDefUid": TILESET_UID}
    instance = {"__tilesetDefUid": TILESET_UID, "__tilesetRelPath": picture, "gridTiles": placed}
    of_layer = FIRST_LAYER_UID, make_iid(iid, TILES_LAYER), (width, height)
    return make_layer("Tiles", TILES_LAYER, *of_layer, definition, instance)


def make_group_layers(
    problem: Problem, numbers: NDArray[np.int64], size: int, iid: str
) -> Iterator[LayerParts]:
    """The layers with the group of each cell: values from 1 in the order of the groups, 0 for no group."""
    groups = problem.rules.groups
    values = {group: number for number, group in enumerate(groups, 1)}
    listed = dict(zip(groups, make_group_values(problem), strict=True))
    for index, together in enumerate(separate_groups(groups)):
        value_of = np.zeros(len(problem.rules) + 1, np.int64)  # at index -1: missing and undecided cells
        for group in together:
            value_of[groups[group]] = values[group]
        name = GROUPS_LAYER if index == 0 else f"{GROUPS_LAYER}_{index + 1}"
        definition = {"gridSize": size, "intGridValues": [listed[group] for group in together]}
        of_layer = FIRST_LAYER_UID + 1 + index, make_iid(iid, name), (numbers.shape[1], numbers.shape[0])
        cells = {"intGridCsv": value_of[numbers].ravel().tolist()}
        yield make_layer("IntGrid", name, *of_layer, definition, cells)


def make_group_values(problem: Problem) -> Iterator[Fields]:
    """The IntGrid value of each group: its name, and the mean colour of its tiles."""
    groups = problem.rules.groups
    colours = get_flat_colours(problem) if groups else None
    for number, (identifier, patterns) in enumerate(
        zip(make_identifiers(groups), groups.values(), strict=True)
    ):
        assert colours is not None
        red, green, blue = colours[patterns, :3].mean(axis=0).round().astype(int).tolist()
        yield {
            "value": number + 1,
            "identifier": identifier,
            "color": f"#{red:02X}{green:02X}{blue:02X}",
            "tile": None,
            "groupUid": 0,
        }


def separate_groups(groups: dict[str, NDArray[np.int64]]) -> list[list[str]]:
    """Split groups greedily into lists of groups that share no pattern."""
    lists: list[list[str]] = []
    for group, patterns in groups.items():
        for others in lists:
            if not any(np.isin(patterns, groups[other]).any() for other in others):
                others.append(group)
                break
        else:
            lists.append([group])
    return lists
