"""The objects of a map as entities of LDtk: a kind for each object, and an instance where one stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from wavefold.formats.ldtk.definitions import (
    OBJECTS,
    Fields,
    LayerParts,
    layer_parts,
    make_identifiers,
    make_iid,
)
from wavefold.render.object_pictures import ObjectStamp, make_stamps, mark_colour
from wavefold.solver.problem import Problem
from wavefold.tiles import MapObject, TileSet
from wavefold.tiles.objects import Placements
from wavefold.topology import SquareGrid

OWN = "An object of wavefold."  # the description of our kinds of entities in LDtk
ENTITY: Fields = {
    "tags": [],
    "exportToToc": False,
    "allowOutOfBounds": True,
    "doc": OWN,
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


class Entities:
    """The objects of a map, on cells `size` pixels across, as LDtk has them."""

    def __init__(self, problem: Problem, size: int, placements: Placements, iid: str) -> None:
        tiles = problem.tiles
        assert isinstance(tiles, TileSet)
        self.grid, self.size, self.placements, self.iid = problem.topology, size, placements, iid
        self.objects = tiles.objects
        self.identifiers = make_identifiers(each.name for each in tiles.objects)
        self.stamps: dict[int, ObjectStamp] = make_stamps(problem, size, np.arange(len(tiles.objects)))

    def definitions(self, first_uid: int) -> list[Fields]:
        """A kind of entities for each object; `first_uid` and the numbers after it are theirs."""
        return [self._definition(kind, each, first_uid + kind) for kind, each in enumerate(self.objects)]

    def _definition(self, kind: int, each: MapObject, uid: int) -> Fields:
        width, height = self.stamps[kind].image.size
        own = {"identifier": self.identifiers[kind], "uid": uid, "width": width, "height": height}
        return (
            ENTITY
            | own
            | {
                "color": self._colour(kind),
                "pivotX": each.anchor[0],
                "pivotY": each.anchor[1],
            }
        )

    def _colour(self, kind: int) -> str:
        red, green, blue = mark_colour(self.objects[kind], kind)[:3]
        return f"#{red:02X}{green:02X}{blue:02X}"

    def layer(self, uid: int, corner: tuple[int, int]) -> LayerParts:
        """The layer they are in, whose kinds have the numbers after its own.

        corner : of the level in the world, in pixels
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
                "iid": make_iid(self.iid, OBJECTS, *place),
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
        of_layer = uid, make_iid(self.iid, OBJECTS), (grid.width, grid.height)
        return layer_parts(
            "Entities", OBJECTS, *of_layer, {"gridSize": self.size}, {"entityInstances": placed}
        )
