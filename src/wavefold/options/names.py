"""What arguments accept, as types: editors complete the names, type checkers refuse others.

Plug-ins add orders, choices, joins and renderers: arguments with these take any text.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from typing import Literal, TypeAlias, TypeVar

CellLike: TypeAlias = Hashable  # a coordinate, such as (3, 5), or a number; on graphs, any name
TileLike: TypeAlias = Hashable | Collection[Hashable]  # a tile, pattern, group or learned value; or several
CellKey = TypeVar("CellKey", bound=CellLike)  # keys of a mapping from cells

# Sockets; or of tiles, the names of sides
SidesLike: TypeAlias = str | Collection[str] | Mapping[str, str | Collection[str]]

# --- solving --------------------------------------------------------------------------------------

OrderName: TypeAlias = Literal["entropy", "domain", "both", "score", "scanline", "spiral", "random"]
ChoiceName: TypeAlias = Literal["weighted", "heaviest", "even", "matching"]
Propagation: TypeAlias = Literal["auto", "ac3", "ac4", "naive"]
SearchName: TypeAlias = Literal[
    "auto", "backtrack", "backjump", "repair", "witness", "restart", "exact", "sat"
]
Undo: TypeAlias = Literal["delta", "snapshot"]
Sweeps: TypeAlias = Literal["auto"] | int  # of refining; False: none
Corner: TypeAlias = Literal["northwest", "northeast", "southwest", "southeast"]
Ties: TypeAlias = Literal["random", "scanline", "spiral"]
Pick: TypeAlias = Literal["weighted", "heaviest"]
SolverStatus: TypeAlias = Literal["open", "contradiction", "solved", "impossible"]
CellState: TypeAlias = Literal["open", "single", "collapsed", "empty"]
EventKind: TypeAlias = Literal[
    "chosen", "removed", "contradiction", "undone", "repaired", "restarted", "replaced"
]
RequirementKind: TypeAlias = Literal["pin", "ban", "mask", "constraint"]
ViolationKind: TypeAlias = Literal["size", "pattern", "rule", "pin", "mask", "constraint", "network"]
Verdict: TypeAlias = Literal["periodic", "impossible", "undecided"]
MirrorAxis: TypeAlias = Literal["vertical", "horizontal"]
LineAxis: TypeAlias = Literal["vertical", "horizontal", "x", "y", "z"] | str  # or a direction

# --- tiles, grids, fields -------------------------------------------------------------------------

TopologyKind: TypeAlias = Literal["square", "hex", "cube"] | str
RecommendedOrder: TypeAlias = Literal["scanline", "spiral"]
HexLayout: TypeAlias = Literal["pointy", "flat"]
HexForm: TypeAlias = Literal["disk", "rectangle", "rhombus"]
SideName: TypeAlias = (
    Literal["all", "corners", "north", "east", "south", "west", "up", "down"]
    | Literal["northeast", "southeast", "southwest", "northwest"]
)
SymmetryName: TypeAlias = Literal["fixed", "turned", "X", "I", "L", "T", "\\", "F"]
TileSetName: TypeAlias = (
    Literal["blocks", "castle", "circuit", "dungeon", "knots", "meadow", "medieval", "pipes", "terrain"] | str
)
SampleName: TypeAlias = (
    Literal["cave", "farmland", "islands", "kilim", "lava", "metro", "mine", "motherboard", "seabed"]
    | Literal["tartan", "towers"]
    | str
)
FieldPreset: TypeAlias = Literal["hex", "terrain"]
Beyond: TypeAlias = Literal["edge", "repeat", "mirror"]

# --- patchworks, pictures -------------------------------------------------------------------------

PatchworkKind: TypeAlias = Literal["hex", "square"] | str  # of tiles
JoinName: TypeAlias = Literal["fixed", "overlap", "editable", "whole", "witness"]
Show: TypeAlias = Literal["tiles", "entropy", "counts"]
