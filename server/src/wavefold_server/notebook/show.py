"""`wf.show`: something to look at, and to touch if it can be."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from wavefold.errors import ConfigError, PluginError
from wavefold.patchwork import Patchwork
from wavefold.solver import MapOutput, Solver
from wavefold.tiles import TileSet
from wavefold.worlds import World
from wavefold_server.notebook.solver_board import can_show

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
            return Picture.of(what)
        return import_widgets().show_solver(what, height)
    if isinstance(what, MapOutput):
        return what.image()
    if isinstance(what, TileSet):
        return Picture.of(what)
    if isinstance(what, Patchwork):
        return Picture.of(what)
    kinds = "a Solver, a World, a map, a Patchwork or a TileSet"
    raise ConfigError(f"show takes {kinds}, not {type(what).__name__}")


class Picture(NamedTuple):
    """HTML that a notebook shows."""

    html: str

    @classmethod
    def of(cls, what: Any) -> Picture:
        """What a notebook shows of an object as the result of a cell."""
        return cls(what._repr_html_() or repr(what))

    def __repr__(self) -> str:
        return f"Picture({len(self.html):,} characters of HTML, which a notebook shows)"

    def _repr_html_(self) -> str:
        return self.html


def import_widgets() -> Any:
    """The widgets, which need an extra."""
    try:
        import_module("anywidget")
    except ImportError:
        raise PluginError(NEEDED) from None
    return import_module("wavefold_server.notebook.widgets")
