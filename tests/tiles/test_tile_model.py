"""The tile model: levels, rises, asymmetric sockets, neighbour rules, functions, limits."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from wavefold.tiles.tile import flip_socket

OPPOSITE = {"square": (2, 3, 0, 1), "hex": (3, 4, 5, 0, 1, 2), "cube": (2, 3, 0, 1, 5, 4)}
SIDES = {"square": 4, "hex": 6, "cube": 6}
words = st.sampled_from(["a", "b", "c>", "c<"])
symmetries = st.sampled_from(["fixed", "turned", "X", "I", "L", "T", "\\", "F", ("0", "m"), (0, 180)])


@st.composite
def tiles(draw):
    """Tiles with everything sockets can say."""
    topology = draw(st.sampled_from(["square", "hex", "cube"]))
    sides, drawn = SIDES[topology], []
    for number in range(draw(st.integers(1, 4))):
        sockets = draw(st.tuples(*[words] * sides))
        rises = draw(st.one_of(st.just(()), st.tuples(*[st.integers(0, 2)] * sides)))
        levels = draw(st.integers(max(rises, default=0) + 1, 4))
        symmetry = draw(symmetries)
        drawn.append(wf.Tile(f"t{number}", sockets, 1.0, symmetry, None, levels, rises, draw(st.booleans())))
    return wf.TileSet(drawn, topology)


@given(tiles())
def test_sides_match_in_socket_and_height_and_own_kinds_stay_apart(tiles):
    allowed = tiles.rules.allowed
    for side, back in enumerate(OPPOSITE[tiles.topology]):
        for a, b in product(range(len(tiles)), repeat=2):
            here, there = tiles.patterns[a], tiles.patterns[b]
            fits = here.sockets[side] == flip_socket(there.sockets[back])
            fits &= here.heights[side] == there.heights[back]
            fits &= not (here.tile is there.tile and here.tile.apart)
            assert allowed[side, a, b] == fits


@given(tiles())
def test_every_pattern_is_named_once_and_found_by_its_name(tiles):
    names = [pattern.name for pattern in tiles.patterns]
    assert len(set(names)) == len(names)
    for number, pattern in enumerate(tiles.patterns):
        exact = pattern.name if "@" in pattern.name else f"{pattern.name}@0"
        assert tiles.rules.patterns(exact).tolist() == [number]
        mirror = "m" if pattern.orientation.mirrored else ""
        spelled = f"{pattern.tile.name}@{mirror}r{pattern.orientation.turn}l{pattern.level}"
        assert tiles.rules.patterns(spelled).tolist() == [number]


@given(tiles())
def test_a_set_is_the_same_seen_in_a_mirror(tiles):
    """Where every tile may be turned and mirrored, so may what is allowed: the table keeps its symmetry."""
    free = wf.TileSet(
        [
            wf.Tile(tile.name, tile.sockets, symmetry="F", levels=tile.levels, rises=tile.rises)
            for tile in tiles.tiles
        ],
        tiles.topology,
    )
    number = {(each.tile.name, each.orientation, each.level): i for i, each in enumerate(free.patterns)}
    ring = 6 if free.topology == "hex" else 4
    axis = 5 if free.topology == "hex" else 0
    mirror = wf.tiles.Orientation(0, True)
    image = [
        number[each.tile.name, mirror.after(each.orientation, ring), each.level] for each in free.patterns
    ]
    allowed = free.rules.allowed
    for side in range(SIDES[free.topology]):
        mirrored = (axis - side) % ring if side < ring else side
        assert (allowed[mirrored][np.ix_(image, image)] == allowed[side]).all()


def test_a_tile_stands_at_every_level_that_holds_its_highest_side():
    slope = wf.Tile("slope", ("g",) * 4, levels=4, rises=(2, 0, 0, 0), symmetry=("0", "90"))
    tiles = wf.TileSet([slope])
    assert [pattern.name for pattern in tiles.patterns] == ["slope", "slope@l1", "slope@r1", "slope@r1l1"]
    assert [pattern.heights for pattern in tiles.patterns] == [
        (2, 0, 0, 0),
        (3, 1, 1, 1),
        (0, 2, 0, 0),
        (1, 3, 1, 1),
    ]
    assert tiles.rules.patterns("slope").tolist() == [0, 1, 2, 3]
    assert tiles.rules.patterns("slope@90l1").tolist() == [3]
    with pytest.raises(wf.TileSetError, match="no tile 'slope@l2'"):
        tiles.rules.patterns("slope@l2")


def test_an_asymmetric_side_fits_only_its_mirror_image():
    ramp = wf.Tile("ramp", ("ramp>", "flat", "ramp<", "flat"))
    tiles = wf.TileSet([ramp, wf.Tile("other", ("ramp>", "flat", "ramp>", "flat"))])
    allowed = tiles.rules.allowed[0]  # what may stand to the north
    assert allowed.tolist() == [[True, False], [True, False]]


def test_mirrored_tiles_show_mirrored_sockets():
    tiles = wf.TileSet([wf.Tile("t", ("a>", "b", "c", "d<"), symmetry=("0", "m", "m90"))])
    assert tiles.patterns[1].sockets == ("a<", "d>", "c", "b")
    assert tiles.patterns[2].sockets == ("b", "a<", "d>", "c")


def test_faces_above_and_below_stay_when_a_cube_turns():
    tiles = wf.TileSet([wf.Tile("t", (*"abcduv",), symmetry="turned")], "cube")
    assert [pattern.sockets for pattern in tiles.patterns][1] == (*"dabcuv",)


def test_rules_add_to_sockets_and_take_from_them():
    drawn = [wf.Tile("sand", ("s",) * 4), wf.Tile("sea", ("w",) * 4), wf.Tile("rock", ("s",) * 4)]
    rules = [
        wf.Beside("sand", "sea", "north"),
        wf.Beside("rock", ("sand", "rock"), ("E", "W"), allowed=False),
    ]
    allowed = wf.TileSet(drawn, beside=rules).rules.allowed
    north, east = allowed[0], allowed[1]
    assert north.tolist() == [[True, True, True], [False, True, False], [True, False, True]]
    assert east.tolist() == [[True, False, False], [False, True, False], [False, False, False]]
    assert (allowed[2] == north.T).all()
    assert (allowed[3] == east.T).all()


def test_a_rule_turns_with_what_may_be_turned():
    """A gate stands at the end of a road; neither has sockets."""
    road, gate = wf.Tile("road", symmetry="I"), wf.Tile("gate", symmetry="T")
    tiles = wf.TileSet([road, gate], beside=[wf.Beside("road@0", "gate@0", "north")])
    rules = tiles.rules
    pairs = {
        (direction, rules.names[a], rules.names[b]) for direction, a, b in np.argwhere(rules.allowed).tolist()
    }
    assert pairs == {
        (0, "road", "gate"), (2, "gate", "road"),
        (1, "road@270", "gate@90"), (3, "gate@90", "road@270"),
        (2, "road", "gate@180"), (0, "gate@180", "road"),
        (3, "road@270", "gate@270"), (1, "gate@270", "road@270"),
    }  # fmt: skip


def test_the_sides_of_a_rule_are_those_of_the_tile_as_drawn():
    drawn = [wf.Tile("rock", symmetry="X"), wf.Tile("ice", symmetry="turned")]
    tiles = wf.TileSet(drawn, beside=[wf.Beside("ice", "rock", "north", allowed=False)])
    for turn, name in enumerate(("ice@0", "ice@90", "ice@180", "ice@270")):
        pattern = int(tiles.rules.patterns(name)[0])
        assert tiles.rules.allowed[:, pattern, 0].tolist() == [side != turn for side in range(4)]


def test_heights_count_without_sockets_too():
    tiles = wf.TileSet([wf.Tile("step", levels=3), wf.Tile("slope", levels=3, rises=(1, 0, 0, 0))])
    heights = np.array([pattern.heights for pattern in tiles.patterns])
    for side, back in enumerate((2, 3, 0, 1)):
        assert (tiles.rules.allowed[side] == (heights[:, side, None] == heights[None, :, back])).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: wf.TileSet(5), "made of tiles"),
        (lambda: wf.TileSet([wf.Tile("a")], []), "square, hex or cube"),
        (lambda: wf.TileSet([wf.Tile("a")], name=5), "name of a tile set must be text"),
        (lambda: wf.TileSet([wf.Tile("a")], description=5), "description of a tile set must be text"),
        (lambda: wf.TileSet([wf.Tile("a")], allowed=5), "allowed must be a function"),
        (lambda: wf.TileSet([wf.Tile("a")], allowed_at=5), "allowed_at must be a function"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside(1, "a")]), "made of names"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a", ([],))]), "made of names"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a", allowed="no")]), "True or False"),
        (lambda: wf.TileSet([wf.Tile("a")], beside=[wf.Beside("a", "a")] * 10_001), "at most 10,000"),
        (lambda: wf.TileSet([wf.Tile("a", apart="no")]), "apart='no'; it must be True or False"),
        (lambda: wf.TileSet([wf.Tile("a", limits={"z": (0, 10**400)})]), "two numbers"),
        (lambda: wf.TileSet([wf.Tile("a", weight=10**400)]).rules, "weights must be numbers"),
        (lambda: wf.TileSet([wf.Tile("a", picture=())]), "0 pictures for 1 patterns"),
        (lambda: wf.TileSet.load(None), "by its name or path"),
        (lambda: wf.TileSet.load("castle", subset="x"), "no option|there are none"),
        (lambda: wf.TileSet.load("set.xml", subst="x"), "did you mean 'subset'"),
    ],
)
def test_what_makes_no_sense_is_a_tile_set_error(make, message):
    with pytest.raises(wf.TileSetError, match=message):
        make()


def test_a_picture_that_cannot_be_drawn_is_named():
    tiles = wf.TileSet([wf.Tile("a", ("s",) * 4, picture=lambda pattern: 1 // 0)])
    with pytest.raises(wf.TileSetError, match="picture of 'a' cannot be drawn: ZeroDivisionError"):
        wf.generate(tiles, wf.SquareGrid(2, 2)).image()


def test_what_is_fixed_does_not_turn_with_a_rule():
    tiles = wf.TileSet([wf.Tile("sky"), wf.Tile("ground")], beside=[wf.Beside("ground", "sky", "north")])
    assert np.argwhere(tiles.rules.allowed).tolist() == [[0, 1, 0], [2, 0, 1]]


def test_without_sockets_everything_may_touch_but_what_is_forbidden():
    forbidden = wf.Beside("lava", "ice", allowed=False)
    tiles = wf.TileSet([wf.Tile(name) for name in ("lava", "ice", "rock")], beside=[forbidden])
    assert (~tiles.rules.allowed).sum() == 8
    assert not tiles.rules.allowed[:, 0, 1].any()


@given(st.integers(0, 10**6), st.sampled_from(["square", "hex", "cube"]))
def test_rules_one_by_one_say_what_a_table_says(salt, topology):
    rng = np.random.default_rng(salt)
    names, opposite = ["a", "b", "c"], OPPOSITE[topology]
    table = rng.random((len(opposite), 3, 3)) < 0.4
    table[0, 0, 0] = True
    table = np.stack([table[side] | table[back].T for side, back in enumerate(opposite)])
    compass = wf.TileSet([wf.Tile("a")], topology).directions
    rules = [wf.Beside(names[a], names[b], compass[side]) for side, a, b in np.argwhere(table).tolist()]
    tiles = wf.TileSet([wf.Tile(name) for name in names], topology, beside=rules)
    assert (tiles.rules.allowed == table).all()


def test_a_function_narrows_what_is_allowed_and_both_sides_must_agree():
    drawn = [wf.Tile("low", ("s",) * 4, levels=3), wf.Tile("high", ("s",) * 4, levels=3)]
    flat = wf.TileSet([wf.Tile(f"h{height}", None) for height in range(4)])
    gentle = wf.TileSet(
        flat.tiles, allowed=lambda a, b, direction: abs(int(a.tile.name[1]) - int(b.tile.name[1])) <= 1
    )
    heights = np.arange(4)
    assert (gentle.rules.allowed == (abs(heights[:, None] - heights) <= 1)).all()
    one_way = wf.TileSet(drawn, allowed=lambda a, b, direction: direction != "north" or a.level == 0)
    assert (one_way.rules.allowed[0] == one_way.rules.allowed[2].T).all()
    assert one_way.rules.allowed[0].sum() == 4
    assert one_way.rules.allowed[1].sum() == 12


def test_a_function_that_fails_is_named():
    with pytest.raises(wf.TileSetError, match=r"allowed\('a', 'a', 'north'\) failed: ZeroDivisionError"):
        _ = wf.TileSet([wf.Tile("a")], allowed=lambda a, b, direction: 1 // 0).rules


LAND = wf.TileSet(
    [
        wf.Tile("sea", ("s",) * 4, limits={"altitude": (0.0, 0.4)}),
        wf.Tile("land", ("s",) * 4, limits={"altitude": (0.35, 1.0)}),
    ]
)


def test_limits_hold_where_there_are_fields():
    grid = wf.SquareGrid(12, 8)
    fields = wf.Fields(altitude=lambda x, y: x / 11)
    problem = wf.Problem(LAND, grid, fields=fields)
    solution = wf.Solver(problem, seed=3).run()
    altitude = np.broadcast_to(np.arange(12) / 11, (8, 12))
    assert (solution.values[altitude > 0.4] == "land").all()
    assert (solution.values[altitude < 0.35] == "sea").all()
    assert not wf.check(problem, solution)
    assert wf.generate(LAND, grid, seed=3, fields=fields).values.tolist() == solution.values.tolist()
    assert "sea" in wf.generate(LAND, grid, seed=3).values[altitude > 0.4]


def test_a_mask_and_fields_hold_together():
    masks = np.ones((96, 2), bool)
    masks[:, 0] = False
    fields = wf.Fields(altitude=lambda x, y: x / 11)
    with pytest.raises(wf.Contradiction):
        wf.generate(LAND, wf.SquareGrid(12, 8), masks=masks, fields=fields)


def test_a_function_of_fields_is_asked_for_every_cell():
    def dry(pattern, fields):
        if pattern.tile.name == "land":
            return fields["wet"] < 0.5
        return True

    tiles = wf.TileSet([wf.Tile("sea", ("s",) * 4), wf.Tile("land", ("s",) * 4, 1e6)], allowed_at=dry)
    wet = np.array([[0.0, 1.0, 0.2], [1.0, 0.0, 0.9]])
    solution = wf.generate(tiles, wf.SquareGrid(3, 2), fields=wf.Fields(wet=wet))
    assert ((solution.values == "land") == (wet < 0.5)).all()


@pytest.mark.parametrize(
    ("tile", "message"),
    [
        (wf.Tile("a", ("s",) * 4, rises=(1, 0, 0)), "3 rises but square cells have 4 sides"),
        (wf.Tile("a", ("s",) * 4, rises=(1, 0, 0, 0)), "levels=1; it must be a whole number from 2"),
        (wf.Tile("a", ("s",) * 4, rises=(-1, 0, 0, 0)), "at least 0 as rises"),
        (wf.Tile("a", ("s",) * 4, levels=0), "levels=0"),
        (wf.Tile("a", ("s",) * 4, levels=2.5), "levels=2.5"),
        (wf.Tile("a", ("s",) * 4, levels=10**9), "levels=1000000000"),
        (wf.Tile("a", ("s",) * 4, limits={"wet": (2, 1)}), "the lowest first"),
        (wf.Tile("a", ("s",) * 4, limits={"wet": 3}), "two numbers"),
        (wf.Tile("a", ("s",) * 4, limits=[1]), "limits as {field: "),
    ],
)
def test_what_no_tile_can_be_is_refused(tile, message):
    with pytest.raises(wf.TileSetError, match=message):
        wf.TileSet([tile])


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (("a", "b"), "written Beside"),
        (wf.Beside("a", "c"), "no tile 'c'"),
        (wf.Beside("a", "b", "nroth"), "no side 'nroth'; did you mean 'north'"),
        (wf.Beside((), "b"), "must name a tile"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule, message):
    with pytest.raises(wf.TileSetError, match=message):
        _ = wf.TileSet([wf.Tile("a"), wf.Tile("b")], beside=[rule]).rules


def test_too_many_patterns_for_a_table_are_refused_before_it_is_made():
    drawn = [wf.Tile(f"t{number}", symmetry="F") for number in range(600)]
    with pytest.raises(wf.TileSetError, match="4,800 patterns are too many for neighbour rules"):
        _ = wf.TileSet(drawn).rules
