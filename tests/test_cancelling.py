"""Long work can be ended from outside at any checkpoint; done again, it gives what it would have given."""

import threading

import numpy as np
import pytest

import wavefold as wf
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS, compiled_only
from wavefold.kernels.host.checkpoint import Cancelled, CancelToken, Stopped, checking
from wavefold.solver.explanation import explain
from wavefold.solver.search.region import SolverPool
from wavefold.worlds import base, refined_base

STOPS = 8  # checkpoints, spread over the work, at which it is ended


class Ended(Stopped):
    """A stop of our own, which nobody may catch."""


class StopAt:
    """A check that ends the work at one checkpoint, counted from 0."""

    def __init__(self, number=-1):
        self.number, self.passed = number, 0

    def __call__(self):
        self.passed += 1
        if self.passed == self.number + 1:
            raise Ended(f"checkpoint {self.number}")


@pytest.fixture
def short_slices(monkeypatch):
    """Checkpoints come often."""
    monkeypatch.setattr("wavefold.kernels.constants.WORK_SLICE", 400)
    monkeypatch.setattr("wavefold.solver.refine.chain.WORDS_AT_ONCE", 400)
    monkeypatch.setattr("wavefold.solver.engine.engine.MASKED_AT_ONCE", 40)
    # Solvers that other tests left have long slices.
    monkeypatch.setattr("wavefold.patchwork.region.POOL", SolverPool(1 << 28, 256))
    monkeypatch.setattr("wavefold.patchwork.refining.REFINERS", SolverPool(1 << 28, 256))


def assert_can_be_stopped(make, work, fewest=10):
    """Make a thing, work on it; stopped anywhere, the same thing does the same work again."""
    whole = work(make())  # what is computed once per process is there from now on
    count, thing = StopAt(), make()
    with checking(count):
        assert work(thing) == whole
    assert count.passed >= fewest
    stopped = 0
    for number in np.linspace(0, count.passed - 1, STOPS).astype(int).tolist():
        thing = make()
        try:
            with checking(StopAt(number)):
                work(thing)
        except Ended:
            stopped += 1
        assert work(thing) == whole
    assert stopped >= STOPS // 2  # slices go on from one solve to the next: their number differs a little


# --- worlds -------------------------------------------------------------------------------------


def make_world(**options):
    return wf.World(CASTLE, **{"chunk": 12, "radius": 4} | options)


def make_fields():
    return wf.Fields(height=wf.Noise(0.1).rescaled(0, 1)).with_factors({CASTLE.tiles[1].name: "height"})


def generate_chunks(world):
    return [world.chunk(*position).tolist() for position in ((0, 0), (1, 0))]


@compiled_only
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"refine": 1},
        {"fields": make_fields()},
        {"constraints": [wf.MaxRun("daac", 3)], "chunk": 19, "radius": None},
    ],
)
def test_a_chunk_that_was_stopped_is_generated_again(options, short_slices):
    assert_can_be_stopped(lambda: make_world(**options), generate_chunks)


def test_soft_masks_are_the_same_whatever_is_applied_at_once(monkeypatch):
    tiles = wf.TileSet([wf.Tile("up", ("x",) * 4, limits={"h": (0.0, 0.6)}), wf.Tile("down", ("x",) * 4)])
    fields = wf.Fields(h=wf.Noise(0.2).rescaled(0, 1))
    patterns = []
    for at_once in (1 << 14, 5, 1):
        monkeypatch.setattr("wavefold.solver.engine.engine.MASKED_AT_ONCE", at_once)
        patchwork = wf.Patchwork(tiles, radius=3, fields=fields, refine=False)
        patchwork.populate_all([(0, 0), (1, 0)])
        patterns.append(patchwork.patterns)
    assert patterns[0] == patterns[1] == patterns[2]


@compiled_only
def test_a_region_is_read_with_checkpoints_even_if_its_chunks_are_there():
    world, count = make_world(), StopAt()
    whole = world.region(0, 0, 80, 80).tolist()
    with checking(count):
        assert world.region(0, 0, 80, 80).tolist() == whole
    assert count.passed >= 25  # chunks


def edit_world(world):
    if not world.edits:
        world.edit({(5, 5): CASTLE.tiles[0].name, (40, 3): CASTLE.tiles[1].name})
    return world.chunk(0, 0).tolist(), world.edits


@compiled_only
def test_an_edit_that_was_stopped_leaves_nothing_in_the_log(short_slices):
    assert_can_be_stopped(make_world, edit_world)


def forget_bases():
    base.known_plain_bases.forget()
    for cache in (refined_base.known_blocks, refined_base.known_refined_bases, refined_base.known_settings):
        cache.forget()


@compiled_only
def test_the_search_for_a_base_is_never_cut_short(short_slices, monkeypatch):
    """A stop within it is no budget: what was found by then must not become the base of a world."""

    monkeypatch.setattr(base, "SIDES", (23,))
    monkeypatch.setattr(refined_base, "WINDOW_SIDE", 16)

    def find_base(_):
        world = make_world(refine=1)
        return world.parts.generator.base.tolist()

    assert_can_be_stopped(forget_bases, find_base)


# --- patchworks ---------------------------------------------------------------------------------


def make_patchwork(join, refine=False):
    return lambda: wf.Patchwork(HEX_RIVERS, radius=3, join=join, refine=refine)


def populate_some(patchwork):
    missing = [key for key in ((0, 0), (1, 0), (0, 1)) if key not in patchwork.grids]
    patchwork.populate_all(missing)
    return sorted(patchwork.patterns.items()), patchwork.grids


WITNESS = pytest.param("witness", marks=compiled_only)


@pytest.mark.parametrize("join", ["fixed", "overlap", "editable", "whole", WITNESS])
def test_grids_that_were_stopped_are_populated_again(join, short_slices):
    assert_can_be_stopped(make_patchwork(join), populate_some)


def test_grids_are_refined_again(short_slices):
    assert_can_be_stopped(make_patchwork("overlap", 2), populate_some)


def test_a_disk_that_was_stopped_is_rebuilt_again(short_slices):
    def rebuild(patchwork):
        if not patchwork.report.rebuilt:
            patchwork.rebuild((0, 0), 2)
        return sorted(patchwork.patterns.items())

    def make():
        fresh = make_patchwork("overlap")()
        fresh.populate((0, 0))
        return fresh

    assert_can_be_stopped(make, rebuild, 2)


# --- maps ---------------------------------------------------------------------------------------


def generate_map(_):
    return wf.generate(CASTLE, wf.SquareGrid(12, 12), seed=3, refine=2).patterns.tolist()


def make_nothing():
    return None


@compiled_only
def test_a_map_that_was_stopped_is_generated_again(short_slices):
    assert_can_be_stopped(make_nothing, generate_map)


@pytest.mark.parametrize("search", ["auto", "witness", "exact"])
def test_a_solver_goes_on_after_it_was_stopped_from_outside(search, short_slices):
    def make():
        return wf.Solver(wf.Problem(PIPES, wf.SquareGrid(9, 9)), 5, search=search)

    def solve(solver):
        return solver.run().patterns.tolist()

    assert_can_be_stopped(make, solve, 2)


def test_a_step_of_a_solver_can_be_stopped_from_outside():
    solver = wf.Solver(wf.Problem(PIPES, wf.SquareGrid(5, 5)))
    with pytest.raises(Ended), checking(StopAt(0)):
        solver.step()
    whole = wf.generate(PIPES, wf.SquareGrid(5, 5), refine=False)
    assert solver.run().patterns.tolist() == whole.patterns.tolist()


def test_a_stop_from_outside_is_no_budget():
    """Not even when it comes with a budget of the call's own, in whichever call it arrives."""
    problem = wf.Problem(PIPES, wf.SquareGrid(6, 6))
    solution = wf.Solver(problem).run()
    calls = [
        lambda: wf.Solver(problem).run(wf.Budget(ms=1e9)),
        lambda: solution.refine(3, budget=wf.Budget(ms=1e9)),
        lambda: wf.repair(problem, np.arange(36) % 7, budget=wf.Budget(ms=1e9)),
        lambda: explain(problem, ms=1e9),
    ]
    for call in calls:
        with pytest.raises(Ended), checking(StopAt(0)):
            call()


def test_a_token_ends_a_call_in_another_thread():
    token, ended = CancelToken(), []

    def work():
        try:
            with checking(token.check):
                wf.Solver(wf.Problem(CHESS, wf.SquareGrid(60, 60)), search="backtrack").run()
                while True:
                    wf.generate(CHESS, wf.SquareGrid(9, 9))
        except Cancelled:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    token.cancel()
    thread.join(300)
    assert ended == [True]


# --- what is done with maps -----------------------------------------------------------------------

MAPS = {
    "square": lambda: wf.generate(PIPES, wf.SquareGrid(40, 40)),
    "hex": lambda: wf.generate(HEX_RIVERS, wf.HexGrid.rectangle(40, 40)),
    "cube": lambda: wf.generate(TOWERS, wf.CubeGrid(11, 11, 11)),
}
WORKS = {
    "picture": lambda solution, _: solution.image(tile_size=4).tobytes(),
    "check": lambda solution, _: wf.check(solution.problem, solution),
    "measure": lambda solution, _: str(wf.measure(solution)),
} | {
    ending: lambda solution, path, ending=ending: save_map(solution, path / f"map.{ending}")
    for ending in ("png", "svg", "csv", "json", "ldtk")
}


def save_map(solution, path):
    solution.save(path)
    content = path.read_bytes()
    path.unlink()
    return content


@compiled_only
@pytest.mark.parametrize("work", WORKS)
@pytest.mark.parametrize("kind", ["square", "hex", "cube"])
def test_pictures_files_and_figures_of_a_map_have_checkpoints(kind, work, tmp_path):
    if work == "ldtk" and kind != "square":
        pytest.skip("LDtk has squares only")
    solution = MAPS[kind]()

    def do(_):
        try:
            return WORKS[work](solution, tmp_path)
        finally:
            assert not [path for path in tmp_path.iterdir() if path.suffix != ".png"]  # nothing half-written

    assert_can_be_stopped(make_nothing, do, 1)


@compiled_only
def test_a_stopped_audit_is_run_again():
    def audit(_):
        found = wf.audit(PIPES)
        return found.looks, found.pairs, found.suggestions, found.certificate.base.tolist()

    assert_can_be_stopped(make_nothing, audit, 100)


@compiled_only
def test_an_explanation_that_was_stopped_is_made_again(short_slices):
    problem = wf.Problem(CASTLE, wf.SquareGrid(12, 12), pins={(0, 0): "abca@0", (0, 1): "daac@90"})

    def find_reason(_):
        return str(explain(problem))

    assert_can_be_stopped(make_nothing, find_reason, 3)


@compiled_only
def test_patchworks_are_drawn_and_checked_with_checkpoints():
    patchwork = make_patchwork("overlap")()
    patchwork.populate_all([(0, 0), (1, 0), (0, 1)])
    assert_can_be_stopped(make_nothing, lambda _: patchwork.image().tobytes(), 2)
    assert_can_be_stopped(make_nothing, lambda _: wf.check(patchwork), 2)
