"""Maps as three-dimensional scenes (GLB): hexagonal prisms by level, and cubes.

Each pattern is one mesh and each cell is a node with a position, so that game engines load the scene quickly
and can look up cells and patterns by name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from math import cos, isqrt, pi, sin, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.errors import ConfigError, PluginError
from wavefold.formats.pattern_sheet import check_size
from wavefold.formats.sheet import arrange
from wavefold.kernels.host.checkpoint import each_checked
from wavefold.options.values import parse_size
from wavefold.plugins.map_formats import MapFormat
from wavefold.render.hexes import HexCanvas, HexRaster
from wavefold.render.isometric import draw_block_picture
from wavefold.render.tile_pictures import Pixels
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.storage.files import check_writable, write_atomically
from wavefold.tiles import TileSet
from wavefold.topology import CubeGrid, HexGrid
from wavefold.topology.hex import FIRST_CORNER

MOST_NODES = 100_000


def write_glb(
    solution: Map, path: str | os.PathLike[str], tile_size: int | None = None, step: float = 0.5
) -> None:
    """Write the map as a scene in which y points up.

    Cubes are 1 wide; hexagons measure 1 from the middle to a corner. `tile_size` is the width of the pictures
    on hexagons in pixels, `step` the height of a level. Fully transparent parts and undecided cells are left
    out.
    """
    trimesh = import_trimesh()
    check_writable(path)
    topology = check_topology(solution.problem)
    if not isinstance(step, int | float) or not 0 <= step <= 1000:
        raise ConfigError(f"step must be a number from 0 to 1000, not {step!r}")
    known = np.flatnonzero(solution.patterns >= 0).tolist()
    if len(known) > MOST_NODES:
        raise ConfigError(f"a GLB holds at most {MOST_NODES:,} cells, not {len(known):,}")
    used = np.unique(solution.patterns[known]).tolist()
    shapes: Prisms | Blocks = (
        Prisms(solution.problem, topology, used, tile_size, float(step))
        if isinstance(topology, HexGrid)
        else Blocks(solution.problem, topology)
    )
    solids = {pattern: solid for pattern in used if (solid := shapes.solid(pattern)) is not None}
    cells = [cell for cell in known if int(solution.patterns[cell]) in solids]
    scene = make_scene(trimesh, solution, shapes, solids, cells)
    data = scene.export(file_type="glb")
    with write_atomically(path) as file:
        file.write(data)


def check_glb(problem: Problem, path: str | os.PathLike[str], origin: Any = None, **options: Any) -> None:
    """Raise before solving if the map could not be written."""
    cells = check_topology(problem).cell_count
    import_trimesh()
    if cells > MOST_NODES:
        raise ConfigError(f"a GLB holds at most {MOST_NODES:,} cells, not {cells:,}")


def check_topology(problem: Problem) -> HexGrid | CubeGrid:
    """The topology; raises unless it can be drawn with solids."""
    topology = problem.topology
    if not isinstance(topology, HexGrid | CubeGrid):
        raise ConfigError(
            f"a GLB holds hex and cube maps, not {topology.kind} maps; save a picture or a map for Tiled"
        )
    return topology


def import_trimesh() -> Any:
    """Import trimesh; raises `PluginError` with the extra to install."""
    try:
        return import_module("trimesh")
    except ImportError:
        raise PluginError(
            'writing .glb needs trimesh, which is not installed: pip install "wavefold[export]"'
        ) from None


def make_scene(
    trimesh: Any, solution: Map, shapes: Prisms | Blocks, solids: dict[int, Solid], cells: Iterable[int]
) -> Any:
    """The scene: one mesh per pattern, and one node per cell."""
    names, topology = solution.problem.rules.names, solution.problem.topology
    scene = trimesh.Scene()
    material = None
    if shapes.picture is not None:
        material = trimesh.visual.material.PBRMaterial(
            name="tiles", baseColorTexture=shapes.picture, metallicFactor=0.0, roughnessFactor=1.0
        )
    for pattern, solid in solids.items():
        scene.geometry[names[pattern]] = make_mesh(trimesh, solid, material)
    origin = getattr(solution, "origin", None) or (0,) * len(topology.shape or ())
    for cell in each_checked(cells):
        pattern = int(solution.patterns[cell])
        on_map: Any = topology.coordinate(cell)
        coordinate = [own + offset for own, offset in zip(on_map, origin, strict=True)]
        transform = np.eye(4)
        transform[:3, 3] = shapes.position(cell)
        node = f"cell {' '.join(map(str, coordinate))}"
        scene.graph.update(frame_to=node, matrix=transform, geometry=names[pattern])
    return scene


def make_mesh(trimesh: Any, solid: Solid, material: Any) -> Any:
    """A solid as a mesh, coloured by its part of the picture or by a colour per vertex."""
    if material is not None:
        visual = trimesh.visual.TextureVisuals(uv=solid.surface, material=material)
    else:
        visual = trimesh.visual.ColorVisuals(vertex_colors=solid.surface.astype(np.uint8))
    return trimesh.Trimesh(solid.vertices, solid.faces, visual=visual, process=False)


# --- solids ---------------------------------------------------------------------------------------


class Solid(NamedTuple):
    """A closed surface of triangles, which are counter-clockwise when seen from outside."""

    vertices: NDArray[np.float64]  # [vertex, (x, y, z)]; y points up, z south
    surface: NDArray[Any]  # [vertex, (u, v)] on the picture, or [vertex, RGBA]
    faces: NDArray[np.int64]  # [triangle, 3]


def triangulate_quads(count: int, start: int = 0) -> NDArray[np.int64]:
    """Two triangles for each group of four successive vertices, beginning at `start`."""
    corners = start + 4 * np.arange(count)[:, None]
    return np.asarray(corners + np.array([0, 1, 2, 0, 2, 3])).reshape(-1, 3)


# --- hexagons -------------------------------------------------------------------------------------

GROUND_THICKNESS = 0.5  # of the lowest level
PICTURE_RADIUS_SHARE = 0.92  # of a tile's picture on top of a prism; hides the neighbours on the sheet


class Prisms:
    """The solids of a map of hexagons.

    The sheet has the picture of every pattern. Walls show the colours of the rim above them.
    """

    def __init__(
        self, problem: Problem, topology: HexGrid, used: list[int], tile_size: int | None, step: float
    ) -> None:
        self.problem, self.topology, self.step = problem, topology, step
        width = (
            HexCanvas.find_natural_size(problem) if tile_size is None else parse_size("tile_size", tile_size)
        )
        self.comb = HexRaster.of(width, topology.layout)
        self.columns = max(1, isqrt(len(used)))
        check_size(*self.comb.stamp_size, len(used))
        self.slot = {pattern: number for number, pattern in enumerate(used)}
        self.looks = [self.comb.draw_pattern_picture(problem, pattern) for pattern in used]
        self.picture: Image.Image | None = Image.fromarray(arrange(self.looks, self.columns)).convert("RGB")
        angles = [FIRST_CORNER[topology.layout] + corner * pi / 3 for corner in range(6)]
        # Side i goes from corner i to i + 1.
        self.corners = np.array([(cos(angle), sin(angle)) for angle in angles])

    def position(self, cell: int) -> tuple[float, float, float]:
        """The middle of a cell."""
        x, y = self.topology.centre(cell)
        return x, 0.0, y

    def solid(self, pattern: int) -> Solid | None:
        """The solid of a pattern: the top as a fan, and a wall below each side. None if it is invisible."""
        if not self.looks[self.slot[pattern]][..., 3].any():
            return None
        sides = self.heights(pattern)
        rim = GROUND_THICKNESS + self.step * (sides + np.roll(sides, 1)) / 2  # a corner is between two sides
        middle = GROUND_THICKNESS + self.step * sides.mean()
        top = np.zeros((7, 3))
        top[:6, [0, 2]], top[:6, 1], top[6, 1] = self.corners, rim, middle
        shown = np.concatenate([self.corners, [[0.0, 0.0]]])
        fan = [(6, (side + 1) % 6, side) for side in range(6)]
        walls, colours = [], []
        for side in range(6):
            here, there = top[side], top[(side + 1) % 6]
            below = np.array([1.0, 0.0, 1.0])
            walls += [here, there, there * below, here * below]
            colours += [shown[side], shown[(side + 1) % 6], shown[(side + 1) % 6], shown[side]]
        return Solid(
            np.concatenate([top, np.array(walls)]),
            self.on_sheet(
                np.concatenate([shown, np.array(colours)]) * PICTURE_RADIUS_SHARE, self.slot[pattern]
            ),
            np.concatenate([np.array(fan), triangulate_quads(6, 7)]),
        )

    def heights(self, pattern: int) -> NDArray[np.float64]:
        """float64 [side]: the heights of the sides, in levels."""
        tiles = self.problem.tiles
        if not isinstance(tiles, TileSet):
            return np.zeros(6)
        return np.array(tiles.patterns[pattern].heights, np.float64)

    def on_sheet(self, points: NDArray[np.float64], slot: int) -> NDArray[np.float64]:
        """float64 [vertex, (u, v)]: the positions on the sheet of points around a hexagon's middle."""
        width, height = self.comb.stamp_size
        half, corner = self.comb.across / 2 / (sqrt(3) / 2), self.comb.step * 2 / 3  # pixels for one unit
        scale = np.array([corner, half] if self.comb.flat else [half, corner])
        row, column = divmod(slot, self.columns)
        assert self.picture is not None
        pixels = points * scale + [(column + 0.5) * width, (row + 0.5) * height]  # v points up, rows down
        return np.asarray(pixels / self.picture.size * [1, -1] + [0, 1])


# --- cubes ----------------------------------------------------------------------------------------

# For each face: the step to the adjacent voxel as (layer, row, column), and the corners of a unit cube as
# (x, y, z), y up and z south, counter-clockwise when seen from outside.
VOXEL_FACES = (
    ((1, 0, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0))),
    ((-1, 0, 0), ((0, 0, 1), (0, 0, 0), (1, 0, 0), (1, 0, 1))),
    ((0, 1, 0), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
    ((0, -1, 0), ((1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0))),
    ((0, 0, 1), ((1, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1))),
    ((0, 0, -1), ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0))),
)


class Blocks:
    """The solids of a map of cubes. Vertices have colours, so there is no picture."""

    picture: Image.Image | None = None

    def __init__(self, problem: Problem, topology: CubeGrid) -> None:
        self.problem, self.topology = problem, topology

    def position(self, cell: int) -> tuple[float, float, float]:
        """The position of the lowest northwest corner of a cell."""
        x, y, z = self.topology.coordinate(cell)
        return float(x), float(z), float(y)

    def solid(self, pattern: int) -> Solid | None:
        """The faces of a pattern's model, or a box in the mean colour of its picture; None if invisible."""
        block = draw_block_picture(self.problem, pattern)
        model = block if block.ndim == 4 else make_box_model(block)
        return find_visible_faces(model) if model[..., 3].any() else None


def make_box_model(picture: Pixels) -> Pixels:
    """A model of one voxel in the mean colour of the opaque pixels."""
    pixels = picture.reshape(-1, 4)
    opaque = pixels[pixels[:, 3] > 0]
    mean = opaque.mean(axis=0).round() if len(opaque) else np.zeros(4)
    return mean.astype(np.uint8).reshape(1, 1, 1, 4)


def find_visible_faces(model: Pixels) -> Solid:
    """The faces of voxels beside more transparent ones; the model is 1 wide, deep and high."""
    opacity = model[..., 3].astype(np.int64)
    around = np.pad(opacity, 1)
    layers, rows, columns = opacity.shape
    vertices: list[NDArray[np.float64]] = []
    colours: list[NDArray[np.uint8]] = []
    for (up, south, east), corners in VOXEL_FACES:
        beyond = around[1 + up : 1 + up + layers, 1 + south : 1 + south + rows, 1 + east : 1 + east + columns]
        layer, row, column = np.nonzero((opacity > 0) & (beyond < opacity))
        start = np.stack([column, layer, row], axis=1)[:, None]  # x, y, z
        vertices.append(((start + np.array(corners)) / [columns, layers, rows]).reshape(-1, 3))
        colours.append(np.repeat(model[layer, row, column], 4, axis=0))
    joined = np.concatenate(vertices)
    return Solid(joined, np.concatenate(colours), triangulate_quads(len(joined) // 4))


GLB = MapFormat(
    description="3D scenes (glTF).",
    endings=(".glb",),
    write=write_glb,
    writes_partial=False,
    options=("tile_size",),
    check=check_glb,
)
