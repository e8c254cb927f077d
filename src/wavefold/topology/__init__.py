"""Where cells are and who touches whom. A topology stores no tiles.

Every shape answers the same questions (`Topology`); solving only ever sees the arrays of `graph()`, so
one kernel serves them all. Square, hexagonal and cubic grids share their code in `Lattice`.
"""

from wavefold.topology.base import Topology
from wavefold.topology.cube import CubeGrid
from wavefold.topology.graph import Graph
from wavefold.topology.hex import HexGrid
from wavefold.topology.lattice import Lattice
from wavefold.topology.square import SquareGrid

__all__ = ["CubeGrid", "Graph", "HexGrid", "Lattice", "SquareGrid", "Topology"]
