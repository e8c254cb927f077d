"""`wf.show`: something to look at, and to touch if it can be."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from wavefold.errors import ConfigError, PluginError
from wavefold.notebook.representations import Picture, represent_patchwork, represent_solver, represent_tiles
from wavefold.notebook.solver_board import can_show
from wavefold.patchwork import Patchwork
from wavefold.solver import Solver
from wavefold.solver.solution import MapOutput
from wavefold.tiles import TileSet
from wavefold.world import World

NEEDED = "live boards need anywidget, which is not installed: pip install 'wavefold[studio]'"


def show(what: Any, *, height: int = 420) -> Any:
    """A solver or a world as a live board of a notebook; a map, a patchwork or a tile set as a picture.

    On the board of a solver one can step, run, pause, go back, see what cells may be, and paint. It drives
    the very solver that was given, in this process; its `solution` is the map on the screen. A world can be
    moved and zoomed. `height` is in pixels.
    """
    if not isinstance(height, int) or not 100 <= height <= 4_000:
        raise ConfigError(f"height must be a number of pixels from 100 to 4000, not {height!r}")
    if isinstance(what, World):
        return import_widgets().WorldWidget(what, height)
    if isinstance(what, Solver):
        if not can_show(what.problem):  # cubes, graphs: there is no board for them
            return Picture(represent_solver(what) or repr(what))
        return import_widgets().show_solver(what, height)
    if isinstance(what, MapOutput):
        return what.image()
    if isinstance(what, TileSet):
        return Picture(represent_tiles(what) or repr(what))
    if isinstance(what, Patchwork):
        return Picture(represent_patchwork(what) or repr(what))
    kinds = "a Solver, a World, a map, a Patchwork or a TileSet"
    raise ConfigError(f"show takes {kinds}, not {type(what).__name__}")


def import_widgets() -> Any:
    """The widgets, which need an extra."""
    try:
        import_module("anywidget")
    except ImportError:
        raise PluginError(NEEDED) from None
    return import_module("wavefold.notebook.widgets")
