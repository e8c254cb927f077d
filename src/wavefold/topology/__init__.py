"""Topologies: where cells are, and which of them touch.

The solver reads only the arrays of `graph()`, so the same kernels serve all topologies. Start in `base`;
`lattice` has the common part of square, hexagonal and cubic grids, and looks up kinds by name.
"""

from wavefold.topology.base import Point, Topology
from wavefold.topology.graph import Graph
from wavefold.topology.hex import HexGrid
from wavefold.topology.lattice import (
    Lattice,
    get_lattice_class,
    is_lattice,
    is_plane,
    is_uniform_plane,
    list_drawn_directions,
    list_lattice_kinds,
    make_box,
    make_single_cell,
)
from wavefold.topology.square import CubeGrid, SquareGrid
from wavefold.topology.traits import Lengths, make_steps

__all__ = [
    "CubeGrid",
    "Graph",
    "HexGrid",
    "Lattice",
    "Lengths",
    "Point",
    "SquareGrid",
    "Topology",
    "get_lattice_class",
    "is_lattice",
    "is_plane",
    "is_uniform_plane",
    "list_drawn_directions",
    "list_lattice_kinds",
    "make_box",
    "make_single_cell",
    "make_steps",
]
