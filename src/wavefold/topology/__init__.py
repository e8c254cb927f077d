"""Where cells are and which of them touch. A topology holds no tiles; those are in `wavefold.tiles`.

Every shape answers the same questions (`Topology`); the solver only sees the arrays of `graph()`, so one
kernel serves them all. Start reading in `base`; `lattice` has what square, hexagonal and cubic grids share,
and `kinds` finds what a kind of grid can do by its name.
"""

from wavefold.topology.base import Point, Topology
from wavefold.topology.graph import Graph
from wavefold.topology.hex import HexGrid
from wavefold.topology.kinds import (
    box,
    drawn_directions,
    is_lattice,
    is_plane,
    is_uniform_plane,
    lattice_class,
    lattice_kinds,
    single_cell,
)
from wavefold.topology.lattice import Lattice
from wavefold.topology.square import CubeGrid, SquareGrid
from wavefold.topology.traits import constant_steps

__all__ = [
    "CubeGrid",
    "Graph",
    "HexGrid",
    "Lattice",
    "Point",
    "SquareGrid",
    "Topology",
    "box",
    "constant_steps",
    "drawn_directions",
    "is_lattice",
    "is_plane",
    "is_uniform_plane",
    "lattice_class",
    "lattice_kinds",
    "single_cell",
]
