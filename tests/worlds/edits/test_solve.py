"""Edits: as small as can be, undone exactly, made again anywhere."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_worlds import with_borders

import wavefold as wf
from support import CHESS, HEX_RIVERS, PIPES, compiled_only
from wavefold.worlds import World
from wavefold.worlds.edits.edit import Edit
from wavefold.worlds.edits.solve import group_cells

CHUNK, RADIUS, REACH = 24, 5, 16
AROUND = (-2 * CHUNK, -2 * CHUNK, 4 * CHUNK, 4 * CHUNK)
SETS = {"pipes": PIPES, "rivers": HEX_RIVERS}
_made = {}


def world_of(name, **options):
    """A fresh world; what worlds of this kind made before is shared, which saves time."""
    world = World(SETS[name], 7, CHUNK, radius=RADIUS, **options)
    world.parts.generator.cache = _made.setdefault(name, world.parts.generator.cache)
    return world


def tiles_of(world):
    return st.sampled_from(world.rules.tiles)


cells = st.tuples(st.integers(-CHUNK, CHUNK), st.integers(-CHUNK, CHUNK))


def try_edit(world, wanted):
    """Whether the edit could be made."""
    try:
        world.edit(wanted, reach=REACH)
    except (wf.Contradiction, wf.WorldError):
        return False
    return True


@pytest.fixture(params=list(SETS))
def world(request):
    return world_of(request.param)


@settings(max_examples=20)
@given(data=st.data(), name=st.sampled_from(list(SETS)))
def test_after_any_edits_the_world_is_valid_and_has_the_tiles_of_the_edits(data, name):
    world = world_of(name)
    asked = {}
    for _ in range(data.draw(st.integers(1, 3))):
        wanted = data.draw(st.dictionaries(cells, tiles_of(world), min_size=1, max_size=3))
        before = world.region(*AROUND)
        if try_edit(world, wanted):
            asked |= wanted
        else:
            assert (world.region(*AROUND) == before).all()
    assert not wf.check(world, *AROUND)
    for cell, tile in asked.items():
        assert world.tile_at(*cell).partition("@")[0] == tile


def test_undo_returns_to_the_exact_bytes_and_redo_goes_there_again(world):
    tile = world.rules.tiles[-1]
    states = [world.region(*AROUND).tobytes()]
    for cell in [(0, 0), (1, -1), (CHUNK - 1, 3), (0, 0)]:
        world.edit({cell: tile}, reach=REACH)
        states.append(world.region(*AROUND).tobytes())
    for state in states[-2::-1]:
        world.undo()
        assert world.region(*AROUND).tobytes() == state
    with pytest.raises(wf.WorldError, match="no edit to undo"):
        world.undo()
    for state in states[1:]:
        world.redo()
        assert world.region(*AROUND).tobytes() == state
    with pytest.raises(wf.WorldError, match="no edit to redo"):
        world.redo()


def test_an_edit_after_undo_drops_the_undone_edits(world):
    tiles = world.rules.tiles
    world.edit({(0, 0): tiles[0]}, reach=REACH)
    world.undo()
    world.edit({(0, 0): tiles[-1]}, reach=REACH)
    assert len(world.edits) == 1
    with pytest.raises(wf.WorldError):
        world.redo()


@settings(max_examples=10)
@given(data=st.data(), name=st.sampled_from(list(SETS)))
def test_a_log_replayed_elsewhere_gives_the_same_world(data, name):
    world = world_of(name)
    for wanted in data.draw(
        st.lists(st.dictionaries(cells, tiles_of(world), min_size=1, max_size=2), min_size=1, max_size=3)
    ):
        try_edit(world, wanted)
    other = World(world.tiles, 7, CHUNK, radius=RADIUS)
    other.replay(json.loads(json.dumps(world.edits)))
    assert other.edits == world.edits
    place = (-CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)
    assert (other.region(*place) == world.region(*place)).all()


def test_a_log_is_replayed_whole_or_not_at_all():
    world = World(CHESS, 7, CHUNK)
    fits = {"wanted": [[0, 0, world.tile_at(0, 0)]], "settled": [], "reach": 2}
    odd = {"wanted": [[0, 1, world.tile_at(0, 0)]], "settled": [], "reach": 2}
    with pytest.raises(wf.WorldError, match=r"edit number 2 of the log .* impossible to have"):
        world.replay([fits, odd])
    assert world.edits == []
    world.replay([fits])
    assert len(world.edits) == 1


def test_distant_chunks_keep_their_bytes(world):
    places = [(i, j) for j in range(-2, 3) for i in range(-2, 3)]
    before = {place: world.chunk(*place).tobytes() for place in places}
    edit = world.edit({(0, 0): world.rules.tiles[-1], (1, 0): world.rules.tiles[-1]}, reach=4)
    assert all(max(abs(x), abs(y)) <= 5 for x, y in edit.settled)
    after = {place: world.chunk(*place).tobytes() for place in places}
    assert {place for place in places if before[place] != after[place]} <= {
        (x // CHUNK, y // CHUNK) for x, y in edit.settled
    }


def test_an_edit_changes_what_it_says_and_nothing_else(world):
    before = world.region(*AROUND)
    edit = world.edit({(3, 3): world.rules.tiles[-1]}, reach=REACH)
    after = world.region(*AROUND)
    changed = {(int(x) + AROUND[0], int(y) + AROUND[1]) for y, x in np.argwhere(before != after)}
    assert changed <= set(edit.settled)
    assert set(edit.settled) - changed <= {(3, 3)}


@compiled_only
def test_an_edit_is_small():
    world = World(PIPES, 7, CHUNK, radius=RADIUS)
    sizes = [len(world.edit({(x, 10): "┼"}).settled) for x in range(0, 40, 4)]
    assert max(sizes) <= 12
    blank = next((x, y) for y in range(9) for x in range(9) if world.tile_at(x, y) == " ")
    assert world.edit({blank: " "}).settled == {blank: 0}


@compiled_only
def test_of_a_tile_the_pattern_is_chosen_that_changes_least():
    tiles = wf.TileSet(
        [
            wf.Tile("blank", (*"----",), 3.0),
            wf.Tile("bar", (*"o-o-",), symmetry=(0, 90)),
            wf.Tile("corner", (*"oo--",), symmetry="turned"),
            wf.Tile("tee", (*"ooo-",), symmetry="turned"),
        ]
    )
    world = World(tiles, 3, CHUNK, radius=RADIUS)

    def size(cell, name):
        edit = world.edit({cell: name})
        world.undo()
        return len(edit.settled)

    for tile in ("bar", "corner", "tee"):
        patterns = [name for name in tiles.rules.names if name.partition("@")[0] == tile]
        exact = [name if "@" in name else f"{name}@0" for name in patterns]
        for cell in [(0, 0), (7, 3), (-9, 5)]:
            assert size(cell, tile) == min(size(cell, name) for name in exact)


def test_an_impossible_edit_is_refused_with_the_reason_and_changes_nothing():
    world = World(CHESS, 7, CHUNK)
    other = {"white": "black", "black": "white"}[world.tile_at(5, 5)]
    before = world.region(*AROUND).tobytes()
    with pytest.raises(wf.Contradiction) as raised:
        world.edit({(5, 5): other}, reach=3)
    message = str(raised.value)
    assert f"it is impossible to have {other!r} at (5, 5) with changes within 3 cells" in message
    assert "beyond the reach of the edit" in message
    assert len(raised.value.explanation.requirements) == 2
    assert world.region(*AROUND).tobytes() == before
    assert world.edits == []


def test_an_earlier_edit_is_named_as_the_reason():
    world = world_of("pipes")
    world.edit({(0, 0): "┼"}, reach=REACH)
    with pytest.raises(wf.Contradiction, match=r"'┼' at \(0, 0\), which was wanted by an earlier edit"):
        world.edit({(1, 0): " "}, reach=3)
    world.edit({(1, 0): " ", (0, 0): " "}, reach=REACH)
    assert world.tile_at(0, 0) == " "


def test_a_tile_that_is_there_already_is_fixed_from_then_on():
    world = world_of("pipes")
    there = world.tile_at(2, 2)
    assert world.edit({(2, 2): there}, reach=2).settled == {(2, 2): world.rules.names.index(there)}
    try_edit(world, {(3, 2): "┼"})
    assert world.tile_at(2, 2) == there


def test_cells_far_from_each_other_are_solved_apart():
    wanted = {(0, 0): "a", (3, 0): "b", (10**6, 0): "c", (0, -500): "d"}
    assert [len(group) for group in group_cells(wanted, 16)] == [2, 1, 1]
    world = world_of("pipes")
    edit = world.edit({(0, 0): "┼", (10**9, -(10**9)): "┼"}, reach=REACH)
    assert world.tile_at(10**9, -(10**9)) == world.tile_at(0, 0) == "┼"
    assert len(edit.settled) < 40


def test_edits_far_away():
    world = world_of("pipes")
    far = 2**40 - 100
    world.edit({(far, -far): "┼"}, reach=REACH)
    assert world.tile_at(far, -far) == "┼"
    for place in [(2**40, 0), (0, 2**70)]:
        with pytest.raises(wf.ConfigError, match="too far away"):
            world.edit({place: "┼"})


@compiled_only
def test_learned_patterns_are_edited_by_value():
    rows = ["sssss", "sccss", "scccs", "ssccs", "sssss"]
    tiles = wf.learn([list(row) for row in rows], n=2, periodic=True)
    world = World(tiles, 1, CHUNK, radius=RADIUS)
    world.edit({(0, 0): "c"}, reach=REACH)
    values = np.array(tiles.rules.values, object)
    assert values[world.region(0, 0, 1, 1)[0, 0]] == "c"
    assert not wf.check(world, -CHUNK, -CHUNK, 2 * CHUNK, 2 * CHUNK)
    other = World(tiles, 1, CHUNK, radius=RADIUS)
    other.replay(json.loads(json.dumps(world.edits)))
    assert (other.chunk(0, 0) == world.chunk(0, 0)).all()


@pytest.mark.parametrize(
    ("wanted", "error", "message"),
    [
        ({}, wf.ConfigError, "1 to 65,536 cells, not 0"),
        ([(0, 0)], wf.ConfigError, "must be a dict"),
        ({(0, 0): "rivr"}, wf.TileSetError, "did you mean 'river'"),
        ({(0.5, 0): "river"}, wf.ConfigError, "two whole numbers"),
        ({5: "river"}, wf.ConfigError, "two whole numbers"),
        ({(0, 0): []}, wf.ConfigError, "is empty"),
        ({(x * 30, x * 30): "river" for x in range(40)}, wf.ConfigError, "make several edits"),
    ],
)
def test_bad_edits_are_refused(wanted, error, message):
    world = world_of("rivers")
    with pytest.raises(error, match=message):
        world.edit(wanted)
    assert world.edits == []


def test_bad_logs_are_refused():
    world = world_of("pipes")
    with pytest.raises(wf.ConfigError, match="reach must be a whole number"):
        world.edit({(0, 0): " "}, reach=1000)
    for log in ([5], [{"wanted": [[0, 0]], "settled": [], "reach": 3}], [{}]):
        with pytest.raises(wf.WorldError, match="not an edit, as listed"):
            world.replay(log)
    strange = Edit({(0, 0): ("no such pattern",)}, {}, 3)
    with pytest.raises(wf.WorldError, match="no such pattern"):
        world.replay([strange])


# --- pins ---------------------------------------------------------------------------------------


def test_pins_are_there_from_the_start_and_cannot_be_undone():
    world = world_of("pipes", pins={(0, 0): "┼", (4, 4): ["└", "┘"]})
    assert world.tile_at(0, 0) == "┼"
    assert world.tile_at(4, 4) in "└┘"
    assert world.edits == []
    assert not wf.check(world, *AROUND)
    with pytest.raises(wf.WorldError, match="pins given at creation cannot be undone"):
        world.undo()
    with pytest.raises(wf.Contradiction):
        world.edit({(1, 0): " "}, reach=2)


@compiled_only
def test_pins_that_cannot_be_met_are_an_error_that_names_them():
    with pytest.raises(wf.WorldError, match=r"the pins cannot be met: .*'┼' at \(0, 0\)"):
        world_of("pipes", pins={(0, 0): "┼", (1, 0): " "})


# --- time and fields ----------------------------------------------------------------------------


def test_chunks_with_a_budget_have_their_edits_or_are_not_ready():
    at_once = wf.Budget(ms=0)
    with with_borders(World(PIPES, 7, CHUNK, radius=RADIUS), (1, 1), (3, 3)) as world:
        world.parts.delivery.scheduler.threads = 0
        world.edit({(0, 0): "┼"}, reach=REACH)
        chunk = world.chunk(0, 0, budget=at_once)
        assert chunk[0, 0] == world.rules.names.index("┼")
        assert (chunk == world.chunk(0, 0)).all()
        assert world.chunk(3, 3, budget=at_once).provisional
        with pytest.raises(wf.NotReady, match="edits in or beside them"):
            world.chunk(1, 1, budget=at_once)
        report = world.budgets.report
        assert (report.final, report.provisional, report.not_ready) == (1, 1, 1)
        assert (report.calls, report.chunks, report.first_in_time) == (3, 3, report.in_time)


@compiled_only
def test_edits_respect_fields():
    tiles = wf.TileSet(
        [
            wf.Tile("sea", (*"ssss",), limits={"altitude": (-1.0, 0.1)}),
            wf.Tile("lava", (*"ssss",), limits={"altitude": (2.0, 3.0)}),
            wf.Tile("land", (*"llll",)),
            wf.Tile("coast", (*"scll",), symmetry="turned"),
            wf.Tile("cliff", (*"sclc",), symmetry="turned"),
        ]
    )
    world = World(tiles, 1, CHUNK, radius=RADIUS, fields=wf.Fields(altitude=0.0))
    for x in range(0, 9, 3):
        if try_edit(world, {(x, 2): "land"}):
            try_edit(world, {(x, 2): "sea"})
    assert "lava" not in {world.rules.names[each] for each in np.unique(world.chunk(0, 0))}


# --- towns --------------------------------------------------------------------------------------


def town_of(tiles, seed, side, at):
    """A square of another world, as an edit: every pattern by its name."""
    patterns = World(tiles, seed).region(10, 10, side, side)
    names = tiles.rules.names
    return {
        (at + x, at + y): [
            names[patterns[y, x]] if "@" in names[patterns[y, x]] else names[patterns[y, x]] + "@0"
        ]
        for y in range(side)
        for x in range(side)
    }


@compiled_only
@pytest.mark.parametrize(("side", "seed"), [(8, 100), (12, 99), pytest.param(24, 99, marks=pytest.mark.slow)])
def test_a_town_finds_its_place_in_a_stiff_world(side, seed):
    tiles = wf.TileSet.load("castle")
    town = town_of(tiles, seed, side, 20)
    world, again = World(tiles, 3), World(tiles, 3)
    edit = world.edit(town, reach=32)
    assert not wf.check(world, -20, -20, 80 + side, 80 + side)
    assert all(world.rules.patterns(name[0])[0] == edit.settled[cell] for cell, name in town.items())
    again.replay(world.edits)
    assert again.edits == world.edits


@compiled_only
def test_pins_that_need_room_get_it(monkeypatch):
    tiles = wf.TileSet.load("castle")
    monkeypatch.setattr("wavefold.worlds.edits.log.EDIT_REACH", 2)
    world = World(tiles, 3, pins=town_of(tiles, 100, 8, 20))
    assert world.parts.log.edits[0].reach > 2
    assert not wf.check(world, 0, 0, 60, 60)
