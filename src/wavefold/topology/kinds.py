"""Grids by the name of their kind: `box("hex", 8, 8)` instead of a test for "hex".

Tile sets, rules and files hold only the name of a kind. These functions find its class through `plugins`, so
kinds of other packages work as built-in ones do.
"""

from __future__ import annotations

from functools import cache

from wavefold.errors import ConfigError
from wavefold.options.values import MaskLike, Wraps
from wavefold.plugins.registry import find, is_offered, load_all
from wavefold.topology.lattice import Lattice


@cache
def find_lattice(kind: str) -> type[Lattice] | None:
    """The class of grids of this kind; None for graphs and for unknown kinds."""
    found = find("topology", kind) if is_offered("topology", kind) else None
    return found if isinstance(found, type) and issubclass(found, Lattice) else None


def lattice_class(kind: str) -> type[Lattice]:
    """The class of grids of this kind. Raises ConfigError for a graph, PluginError for an unknown kind."""
    found = find_lattice(kind)
    if found is None:
        find("topology", kind)  # raises for an unknown kind and names the nearest known one
        raise ConfigError(f"a {kind} is not a grid: its cells have no rows and columns")
    return found


def is_lattice(kind: object) -> bool:
    """Whether this is the name of a kind of grid; graphs and unknown names are not."""
    return isinstance(kind, str) and find_lattice(kind) is not None


def lattice_kinds() -> list[str]:
    """The names of all kinds of grids: built-in ones, then those of other packages."""
    return [kind for kind in load_all("topology") if is_lattice(kind)]


def is_plane(kind: object) -> bool:
    """Whether grids of this kind fill a plane, as squares and hexagons do. Cubes and graphs do not."""
    found = find_lattice(kind) if isinstance(kind, str) else None
    return found is not None and len(found.axes) == 2


def is_uniform_plane(kind: object) -> bool:
    """Whether a plane of this kind looks the same from every cell; endless worlds need this."""
    return isinstance(kind, str) and is_plane(kind) and not lattice_class(kind).side_sets


def box(kind: str, *sizes: int, wraps: Wraps = False, mask: MaskLike | None = None) -> Lattice:
    """A grid of this kind whose coordinates run from 0 to size - 1 on every axis; hexagons make a rhombus."""
    return lattice_class(kind).box(*sizes, wraps=wraps, mask=mask)


def drawn_directions(kind: str) -> tuple[str, ...]:
    """The names of the sides of an unturned tile, in the order of its sockets."""
    cell = single_cell(kind)
    return tuple(cell.directions[side] for side in cell.drawn_sides())


@cache
def single_cell(kind: str) -> Lattice:
    """A grid of one cell, which has the directions and steps of its kind."""
    grid = lattice_class(kind)
    return grid.box(*(1 for _ in grid.axes))
