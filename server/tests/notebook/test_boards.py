"""A page drives a solver or looks at a world, message by message."""

from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold_server.live.frames import BOARD, EVENTS, decode
from wavefold_server.notebook.solver_board import SolverBoard
from wavefold_server.notebook.world_board import WorldBoard


def make_solver(width=8, height=6, seed=3):
    return wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(width, height)), seed=seed)


def expand_board(runs):
    """[cell, (left, combined)]"""
    return np.repeat(runs[:, 1:], runs[:, 0], axis=0)


class Page:
    """Follows frames as the page does."""

    def __init__(self, board):
        self.board = board
        self.answer, (frame, self.atlas, self.where) = board.handle({"command": "open"})
        self.cells = expand_board(decode(frame).rows).copy()

    def ask(self, command, **options):
        self.answer, buffers = self.board.handle({"command": command, **options})
        for message in buffers:
            frame = decode(message)
            if frame.kind == BOARD:
                self.cells = expand_board(frame.rows).copy()
            assert frame.kind in (BOARD, EVENTS)
            for kind, cell, pattern, _ in frame.rows if frame.kind == EVENTS else ():
                if kind == 1:
                    self.cells[cell] = self.cells[cell, 0] - 1, self.cells[cell, 1] ^ pattern
        return self.answer

    @property
    def patterns(self):
        return np.where(self.cells[:, 0] == 1, self.cells[:, 1], -1)


def test_a_page_has_pictures_names_and_places_when_it_opens():
    page = Page(SolverBoard(make_solver()))
    atlas, about = Image.open(BytesIO(page.atlas)), page.answer["atlas"]
    assert atlas.width == about["columns"] * about["width"]
    assert np.frombuffer(page.where, "<i4").reshape(-1, 2)[9].tolist() == [1, 1]
    assert {each["name"] for each in page.answer["tiles"]} == {
        each.name for each in wf.TileSet.load("pipes").tiles
    }


def test_a_page_that_follows_every_frame_has_the_solvers_map():
    solver = make_solver()
    page = Page(SolverBoard(solver))
    while page.answer["status"] not in ("solved", "impossible"):
        page.ask("advance", ms=20, steps=3)
    np.testing.assert_array_equal(page.patterns, solver.solution().patterns)


def test_steps_are_counted_and_undone():
    page = Page(SolverBoard(make_solver()))
    assert page.ask("advance", ms=100, steps=2)["decisions"] == 2
    two = page.patterns
    page.ask("advance", ms=100, steps=1)
    page.ask("undo")
    np.testing.assert_array_equal(page.patterns, two)


def test_a_tile_is_pinned_on_the_way_and_painted_on_the_finished_map():
    board = SolverBoard(make_solver())
    page = Page(board)
    page.ask("put", cell=10, tile="cross")
    assert board.solver.domain(10) == ["cross"]
    while page.answer["status"] != "solved":
        page.ask("advance", ms=100, steps=1000)
    before = page.patterns
    assert page.ask("put", cell=30, tile="cross")["edits"] == 1
    assert board.problem.rules.names[page.patterns[30]] == "cross"
    assert board.solution.patterns[30] == page.patterns[30]
    page.ask("undo")
    np.testing.assert_array_equal(page.patterns, before)


def test_a_solver_that_was_used_elsewhere_is_shown_as_it_is():
    solver = make_solver()
    page = Page(SolverBoard(solver))
    solver.step()
    page.ask("advance", ms=0, steps=0)
    np.testing.assert_array_equal(page.patterns >= 0, [len(solver.domain(cell)) == 1 for cell in range(48)])


def test_what_goes_wrong_is_said_in_the_answer():
    page = Page(SolverBoard(make_solver()))
    assert "nothing" in page.ask("put", cell=0, tile="nothing")["error"]
    assert "no decision" in page.ask("undo")["error"]
    assert "show the board again" in page.ask("dance")["error"]
    assert page.ask("domain", cell=0)["domain"][0]["chance"] > 0


def test_a_world_sends_map_tiles():
    world = wf.World(wf.TileSet.load("pipes"), seed=7)
    board = WorldBoard(world)
    assert board.handle({"command": "open"}).answer["seed"] == 7
    answer, (png,) = board.handle({"command": "tile", "z": 0, "x": -1, "y": 0})
    assert answer["how"] in ("exact", "provisional")
    assert Image.open(BytesIO(png)).size == (256, 256)
    assert "error" in board.handle({"command": "tile", "z": 99, "x": 0, "y": 0}).answer


@pytest.mark.parametrize("grid", [wf.HexGrid(radius=3), wf.SquareGrid(4, 4)])
def test_cells_are_where_the_topology_has_them(grid):
    tiles = wf.TileSet.load("medieval" if grid.kind == "hex" else "pipes")
    page = Page(SolverBoard(wf.Solver(wf.Problem(tiles, grid))))
    np.testing.assert_array_equal(np.frombuffer(page.where, "<i4").reshape(-1, 2), grid.coordinates)
