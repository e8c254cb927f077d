"""A session's solver is driven as one would drive it oneself, and its log leads to where it is."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import wavefold as wf
from wavefold.kernels.host.checkpoint import TimeUp, checking
from wavefold_server.live import command_log, finished_maps, models
from wavefold_server.live.frames import expand_domains
from wavefold_server.live.session import LiveSession
from wavefold_server.problems import Problem
from wavefold_server.settings import Limits

SIDE = 5
PIPES, CASTLE = wf.TileSet.load("pipes"), wf.TileSet.load("castle")
GRID = {"width": SIDE, "height": SIDE}


def open_session(tiles=PIPES, **options):
    return LiveSession(models.Open(tileset=tiles.name, topology=GRID, **options), tiles, Limits())


def finish(session, **options):
    command = models.Run(**options)
    run = session.start(command)
    while not run.ending:
        session.advance(run, 0.01, None, True)
    return run


class LiveLaws(RuleBasedStateMachine):
    """Random commands, done by a session and by a solver. Castles in a random order need steps back."""

    @initialize(seed=st.integers(0, 20), order=st.sampled_from(["auto", "random"]))
    def begin(self, seed, order):
        self.session = open_session(CASTLE, seed=seed, heuristics={"order": order})
        self.problem = wf.Problem(CASTLE, wf.SquareGrid(SIDE, SIDE))
        self.order, self.pins = order, []
        self.solver = wf.Solver(self.problem, seed, order)

    @rule(count=st.integers(1, 9), shows=st.booleans())
    def step(self, count, shows):
        run = self.session.start(models.Step(count=count))
        while not run.ending:
            self.session.advance(run, 0.0 if shows else 1.0, None, shows)
        for _ in range(count):
            if self.solver.status in ("solved", "impossible"):
                break
            self.solver.step()

    @rule(show=st.sampled_from(["events", "boards", "end"]), further=st.integers(1, 9))
    def run_on(self, show, further):
        last = self.solver.stats.decisions + further
        finish(self.session, show=show, until=further)
        while self.solver.status == "contradiction" or (
            self.solver.stats.decisions < last and self.solver.status == "open"
        ):
            self.solver.step()

    @rule(count=st.integers(1, 4))
    def undo(self, count):
        done = 0
        try:
            for _ in range(count):
                self.solver.undo()
                done += 1
        except wf.WavefoldError:
            pass
        if done:
            assert self.session.execute(models.Undo(count=count))[1]["log"]["count"] == done
        else:
            with pytest.raises(wf.WavefoldError):
                self.session.execute(models.Undo(count=count))

    @rule(cell=st.integers(0, SIDE * SIDE - 1), tile=st.sampled_from(CASTLE.rules.tiles), bans=st.booleans())
    def restrict(self, cell, tile, bans):
        command = (models.BanTile if bans else models.PinCell)(cell=cell, tile=tile)
        try:
            (self.solver.ban if bans else self.solver.pin)(cell, tile)
        except wf.Contradiction:
            with pytest.raises(Problem) as refused:
                self.session.execute(command)
            assert refused.value.more["cell"] == cell
        else:
            self.session.execute(command)
            self.pins.append((command.command, cell, tile))

    @rule()
    def ask(self):
        for name in ("board", "entropy", "colours", "explain", "names", "stats", "log", "pause"):
            self.session.execute(models.Question(command=name))

    @rule(seed=st.integers(0, 20))
    def begin_with_another_seed(self, seed):
        self.session = LiveSession(self.session.with_seed(seed), CASTLE, Limits())
        self.solver = wf.Solver(self.problem, seed, self.order)
        for kind, cell, tile in self.pins:
            getattr(self.solver, kind)(cell, tile)

    @invariant()
    def the_session_is_where_the_solver_is(self):
        assert np.array_equal(self.session.words, self.solver.partial().words)
        assert self.session.solver.status == self.solver.status

    def teardown(self):
        _, answer = self.session.execute(models.Question(command="log"))
        again = LiveSession(models.Open.model_validate_json(json.dumps(answer["open"])), CASTLE, Limits())
        assert again.left_out == 0
        assert np.array_equal(again.words, self.session.words)
        assert again.show_board(0).encode() == self.session.show_board(0).encode()
        finish(again)
        finish(self.session, show="end")
        assert np.array_equal(again.words, self.session.words)


TestLiveLaws = LiveLaws.TestCase
TestLiveLaws.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)


def test_a_run_without_events_stops_where_one_with_events_does():
    one, other = open_session(seed=3), open_session(seed=3)
    for further in (1, 4, 2, 9):
        finish(one, show="end", until=further)
        finish(other, show="events", until=further)
        assert np.array_equal(one.words, other.words)


def test_steps_in_succession_are_one_entry_of_the_log():
    session = open_session()
    for count in (1, 1, 3):
        run = session.start(models.Step(count=count))
        session.advance(run, 1.0, None, True)
    assert session.log.entries == [models.Step(count=5)]


def test_a_log_has_an_end(monkeypatch):
    monkeypatch.setattr(command_log, "MOST_COMMANDS", 4)
    session = open_session()
    for _ in range(2):
        finish(session, until=1, show="end")
        session.execute(models.Undo())
    with pytest.raises(Problem, match="4 commands"):
        session.execute(models.PinCell(cell=0, tile="wall"))
    assert session.execute(models.Question(command="stats"))[1]["status"] == "open"


def test_commands_of_a_log_that_fail_are_left_out():
    impossible = [models.PinCell(cell=0, tile="cross"), models.PinCell(cell=1, tile="wall"), models.Undo()]
    session = open_session(commands=[*impossible, models.Step(count=2)])
    assert session.left_out == 2
    assert [each.command for each in session.log.entries] == ["pin", "step"]


def test_a_command_that_was_ended_half_way_loses_the_session_but_not_its_log():
    session = open_session()
    finish(session, until=3)
    run = session.start(models.Step())

    def end():
        raise TimeUp

    with checking(end), pytest.raises(TimeUp):
        session.advance(run, 1.0, None, True)
    with pytest.raises(Problem) as lost:
        session.execute(models.Undo())
    assert lost.value.status == 410
    _, answer = session.execute(models.Question(command="log"))
    assert answer["open"]["commands"] == [{"command": "step", "count": 3, "version": 0}]


def test_a_refinement_that_was_ended_leaves_the_map_as_it_was():
    session = open_session()
    finish(session)
    before = session.words

    def end():
        raise TimeUp

    with checking(end), pytest.raises(TimeUp):
        session.refine(models.Refine(sweeps=5), lambda _: None)
    assert np.array_equal(session.words, before)


def test_only_a_finished_map_can_be_refined():
    with pytest.raises(wf.WavefoldError, match="no solution yet"):
        open_session().refine(models.Refine(sweeps=1), lambda _: None)


def test_locks_hold_from_the_beginning():
    session = open_session(locks=[(3, 0), (4, 0)])
    assert PIPES.rules.names[0] == "wall"
    finish(session)
    assert session.solver.solution().patterns[[3, 4]].tolist() == [0, 0]


# --- what is made of a finished map -------------------------------------------------------------------


def solved_session(**options):
    session = open_session(**options)
    finish(session, show="end")
    return session


def patterns_of(session):
    return session.solution.patterns.tolist()


def is_valid(session):
    return not wf.check(session.solution.problem, session.solution.patterns)


def test_painted_cells_become_the_tile_and_the_rest_stays_nearly_as_it_was():
    session = solved_session(seed=1)
    before = patterns_of(session)
    cell = before.index(0)  # a wall
    session.execute(models.Paint(cells=[cell], tile="cross"))
    after = patterns_of(session)
    assert PIPES.rules.names[after[cell]] == "cross"
    assert is_valid(session)
    assert sum(one != other for one, other in zip(before, after, strict=True)) < SIDE * SIDE
    session.execute(models.Undo())
    assert patterns_of(session) == before


def test_painted_cells_stay_when_others_are_painted_regrown_or_refined():
    session = solved_session(seed=1)
    session.execute(models.Paint(cells=[12], tile="cross"))
    session.execute(models.Regrow(cells=[6, 7, 8, 12, 13], seed=5))
    session.execute(models.Paint(cells=[0], tile="wall"))
    refine = models.Refine(sweeps=4)
    session.take_refined(refine, session.refine(refine, lambda _: None))
    names = [PIPES.rules.names[each] for each in patterns_of(session)]
    assert (names[12], names[0]) == ("cross", "wall")
    assert is_valid(session)


def test_cells_regrown_with_other_seeds_become_something_else():
    session = solved_session(seed=1)
    maps = set()
    for seed in range(4):
        session.execute(models.Regrow(cells=[6, 7, 8, 11, 12, 13, 16, 17, 18], seed=seed))
        assert is_valid(session)
        maps.add(tuple(patterns_of(session)))
    assert len(maps) > 1


def test_painted_cells_and_pins_stay_with_another_seed_and_can_be_freed():
    session = open_session(seed=1)
    session.execute(models.PinCell(cell=3, tile="wall"))
    finish(session)
    session.execute(models.Paint(cells=[12], tile="cross"))
    other = LiveSession(session.with_seed(9), PIPES, Limits())
    finish(other)
    assert [PIPES.rules.names[patterns_of(other)[cell]] for cell in (3, 12)] == ["wall", "cross"]
    session.execute(models.UnpinCells(cells=[3, 12]))
    assert patterns_of(session) == patterns_of(solved_session(seed=1))


def test_pins_of_commands_hold_when_a_map_is_refined():
    session = open_session(seed=1)
    session.execute(models.PinCell(cell=12, tile="cross"))
    session.execute(models.BanTile(cell=13, tile="wall"))
    finish(session)
    for sweeps in range(1, 8):
        found = session.refine(models.Refine(sweeps=sweeps), lambda _: None)
        names = [PIPES.rules.names[each] for each in found.patterns.tolist()]
        assert names[12] == "cross"
        assert names[13] != "wall"


def test_edits_are_part_of_the_log():
    session = solved_session(seed=1)
    refine = models.Refine(sweeps=2)
    session.execute(models.Paint(cells=[12, [0, 0]], tile=["cross", "wall"]))
    session.take_refined(refine, session.refine(refine, lambda _: None))
    session.execute(models.Regrow(cells=[2, 3], seed=5))
    _, answer = session.execute(models.Question(command="log"))
    again = LiveSession(models.Open.model_validate_json(json.dumps(answer["open"])), PIPES, Limits())
    assert patterns_of(again) == patterns_of(session)
    for _ in range(3):
        for each in (again, session):
            each.execute(models.Undo())
        assert np.array_equal(again.words, session.words)


def test_paint_that_clashes_with_pins_is_refused_with_the_reason():
    session = open_session(seed=1)
    session.execute(models.PinCell(cell=12, tile="cross"))
    finish(session)
    before = patterns_of(session)
    with pytest.raises(Problem) as refused:
        session.execute(models.Paint(cells=[13], tile="wall"))
    assert refused.value.status == 409
    assert sorted(refused.value.more["explanation"]["cells"]) == [12, 13]
    assert patterns_of(session) == before


def test_paint_makes_room_by_dropping_what_is_in_its_way():
    session = open_session(seed=1)
    session.execute(models.PinCell(cell=12, tile="cross"))
    finish(session)
    session.execute(models.Paint(cells=[0], tile="bridge"))
    done = session.execute(models.Paint(cells=[13], tile="wall", drop="auto"))[1]["log"]
    assert done["drop"] == [12]
    assert {pin.cell for pin in session.requirements.pins} == {0, 13}
    assert PIPES.rules.tiles[PIPES.rules.tile_of[session.solution.patterns[13]]] == "wall"
    request = session.with_seed(2)
    assert sorted(row[-1] for row in request.pins) == ["bridge", "wall"]
    again = open_session(seed=1, commands=session.log.entries)
    assert patterns_of(again) == patterns_of(session)
    session.execute(models.Undo())
    assert {pin.cell for pin in session.requirements.pins} == {0, 12}


def begin_again(session):
    """The session with another seed, finished; all that it was asked for must hold."""
    again = LiveSession(session.with_seed(9), PIPES, Limits())
    assert again.left_out == 0
    finish(again)
    return [PIPES.rules.tiles[PIPES.rules.tile_of[each]] for each in patterns_of(again)]


@pytest.mark.parametrize(
    "options", [{"commands": [models.PinCell(cell=12, tile="wall")]}, {"pins": [[2, 2, "wall"]]}]
)
def test_what_was_painted_over_a_pin_stays_with_another_seed(options):
    session = solved_session(seed=1, **options)
    session.execute(models.Paint(cells=[12], tile="bridge", drop="auto"))
    assert begin_again(session)[12] == "bridge"
    session.execute(models.Undo())
    assert begin_again(session)[12] == "wall"


def test_several_pins_and_bans_of_a_cell_hold_with_another_seed():
    session = open_session(seed=1, pins=[[2, 2, ["wall", "cross", "bridge"]]])
    session.execute(models.PinCell(cell=12, tile=["wall", "cross"]))
    session.execute(models.BanTile(cell=12, tile="wall"))
    finish(session)
    assert begin_again(session)[12] == "cross"


@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize("painted", [12, 13])
def test_a_lock_that_was_dropped_does_not_come_back_with_another_seed(is_first, painted):
    locked = (12, PIPES.rules.names.index("cross"))
    begin = {"locks": [locked]} if is_first else {"commands": [models.PinCell(cell=12, tile="cross")]}
    session = solved_session(seed=1, **begin)
    if not is_first:
        session.execute(models.LockCells(cells=[12]))
    session.execute(models.Paint(cells=[painted], tile="wall", drop=[12]))
    assert session.with_seed(9).locks == []
    assert begin_again(session)[painted] == "wall"
    session.execute(models.Undo())
    assert session.with_seed(9).locks == [locked]
    assert begin_again(session)[12] == "cross"


@pytest.mark.parametrize("command", [models.Paint(cells=[13], tile="wall"), models.Regrow(cells=[13])])
def test_an_edit_that_was_ended_leaves_the_session_as_it_was(command):
    session = solved_session(seed=1)
    before = patterns_of(session)

    def end():
        raise TimeUp

    with checking(end), pytest.raises(TimeUp):
        session.execute(command)
    assert patterns_of(session) == before
    session.execute(command)


def test_what_the_rules_forbid_has_no_room():
    session = open_session(seed=1, constraints=[{"kind": "count", "tile": "wall", "at_most": 0}])
    finish(session)
    session.execute(models.Paint(cells=[0], tile="bridge"))
    with pytest.raises(Problem) as refused:
        session.execute(models.Paint(cells=[13], tile="wall", drop="auto"))
    assert refused.value.error == "Contradiction"
    assert {pin.cell for pin in session.requirements.pins} == {0}


def test_kept_cells_stay_when_others_are_painted_or_regrown():
    session = solved_session(seed=1)
    before, kept = patterns_of(session), [7, 11, 17]
    session.execute(models.Regrow(cells=list(range(25)), keep=kept))
    after = patterns_of(session)
    assert after != before
    assert [after[cell] for cell in kept] == [before[cell] for cell in kept]
    for tile in PIPES.rules.tiles:
        with suppress(Problem):
            session.execute(models.Paint(cells=[12], tile=tile, keep=kept))
        assert [patterns_of(session)[cell] for cell in kept] == [before[cell] for cell in kept]


def test_what_is_possible_is_known_before_it_is_painted():
    session = solved_session(seed=1)
    everything, answer = session.execute(models.Possible())
    assert answer == {"fits": True}
    session.execute(models.Paint(cells=[12], tile="bridge"))
    wall = models.Possible(cells=[13], tile="wall")
    assert session.execute(wall) == ([], {"fits": False})
    (frame,), _ = session.execute(models.Possible())
    bits, patterns = expand_domains(frame.rows)[:, 0], PIPES.rules.patterns("wall")
    assert not any(bits[13] & (1 << each) for each in patterns.tolist())
    assert any(bits[0] & (1 << each) for each in patterns.tolist())
    assert session.execute(models.Possible(cells=[12], tile="wall"))[1]["fits"]  # in place of what is there
    session.execute(models.Undo())
    assert session.execute(wall)[1]["fits"]
    assert np.array_equal(session.execute(models.Possible())[0][0].rows, everything[0].rows)


@pytest.mark.parametrize("half", [{"cells": [3]}, {"tile": "wall"}])
def test_whether_a_tile_fits_needs_cells_and_a_tile(half):
    with pytest.raises(Problem, match="both or neither"):
        models.parse_command(json.dumps({"command": "possible"} | half))


def test_a_map_is_not_edited_for_ever(monkeypatch):
    monkeypatch.setattr(finished_maps, "MOST_CELLS", 3 * SIDE * SIDE)
    session = solved_session(seed=1)
    for seed in range(3):
        session.execute(models.Regrow(cells=[2], seed=seed))
    with pytest.raises(Problem) as refused:
        session.execute(models.Regrow(cells=[2]))
    assert refused.value.error == "LimitExceeded"
    session.execute(models.Undo())
    session.execute(models.Regrow(cells=[2]))


def test_an_edited_map_is_painted_not_pinned():
    session = solved_session(seed=1)
    session.execute(models.Regrow(cells=[2]))
    with pytest.raises(wf.ConfigError, match="paint instead"):
        session.execute(models.PinCell(cell=3, tile="wall"))


def test_only_a_finished_map_can_be_painted():
    with pytest.raises(wf.WavefoldError, match="no solution yet"):
        open_session().execute(models.Paint(cells=[3], tile="wall"))
