"""Boards as widgets (anywidget): a message of the page goes to a board, its reply back to the page."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

import anywidget
import traitlets

from wavefold.solver import Solution, Solver
from wavefold.worlds import World
from wavefold_server.notebook.modules import bundle_modules, bundle_styles
from wavefold_server.notebook.solver_board import SolverBoard
from wavefold_server.notebook.world_board import WorldBoard


class BoardWidget(anywidget.AnyWidget):
    """What both boards share. `kind` says to the page which one it is."""

    _esm = bundle_modules("notebook/widget.js")

    kind = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(420).tag(sync=True)
    styles = traitlets.Unicode(bundle_styles()).tag(sync=True)

    def __init__(self, board: Any, kind: str, height: int) -> None:
        super().__init__(kind=kind, height=height)
        self.board = board
        self.on_msg(self._answer)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The board, and a picture for pages without a kernel, as those of GitHub."""
        found = super()._repr_mimebundle_(**options)
        picture = self._represent()
        if found and picture:
            found[0]["text/html"] = picture
        return found

    def _represent(self) -> str | None:
        return None

    def _answer(self, _: Any, message: Any, __: list[bytes]) -> None:
        reply = self.board.handle(message)
        number = message.get("version") if isinstance(message, dict) else None
        self.send(reply.answer | {"version": number}, reply.buffers)


_shown: WeakValueDictionary[int, SolverWidget] = WeakValueDictionary()  # {id of a solver: its widget}


def show_solver(solver: Solver, height: int) -> SolverWidget:
    """The widget of a solver: one however often it is shown, so that all its boards show the same."""
    widget = _shown.get(id(solver))
    if widget is None or widget.board.solver is not solver or widget.comm is None:
        widget = _shown[id(solver)] = SolverWidget(solver, height)
    widget.height = height  # of boards that are shown from now on
    return widget


class SolverWidget(BoardWidget):
    """A live solver."""

    def __init__(self, solver: Solver, height: int) -> None:
        super().__init__(SolverBoard(solver), "solver", height)

    @property
    def solution(self) -> Solution:
        """The map on the screen. Raises if it is not finished."""
        solution: Solution = self.board.solution
        return solution

    def _represent(self) -> str | None:
        html: str | None = self.board.solver._repr_html_()
        return html


class WorldWidget(BoardWidget):
    """An endless world to wander through."""

    def __init__(self, world: World, height: int) -> None:
        super().__init__(WorldBoard(world), "world", height)

    def _represent(self) -> str | None:
        html: str | None = self.board.world._repr_html_()
        return html
