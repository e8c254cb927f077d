"""Maps as text."""

import io
import string
from io import StringIO

import numpy as np
import pytest
from rich.console import Console
from running import complaint

import wavefold as wf
from wavefold.cli import terminal
from wavefold.cli import terminal as watch_module
from wavefold.cli.terminal import (
    PICTURE_SECONDS,
    choose_letters,
    draw_lines,
    format_legend,
    format_letters,
    show_colours,
    watch_solver,
)
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Partial, Solution
from wavefold.solver.statistics import Statistics
from wavefold.tiles import Tile, TileSet
from wavefold.topology import CubeGrid, SquareGrid


def test_tiles_get_letters_of_their_names():
    assert choose_letters(["wall", "vent", "water"]) == ["w", "v", "W"]


def test_more_tiles_than_letters_share_some():
    signs = choose_letters([f"tile{number}" for number in range(100)])
    assert len(signs) == 100
    assert len(set(signs)) == len(string.ascii_letters + string.digits)


def test_places_without_a_cell_are_blank():
    tiles = TileSet([Tile("wall", ("a",) * 4)])
    grid = SquareGrid(3, 2, mask=np.array([[True, False, True], [True, True, True]]))
    assert format_letters(Solution(Problem(tiles, grid), np.zeros(5, int), Statistics())) == ["w w", "www"]


def test_layers_are_parted_by_an_empty_line():
    tiles = TileSet([Tile("wall", ("a",) * 6)], "cube")
    solution = Solution(Problem(tiles, CubeGrid(2, 1, 2)), np.zeros(4, int), Statistics())
    assert format_letters(solution) == ["ww", "", "ww"]


def test_colours_fit_the_width_of_the_terminal(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    tiles = TileSet.load("pipes")
    solution = Solution(Problem(tiles, SquareGrid(50, 50)), np.zeros(2500, int), Statistics())
    show_colours(solution)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all(line.count("▀") == 20 for line in lines)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_letters_where_colours_are_not_wanted(monkeypatch, name, value):
    monkeypatch.setattr(terminal.sys, "stdout", Screen())
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.can_show_colours()
    monkeypatch.setenv(name, value)
    assert not terminal.can_show_colours()


class Screen:
    """A terminal."""

    encoding = "utf-8"

    def isatty(self):
        return True


def test_what_is_not_decided_is_a_question_mark():
    tiles = TileSet([Tile("wall", ("a",) * 4), Tile("air", ("a",) * 4)])
    problem = Problem(tiles, SquareGrid(3, 1))
    assert format_letters(Partial(problem, np.array([[1], [3], [2]], np.uint64))) == ["w?a"]


def test_a_legend_explains_the_letters_of_the_map():
    tiles = wf.TileSet.load("pipes")
    solution = wf.generate(tiles, wf.SquareGrid(4, 4), pins={(0, 0): "wall"})
    letters = set("".join(format_letters(solution)))
    explained = dict(each.split(" ", 1) for each in format_legend(solution).split(", "))
    assert set(explained) == letters
    assert set(explained.values()) <= set(tiles.rules.tiles)


@pytest.mark.parametrize(
    ("line", "says"),
    [(terminal.show_learning, "reading map.png"), (terminal.show_writing, "writing map.png")],
)
def test_a_line_stands_before_the_work_begins_and_is_wiped_after_it(monkeypatch, line, says):
    screen = StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(terminal.sys, "stderr", screen)
    with line("map.png"):
        assert says in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")


# --- a solve, live in the terminal ----------------------------------------------------------------


def open_screen(width=40, height=12):
    """A console that is no real terminal, and takes itself for one."""
    return Console(file=io.StringIO(), force_terminal=True, width=width, height=height)


def make_solver():
    return wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(6, 5)), seed=3)


def watch(seconds_a_look):
    """How many pictures were drawn, and the map, if so much time passes between two looks at the clock."""
    looks = iter(range(100_000))
    solver, console = make_solver(), open_screen()
    with watch_solver(solver, console, lambda: next(looks) * seconds_a_look):
        solution = solver.run()
    return console.file.getvalue(), solution


def test_watching_draws_and_changes_nothing():
    shown, solution = watch(PICTURE_SECONDS)
    assert (solution.array == make_solver().run().array).all()
    assert "?" in shown  # not decided yet


def test_there_are_no_more_pictures_than_the_eye_sees():
    often, seldom = (watch(seconds)[0].count("?") for seconds in (PICTURE_SECONDS, PICTURE_SECONDS / 10))
    assert 0 < seldom < often


@pytest.mark.parametrize("has_colours", [False, True])
def test_a_picture_is_no_larger_than_the_terminal(monkeypatch, has_colours):
    monkeypatch.setattr(watch_module, "can_show_colours", lambda: has_colours)
    partial = wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(70, 90))).partial()
    lines = draw_lines(partial, open_screen()).plain.split("\n")
    assert 1 < len(lines) <= 11
    assert max(map(len, lines)) <= 40


def test_watching_needs_a_terminal(wavefold):
    assert "--watch needs a terminal" in complaint(wavefold("generate", "pipes", "--watch"))
