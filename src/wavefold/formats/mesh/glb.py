"""Maps as three-dimensional scenes (GLB): hexagonal prisms by level, and cubes.

Every pattern is one mesh, however often it occurs, and every cell a node with its position: game engines
open that quickly, and find cells and patterns by their names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import numpy as np

from wavefold.common.files import check_writable, write_atomically
from wavefold.errors import ConfigError, PluginError
from wavefold.formats.mesh.solid import Blocks, Prisms, Solid
from wavefold.map_format import MapFormat
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map
from wavefold.topology import CubeGrid, HexGrid

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
    """Raise, before a map is made, for what could not be written later."""
    cells = check_topology(problem).cell_count
    import_trimesh()
    if cells > MOST_NODES:
        raise ConfigError(f"a GLB holds at most {MOST_NODES:,} cells, not {cells:,}")


def check_topology(problem: Problem) -> HexGrid | CubeGrid:
    """The topology, if there are solids for it."""
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
    for cell in cells:
        pattern = int(solution.patterns[cell])
        place: Any = topology.coordinate(cell)
        coordinate = [here + there for here, there in zip(place, origin, strict=True)]
        where = np.eye(4)
        where[:3, 3] = shapes.place(cell)
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


GLB = MapFormat(
    endings=(".glb",), write=write_glb, writes_partial=False, options=("tile_size",), check=check_glb
)
