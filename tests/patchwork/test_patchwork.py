"""The map itself: growing, rebuilding, presets, threads, and what is refused."""

import threading

import numpy as np
import pytest
from small_maps import AROUND, JOINS, RADIUS, full_map, small_map

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES, TOWERS, compiled_only
from wavefold.patchwork import PatchworkReport
from wavefold.patchwork.joins import Editable, Fixed, Join, Overlap


class Nameless(Join):
    """A join that forgot to say what it is called."""

    def populate(self, ground, key):
        return Overlap().populate(ground, key)


def test_an_empty_map_begins_anywhere():
    made = small_map()
    assert made.expandable() == [(0, 0)]
    assert made.patterns == {}
    assert made.grids == made.dropped == made.changed == ()
    assert made.report.cells == made.report.attempts == 0
    assert not wf.check(made)
    made.populate((5, -3))
    assert made.grids == ((5, -3),)
    assert len(made.expandable()) == 6


def test_the_grids_that_can_grow_next_go_round_the_first():
    made = small_map()
    for _ in range(7):
        made.populate(made.expandable()[0])
    assert made.grids == tuple(AROUND["rivers"])
    assert len(made.expandable()) == 12


def test_tiles_and_owners():
    made = full_map("pipes")
    cell = made.centre_of((1, -1))
    assert made.tile(cell) == made.rules.names[made.patterns[cell]]
    assert made.owner(cell) == (1, -1)
    assert cell in made.cells_of((1, -1))
    assert made.owner((1000, 1000)) not in made.grids
    with pytest.raises(wf.ConfigError, match="not populated: it belongs to grid"):
        made.tile((1000, 1000))


def test_progress_is_told_after_each_grid():
    told = []
    small_map().populate_all(AROUND["rivers"][:3], progress=lambda *each: told.append(each))
    assert told == [(1, 3), (2, 3), (3, 3)]
    small_map(join="whole").populate_all(AROUND["rivers"][:3], progress=lambda *each: told.append(each))
    assert told[3:] == [(3, 3)]


def test_reports_add_up_and_are_plain_data():
    made = full_map("castle", "fixed", radius=2)
    report = made.report
    for name in ("attempts", "backtracks", "unfixed", "changed", "seconds"):
        assert getattr(report, name) == sum(getattr(grid, name) for grid in report.grids)
    told = report.to_dict()
    assert told["grids"][1]["key"] == [0, -1]
    assert told["grids"][1]["join"] == "fixed"
    assert "grid (0, -1): " in str(report.grids[1])
    assert str(report).startswith("9 grids, 225 cells: ")


def test_cells_that_changed_twice_are_told_as_such():
    made = full_map("castle", "overlap", radius=2)
    report = made.report
    assert report.changed_cells == len(made.changed) < report.changed
    assert f"{len(made.changed)} cells changed, {report.changed} times in all" in str(report)
    once = PatchworkReport(changed=3, changed_cells=3, attempts=1, grids=report.grids[:1])
    assert str(once).startswith("1 grid, 0 cells: 1 attempt, 3 changed")


def test_a_report_names_the_join_that_made_the_grid():
    made = full_map("rivers", "whole")
    assert made.populate(made.expandable()[0]).join == "overlap"
    assert {report.join for report in made.report.grids} == {"whole", "overlap"}


def test_a_cleared_map_is_as_new():
    made = full_map("castle", "fixed", radius=2)
    before = made.patterns
    made.clear()
    assert made.patterns == {}
    assert made.grids == made.dropped == made.changed == ()
    made.populate_all(AROUND["castle"])
    assert made.patterns == before


def test_what_an_engine_did_before_never_shows():
    fresh = full_map("rivers", "editable", seed=11)
    for seed in range(3):
        full_map("rivers", "overlap", seed)
    assert full_map("rivers", "editable", seed=11).patterns == fresh.patterns


def test_other_seeds_give_other_maps():
    assert full_map(seed=1).patterns != full_map(seed=2).patterns
    assert full_map(seed=0).patterns != full_map(seed=2**64).patterns


@pytest.mark.parametrize("seed", [2**63 + 5, 2**64, -(2**70), 10**30])
def test_a_large_seed_is_that_of_the_same_world(seed):
    made = small_map("pipes", "witness", seed)
    made.populate((0, 0))
    world = wf.World(made.tiles, seed, made.join.chunk)
    left, top = min(made.patterns)
    side = 2 * RADIUS + 1
    region = world.region(left, top, side, side)
    assert all(region[y - top, x - left] == pattern for (x, y), pattern in made.patterns.items())
    assert made.seed == seed


def test_a_key_may_be_an_array():
    made = small_map()
    made.populate(np.array([1, 0]))
    assert made.grids == ((1, 0),)


def test_a_grid_that_progress_made_is_not_made_again():
    made = small_map()
    with pytest.raises(wf.ConfigError, match=r"grid \(1, -1\) is already populated"):
        made.populate_all([(0, 0), (0, -1), (1, -1)], lambda done, _: done == 1 and made.populate((1, -1)))
    assert made.grids == ((0, 0), (1, -1), (0, -1))


def test_what_could_be_next_is_told_of_the_grids_that_were_asked_for():
    with pytest.raises(wf.ConfigError, match=r"grid \(5, 5\) .* grids that can be added: \(0, -1\), "):
        small_map().populate_all([(0, 0), (5, 5)])


# --- rebuilding -----------------------------------------------------------------------------------


@pytest.mark.parametrize("join", JOINS)
@pytest.mark.parametrize("tiles", ["rivers", "pipes"])
def test_rebuilding_changes_a_disk_and_nothing_else(tiles, join):
    made = full_map(tiles, join)
    before, centre = made.patterns, made.cells_of((0, -1))[0]  # at a border
    different = made.rebuild(centre, 2)
    assert different
    assert set(different) == {cell for cell in before if before[cell] != made.patterns[cell]}
    assert set(different) <= set(made.parts.context.plan.disk(centre, 2))
    assert made.report.rebuilt == len(different)
    assert not wf.check(made)
    made.populate(made.expandable()[0])
    assert not wf.check(made)


def test_rebuilding_twice_gives_two_different_things_and_is_the_same_everywhere():
    one, other = full_map("rivers"), full_map("rivers")
    for _ in range(2):
        assert one.rebuild((0, 0)) == other.rebuild((0, 0))
    assert one.patterns == other.patterns


def test_a_rebuild_that_cannot_change_anything_says_so_and_changes_nothing():
    made = wf.Patchwork(CHESS, 2, 1)
    made.populate((0, 0))
    before = made.patterns
    with pytest.raises(wf.OutOfBudget, match=r"no other solution was found .* nothing was changed"):
        made.rebuild((0, 0), 1)
    assert made.patterns == before
    made.rebuild((0, 0), 8)  # all of it: then it can
    assert made.patterns != before


# --- presets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("join", JOINS)
def test_presets_are_met(join):
    presets = {(0, 0): "spring", (4, -6): ["land", "bend"]}
    made = full_map("rivers", join, presets=presets)
    assert made.tile((0, 0)).startswith("spring")
    assert made.tile((4, -6)).split("@")[0] in ("land", "bend")
    assert made.pins == presets
    assert not wf.check(made)


@compiled_only
def test_a_grass_centre_and_a_water_side():
    made = wf.Patchwork(wf.TileSet.load("medieval"), seed=5, presets=True)
    made.populate((0, 0))
    assert made.tile((0, 0)) == "grass"
    first = [cell for cell in made.pins if made.owner(cell) == (0, 0) and cell != (0, 0)]
    assert [made.tile(cell) for cell in first] == ["water"]
    assert made.parts.context.plan.distance(first[0], (0, 0)) == 8
    assert len(made.pins) == 6
    beyond = {made.owner(cell) for cell in made.pins} - {(0, 0)}
    assert len(beyond) == 4


def test_presets_are_for_medieval_tiles():
    with pytest.raises(wf.TileSetError, match="grass beside water needs hexagons"):
        wf.Patchwork(HEX_RIVERS, presets=True)


# --- threads --------------------------------------------------------------------------------------


def test_two_threads_populate_one_after_the_other():
    made = small_map("rivers")
    made.populate((0, 0))
    errors, sizes, done = [], set(), threading.Event()
    size = len(made.cells_of((0, 0)))

    def populate(keys):
        for key in keys:
            try:
                made.populate(key)
            except wf.WavefoldError as error:
                errors.append(str(error))

    def look():
        while not done.is_set():
            sizes.add(len(made.patterns) % size)

    keys = AROUND["rivers"][1:]
    workers = [threading.Thread(target=populate, args=(keys,)) for _ in range(2)]
    watcher = threading.Thread(target=look)
    for thread in (*workers, watcher):
        thread.start()
    for worker in workers:
        worker.join()
    done.set()
    watcher.join()
    assert len(errors) == len(keys)
    assert all("already populated" in error for error in errors)
    assert sizes == {0}  # nobody ever saw half a grid
    assert not wf.check(made)
    assert set(made.grids) == set(AROUND["rivers"])


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda made: made.populate((0, 0)), "already populated"),
        (lambda made: made.populate((9, 9)), r"touches no populated grid.* \(0, -1\)"),
        (lambda made: made.populate((2**41, 0)), "out of reach: coordinates"),
        (lambda made: made.populate((0.5, 0)), "a key must be"),
        (lambda made: made.populate("ab"), "a key must be"),
        (lambda made: made.populate_all([(0, 1), (0, 1)]), "listed twice"),
        (lambda made: made.populate_all([(0, 1), (7, 7)]), r"grid \(7, 7\) is out of reach"),
        (lambda made: made.populate_all(None), "must be a list of keys"),
        (lambda made: made.populate(np.array(3)), "a key must be"),
        (lambda made: made.tile(3), "a cell must be"),
        (lambda made: made.owner((1, True)), "a cell must be"),
        (lambda made: made.rebuild((500, 500)), "is not populated"),
        (lambda made: made.rebuild((0, 0), -1), "radius of a rebuild"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(ask, message):
    made = small_map()
    made.populate((0, 0))
    before = made.patterns
    with pytest.raises(wf.ConfigError, match=message):
        ask(made)
    assert made.patterns == before
    assert made.grids == ((0, 0),)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: wf.Patchwork(TOWERS), wf.TileSetError, "hex or square tiles; these are cube tiles"),
        (lambda: wf.Patchwork(PIPES.rules), wf.TileSetError, "must be a TileSet"),
        (lambda: wf.Patchwork(PIPES, radius=0), wf.ConfigError, "radius must be a whole number from 1"),
        (lambda: wf.Patchwork(PIPES, seed="x"), wf.ConfigError, "seed is a whole number"),
        (lambda: wf.Patchwork(PIPES, join="overlp"), wf.PluginError, "did you mean 'overlap'"),
        (lambda: wf.Patchwork(PIPES, join=3), wf.ConfigError, "join must be a name"),
        (lambda: wf.Patchwork(PIPES, join=Nameless()), wf.ConfigError, "Nameless has no name"),
        (lambda: wf.Patchwork(PIPES, grow="glue"), wf.PluginError, "unknown join 'glue'"),
        (lambda: wf.Patchwork(PIPES, join=Overlap(), grow=3), wf.ConfigError, "grow must be a name"),
        (lambda: Overlap(ring=0), wf.ConfigError, "ring of a join must be"),
        (lambda: Overlap(widest=65), wf.ConfigError, "widest of a join must be"),
        (lambda: Fixed(disks=-1), wf.ConfigError, "disks of a join must be"),
        (lambda: Editable(preference=0), wf.ConfigError, "preference must be"),
        (lambda: wf.Patchwork(PIPES, retries=0), wf.ConfigError, "retries: attempts must be"),
        (lambda: wf.Patchwork(PIPES, retries={"drops": 1}), wf.ConfigError, "did you mean 'drop'"),
        (lambda: wf.Patchwork(PIPES, fields=3), wf.ConfigError, "fields must be given as"),
        (lambda: wf.Patchwork(PIPES, presets=3), wf.ConfigError, "presets must be"),
        (lambda: wf.Patchwork(PIPES, presets={3: " "}), wf.ConfigError, "a cell must be"),
        (lambda: wf.Patchwork(PIPES, presets={(0, 0): "?"}), wf.TileSetError, "no tile '\\?'"),
    ],
)
def test_a_map_that_cannot_be_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("join", ["fixed", "overlap", "editable", "whole"])
def test_tiles_that_fit_nowhere_are_an_error(join):
    lonely = wf.TileSet([wf.Tile("post", (*"abcd",))])
    made = wf.Patchwork(lonely, 1, join=join)
    with pytest.raises(wf.Contradiction, match=r"grid \(0, 0\) could not be joined"):
        made.populate((0, 0))
    assert made.grids == ()


def test_a_witness_needs_a_certificate():
    with pytest.raises(wf.WorldError, match="no certificate"):
        wf.Patchwork(wf.TileSet([wf.Tile("post", (*"abcd",))]), 1, join="witness").populate((0, 0))


def test_the_checker_sees_a_wrong_cell():
    made = full_map("pipes")
    cell = made.centre_of((0, 0))
    made.parts.context.patterns[cell] = (made.patterns[cell] + 1) % len(made.rules)
    found = wf.check(made)
    assert found
    assert all(cell in violation.cells for violation in found)
    made.parts.context.patterns[cell] = 99
    assert [violation.kind for violation in wf.check(made)] == ["pattern"]
    del made.parts.context.patterns[cell]
    assert [violation.kind for violation in wf.check(made)] == ["size"]
    with pytest.raises(wf.ConfigError, match="takes no other arguments"):
        wf.check(made, 3)
