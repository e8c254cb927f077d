"""A solve, live in the terminal."""

import io

import pytest
from rich.console import Console
from running import complaint

import wavefold as wf
from wavefold.cli import terminal as watch_module
from wavefold.cli.terminal import PICTURE_SECONDS, draw_lines, watch_solver


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
