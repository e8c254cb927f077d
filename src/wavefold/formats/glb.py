"""Maps as three-dimensional scenes (GLB): hexagonal prisms by level, and cubes.

Every pattern is one mesh and every cell a node with its position: game engines open that quickly, and find
cells and patterns by their names.
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
from wavefold.options.values import parse_size as whole
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
    """Write the map as a scene in which y points up and a cell is 1 wide (a hexagon 1 from middle to corner).

    `tile_size` is how many pixels wide the pictures on hexagons are, `step` how high a level is. What is
    fully transparent is left out, as are cells that are undecided.
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
    """Raise, before a map is made, if it could not be written."""
    cells = check_topology(problem).cell_count
    import_trimesh()
    if cells > MOST_NODES:
        raise ConfigError(f"a GLB holds at most {MOST_NODES:,} cells, not {cells:,}")


def check_topology(problem: Problem) -> HexGrid | CubeGrid:
    """The topology; raises unless there are solids for it."""
    topology = problem.topology
    if not isinstance(topology, HexGrid | CubeGrid):
        raise ConfigError(
            f"a GLB holds hex and cube maps, not {topology.kind} ones; save a picture, or the map for Tiled"
        )
    return topology


def import_trimesh() -> Any:
    """Trimesh, which is an extra."""
    try:
        return import_module("trimesh")
    except ImportError:
        raise PluginError(
            'writing .glb needs trimesh, which is not installed: pip install "wavefold[export]"'
        ) from None


def make_scene(
    trimesh: Any, solution: Map, shapes: Prisms | Blocks, solids: dict[int, Solid], cells: Iterable[int]
) -> Any:
    """The meshes, and a node for each cell."""
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
        alone: Any = topology.coordinate(cell)
        coordinate = [here + there for here, there in zip(alone, origin, strict=True)]
        where = np.eye(4)
        where[:3, 3] = shapes.position(cell)
        node = f"cell {' '.join(map(str, coordinate))}"
        scene.graph.update(frame_to=node, matrix=where, geometry=names[pattern])
    return scene


def make_mesh(trimesh: Any, solid: Solid, material: Any) -> Any:
    """A solid as a mesh: with its part of the picture, or with a colour for each face."""
    if material is not None:
        visual = trimesh.visual.TextureVisuals(uv=solid.surface, material=material)
    else:
        visual = trimesh.visual.ColorVisuals(vertex_colors=solid.surface.astype(np.uint8))
    return trimesh.Trimesh(solid.vertices, solid.faces, visual=visual, process=False)


# --- solids ---------------------------------------------------------------------------------------


class Solid(NamedTuple):
    """Vertices, their surface, and triangles between them, counter-clockwise from outside."""

    vertices: NDArray[np.float64]  # [vertex, (x, y, z)]; y points up, z south
    surface: NDArray[Any]  # [vertex, (u, v)] on the picture, or [vertex, RGBA]
    faces: NDArray[np.int64]  # [triangle, 3]


def quads(count: int, start: int = 0) -> NDArray[np.int64]:
    """Two triangles for each four vertices that follow one another."""
    corners = start + 4 * np.arange(count)[:, None]
    return np.asarray(corners + np.array([0, 1, 2, 0, 2, 3])).reshape(-1, 3)


# --- hexagons -------------------------------------------------------------------------------------

GROUND = 0.5  # thickness of the lowest level
RIM = 0.92  # how far out the picture is taken for the top, so that no neighbour on the sheet shows through


class Prisms:
    """The solids of one map.

    The sheet has the picture of every pattern; walls show the colours of the rim above them.
    """

    def __init__(
        self, problem: Problem, topology: HexGrid, used: list[int], tile_size: int | None, step: float
    ) -> None:
        self.problem, self.topology, self.step = problem, topology, step
        width = HexCanvas.natural_size(problem) if tile_size is None else whole("tile_size", tile_size)
        self.comb = HexRaster.of(width, topology.layout)
        self.columns = max(1, isqrt(len(used)))
        check_size(*self.comb.stamp_size, len(used))
        self.slot = {pattern: number for number, pattern in enumerate(used)}
        self.looks = [self.comb.pattern_picture(problem, pattern) for pattern in used]
        self.picture: Image.Image | None = Image.fromarray(arrange(self.looks, self.columns)).convert("RGB")
        angles = [FIRST_CORNER[topology.layout] + corner * pi / 3 for corner in range(6)]
        # Side i goes from corner i to i + 1.
        self.corners = np.array([(cos(angle), sin(angle)) for angle in angles])

    def position(self, cell: int) -> tuple[float, float, float]:
        """The middle of a cell."""
        x, y = self.topology.centre(cell)
        return x, 0.0, y

    def solid(self, pattern: int) -> Solid | None:
        """The top as a fan around its middle, and a wall below each side; None if it is invisible."""
        if not self.looks[self.slot[pattern]][..., 3].any():
            return None
        sides = self.heights(pattern)
        rim = GROUND + self.step * (sides + np.roll(sides, 1)) / 2  # a corner is between two sides
        middle = GROUND + self.step * sides.mean()
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
            self.on_sheet(np.concatenate([shown, np.array(colours)]) * RIM, self.slot[pattern]),
            np.concatenate([np.array(fan), quads(6, 7)]),
        )

    def heights(self, pattern: int) -> NDArray[np.float64]:
        """[side] in levels."""
        tiles = self.problem.tiles
        if not isinstance(tiles, TileSet):
            return np.zeros(6)
        return np.array(tiles.patterns[pattern].heights, np.float64)

    def on_sheet(self, points: NDArray[np.float64], slot: int) -> NDArray[np.float64]:
        """[vertex, (u, v)] of points around the middle of a hexagon; v grows upwards."""
        width, height = self.comb.stamp_size
        half, corner = self.comb.across / 2 / (sqrt(3) / 2), self.comb.step * 2 / 3  # pixels for one unit
        scale = np.array([corner, half] if self.comb.flat else [half, corner])
        row, column = divmod(slot, self.columns)
        assert self.picture is not None
        pixels = points * scale + [(column + 0.5) * width, (row + 0.5) * height]
        return np.asarray(pixels / self.picture.size * [1, -1] + [0, 1])


# --- cubes ----------------------------------------------------------------------------------------

# For each face: the step to the voxel it looks at, as (layer, row, column), and its corners as (x, y, z) of a
# unit cube, y up and z south, counter-clockwise from outside.
FACES = (
    ((1, 0, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0))),
    ((-1, 0, 0), ((0, 0, 1), (0, 0, 0), (1, 0, 0), (1, 0, 1))),
    ((0, 1, 0), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))),
    ((0, -1, 0), ((1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0))),
    ((0, 0, 1), ((1, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1))),
    ((0, 0, -1), ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0))),
)


class Blocks:
    """The solids of one map. Colours belong to corners, so there is no picture."""

    picture: Image.Image | None = None

    def __init__(self, problem: Problem, topology: CubeGrid) -> None:
        self.problem, self.topology = problem, topology

    def position(self, cell: int) -> tuple[float, float, float]:
        """The lowest, northwest corner of a cell."""
        x, y, z = self.topology.coordinate(cell)
        return float(x), float(z), float(y)

    def solid(self, pattern: int) -> Solid | None:
        """A model's faces; for a picture, a box in its mean colour. None if it is invisible."""
        block = draw_block_picture(self.problem, pattern)
        model = block if block.ndim == 4 else box_model(block)
        return visible_faces(model) if model[..., 3].any() else None


def box_model(picture: Pixels) -> Pixels:
    """A model of one voxel in the mean colour of the opaque pixels."""
    pixels = picture.reshape(-1, 4)
    opaque = pixels[pixels[:, 3] > 0]
    mean = opaque.mean(axis=0).round() if len(opaque) else np.zeros(4)
    return mean.astype(np.uint8).reshape(1, 1, 1, 4)


def visible_faces(model: Pixels) -> Solid:
    """The faces of voxels that a more transparent neighbour leaves visible; 1 wide, deep and high."""
    opacity = model[..., 3].astype(np.int64)
    around = np.pad(opacity, 1)
    layers, rows, columns = opacity.shape
    vertices: list[NDArray[np.float64]] = []
    colours: list[NDArray[np.uint8]] = []
    for (up, south, east), corners in FACES:
        beyond = around[1 + up : 1 + up + layers, 1 + south : 1 + south + rows, 1 + east : 1 + east + columns]
        layer, row, column = np.nonzero((opacity > 0) & (beyond < opacity))
        start = np.stack([column, layer, row], axis=1)[:, None]  # x, y, z
        vertices.append(((start + np.array(corners)) / [columns, layers, rows]).reshape(-1, 3))
        colours.append(np.repeat(model[layer, row, column], 4, axis=0))
    joined = np.concatenate(vertices)
    return Solid(joined, np.concatenate(colours), quads(len(joined) // 4))


GLB = MapFormat(
    description="3D models (glTF).",
    endings=(".glb",),
    write=write_glb,
    writes_partial=False,
    options=("tile_size",),
    check=check_glb,
)
