"""Worlds with a network: all roads in one piece, whatever is generated first."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES, compiled_only, drawn
from wavefold.worlds import World

NETWORK = wf.RoadNetwork(sides="o", spacing=16)
STEPS = {0: (0, -1), 1: (1, 0), 2: (0, 1), 3: (-1, 0)}  # north, east, south, west
LAND = wf.TileSet([*PIPES.tiles, wf.Tile("flowers", tuple("----"), 3.0), wf.Tile("house", tuple("--o-"))])
CHUNK, ACROSS = 24, 4


def make_world(seed=7, **options):
    return World(LAND, seed, CHUNK, radius=5, network=NETWORK, refine=False, **options)


def find_networks(opens, start):
    """The pieces of roads in an array [row, column] of open sides, that of `start` first."""
    height, width = opens.shape
    left, pieces = {(x, y) for y, x in np.argwhere(opens).tolist()}, []
    while left:
        first = min(left) if pieces else start
        piece, line = {first}, [first]
        while line:
            x, y = line.pop()
            for side, (right, down) in STEPS.items():
                there = x + right, y + down
                facing = (side + 2) % 4
                if (
                    opens[y, x] >> side & 1
                    and 0 <= there[0] < width
                    and 0 <= there[1] < height
                    and opens[there[1], there[0]] >> facing & 1
                    and there not in piece
                ):
                    piece.add(there)
                    line.append(there)
        left -= piece
        pieces.append(piece)
    return pieces


def pieces_that_end_inside(pieces, size):
    """All pieces but the largest that nowhere reach the border: these would be networks of their own."""
    rest = sorted(pieces, key=len)[:-1]
    return [piece for piece in rest if all(0 < x < size - 1 and 0 < y < size - 1 for x, y in piece)]


def read_opens(world, size):
    """[row, column] the sides with roads of the cells from (0, 0)."""
    return read_sides(world.tiles, {"o"})[world.region(0, 0, size, size)]


def read_sides(tiles, roads):
    """[pattern] the sides with roads, as bits."""
    shown = [[str(socket) in roads for socket in pattern.sockets] for pattern in tiles.patterns]
    return np.array([sum(1 << side for side in range(4) if row[side]) for row in shown])


def test_roads_are_one_network_in_any_visiting_order():
    one, other = make_world(), make_world()
    positions = [(x, y) for y in range(ACROSS) for x in range(ACROSS)]
    chunks = {position: one.chunk(*position) for position in positions}
    for position in sorted(positions, key=lambda at: (at[0] * 7 + at[1] * 5) % 11, reverse=True):
        assert other.chunk(*position).tobytes() == chunks[position].tobytes()
    size = ACROSS * CHUNK
    assert not wf.check(one, 0, 0, size, size)
    towns = one.towns(0, 0, size, size)
    pieces = find_networks(read_opens(one, size), towns[0])
    assert not pieces_that_end_inside(pieces, size)
    assert set(towns) <= pieces[0]


def test_windows_change_the_land_between_the_roads():
    world = make_world()
    region, plan = world.region(0, 0, CHUNK, CHUNK), world.parts.generator.roads.base(0, 0, CHUNK, CHUNK)
    assert {"flowers", "house"} <= {LAND.rules.names[each] for each in region[region != plan]}
    opens = read_opens(world, CHUNK)
    planned = world.parts.generator.roads.plan.roads(0, 0, CHUNK, CHUNK)
    assert (opens & planned == planned).all()


@pytest.mark.parametrize("refine", [False, pytest.param(2, marks=compiled_only)])
def test_tiles_can_be_roads_wherever_they_touch(refine):
    names = ("grass", "flowers", "path")
    tiles = wf.TileSet([wf.Tile(name, "xxxx") for name in names])
    network = wf.RoadNetwork(tiles="path", spacing=16, winding=0)
    world = World(tiles, 3, 16, network=network, refine=refine)
    paths = world.region(0, 0, 48, 48) == tiles.rules.names.index("path")
    planned = world.parts.generator.roads.plan.roads(0, 0, 48, 48) > 0
    assert (paths == planned).all()
    assert len(set(world.region(0, 0, 48, 48)[~planned].tolist())) == 2
    assert not wf.check(world, 0, 0, 48, 48)


def test_branches_end_in_the_tiles_that_may_be_ends():
    tiles = wf.TileSet([*LAND.tiles, wf.Tile("well", tuple("o---"))])
    for ends, found in ((None, {"house", "well"}), ("well", {"well"}), ((), set())):
        network = wf.RoadNetwork(sides="o", spacing=16, ends=ends)
        world = World(tiles, 7, CHUNK, radius=5, network=network, refine=False)
        names = {tiles.rules.names[each] for each in world.region(0, 0, 2 * CHUNK, 2 * CHUNK).reshape(-1)}
        assert names & {"house", "well"} == found


def test_another_seed_or_spacing_has_other_roads_and_towns():
    towns = make_world().towns(-50, -50, 100, 100)
    assert towns != make_world(8).towns(-50, -50, 100, 100)
    assert World(PIPES, 7, 16).towns(0, 0, 100, 100) == []


def test_an_edit_cannot_cut_a_road():
    world = make_world()
    town = world.towns(0, 0, 40, 40)[0]
    before = world.region(0, 0, 40, 40)
    with pytest.raises(wf.Contradiction) as failure:
        world.edit({town: " "}, reach=4)
    assert "network" in str(failure.value.explanation)
    assert (world.region(0, 0, 40, 40) == before).all()
    free = next((x, y) for y, x in np.argwhere(read_opens(world, 24) == 0).tolist())
    world.edit({free: " "})


def test_a_saved_world_has_its_network(tmp_path):
    world = make_world()
    path = tmp_path / "roads.world"
    world.save(path)
    again = World.open(path)
    assert again.network == wf.RoadNetwork(sides="o", spacing=16)
    assert (again.chunk(1, 0) == world.chunk(1, 0)).all()
    with pytest.raises(wf.WorldError, match="network"):
        World(LAND, 7, CHUNK, radius=5, refine=False, store=path)


def test_checking_finds_roads_that_are_cut_off():
    problem = wf.Problem(PIPES, wf.SquareGrid(5, 5))
    patterns = np.zeros(25, int)
    patterns[[6, 7, 11, 12]] = [PIPES.rules.names.index(each) for each in "┌┐└┘"]
    assert NETWORK.find_cut_off(problem, patterns) == []  # the only piece
    patterns[[4]] = PIPES.rules.names.index("│")
    assert NETWORK.find_cut_off(problem, patterns) == [[6, 7, 11, 12]]


@pytest.mark.parametrize(
    ("tiles", "network", "message"),
    [
        (drawn(" ─│┌┐└┘"), {"sides": "o"}, "no tile fits with roads to north and east and"),
        (drawn("─│┌┐└┘├┤┬┴"), {"sides": "o"}, "open ground"),
        (PIPES, {"sides": "q"}, "no tile has a side 'q'"),
        (PIPES, {"sides": {"─": "east", "│": ("north", "south")}}, "list the sides of all roads"),
        (PIPES, {}, "needs the sides"),
        (PIPES, {"sides": "o", "spacing": 8}, "spacing must be"),
        (PIPES, {"sides": "o", "winding": 2}, "winding must be a number from 0 to 1, not 2"),
    ],
)
def test_a_network_that_cannot_be_laid_says_why(tiles, network, message):
    with pytest.raises(wf.WavefoldError, match=message):
        World(tiles, 7, CHUNK, refine=False, network=wf.RoadNetwork(**network))


def test_a_network_that_cannot_be_laid_says_what_the_best_ground_lacks():
    moor = wf.Tile("moor", "mmmm", weight=0.1)  # tried last; no road fits on it
    tiles = wf.TileSet([*drawn(" ─│┌┐└┘").tiles, moor])
    with pytest.raises(wf.WorldError, match="no tile fits with roads to north and east and south, or"):
        World(tiles, 7, CHUNK, refine=False, network=wf.RoadNetwork(sides="o"))


def test_a_network_must_be_one():
    with pytest.raises(wf.ConfigError, match="must be a RoadNetwork"):
        World(PIPES, network="o")


def test_roads_of_hexagons_are_laid_if_there_are_bends_of_both_angles_and_forks():
    network = wf.RoadNetwork(sides="w", spacing=16)
    with pytest.raises(wf.WorldError, match="forks"):
        World(HEX_RIVERS, 7, CHUNK, network=network, refine=False)
    more = ("wwllll", "wwwlll", "wwlwll", "wlwwll", "wlwlwl")
    turned = [wf.Tile(sides, tuple(sides), symmetry="turned") for sides in more]
    tiles = wf.TileSet([*HEX_RIVERS.tiles, *turned], "hex")
    world = World(tiles, 7, CHUNK, network=network, refine=False)
    assert not wf.check(world, 0, 0, 2 * CHUNK, 2 * CHUNK)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sides"), [("castle", ("mm=", "cc=")), ("meadow", ("gg+", "tt+", "ww+"))])
def test_256_chunks_have_one_network_in_two_visiting_orders(name, sides):
    tiles, network = wf.TileSet.load(name), wf.RoadNetwork(sides=sides)
    one, other = (World(tiles, 5, 32, network=network) for _ in range(2))
    positions = [(x, y) for y in range(16) for x in range(16)]
    chunks = {position: one.chunk(*position).tobytes() for position in positions}
    for position in sorted(positions, key=scatter):
        assert other.chunk(*position).tobytes() == chunks[position]
    assert not wf.check(one, 0, 0, 512, 512)
    bits = read_sides(tiles, sides)
    towns = one.towns(0, 0, 512, 512)
    pieces = find_networks(bits[one.region(0, 0, 512, 512)], towns[0])
    assert not pieces_that_end_inside(pieces, 512)
    assert set(towns) <= pieces[0]


def scatter(at):
    """A number for an order that has nothing to do with rows."""
    return (at[0] * 7919 + at[1] * 104729) % 1009
