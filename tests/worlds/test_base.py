"""The base of a world: a function of its tiles alone, and found soon."""

from time import process_time

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES, compiled_only
from wavefold.kernels.units import COMPILED
from wavefold.reports.auditing import find_certificate
from wavefold.solver import Solver
from wavefold.storage.cache import BoundedCache
from wavefold.worlds import World
from wavefold.worlds import base as bases
from wavefold.worlds.base import BaseTurn, Rectangle, find_turns

ROWS = ["sssssss", "ssstsss", "ssttsss", "gsttsgg", "ggggggg"]
CHUNK, RADIUS = (24, 5) if COMPILED else (12, 3)


def learned(ground):
    """The same rules, with the lowest row as ground or not."""
    return wf.learn([list(row) for row in ROWS], n=2, periodic=True, ground=ground)


@pytest.fixture
def fresh(monkeypatch):
    """As if nothing had been made in this process."""

    def forget():
        monkeypatch.setattr(bases, "known_plain_bases", BoundedCache(9))

    forget()
    return forget


def test_a_world_does_not_depend_on_worlds_with_and_without_ground_that_were_made_before(fresh):
    with_ground, without = learned(True), learned(False)
    assert with_ground.rules.digest == without.rules.digest
    alone = World(with_ground, 3, CHUNK, radius=RADIUS)
    fresh()
    World(without, 3, CHUNK, radius=RADIUS)
    after = World(with_ground, 3, CHUNK, radius=RADIUS)
    assert (alone.region(-9, -9, 40, 40) == after.region(-9, -9, 40, 40)).all()
    assert alone.certificate.size == after.certificate.size
    assert with_ground.ground_pattern not in after.parts.generator.base


def test_a_store_without_ground_is_not_joined_by_a_world_with_it(tmp_path):
    path = tmp_path / "my.world"
    World(learned(False), 3, CHUNK, radius=RADIUS, store=path).close()
    with pytest.raises(wf.WorldError, match="it differs in tiles"):
        World(learned(True), 3, CHUNK, radius=RADIUS, store=path)
    path = tmp_path / "other.world"
    world = World(learned(True), 3, CHUNK, radius=RADIUS)
    world.save(path)
    with World.open(path) as again:
        assert (again.region(-9, -9, 40, 40) == world.region(-9, -9, 40, 40)).all()


@compiled_only
@pytest.mark.parametrize(("name", "side"), [("tartan", 4), ("islands", 193), ("castle", 97)])
def test_a_base_is_found_or_given_up_after_little_search(name, side, fresh, monkeypatch):
    spent = []

    def run(solver, budget):
        try:
            return ran(solver, budget)
        finally:
            spent.append(solver.stats.backtracks)

    tiles = wf.TileSet.load(name) if name in wf.tilesets() else wf.learn(name)
    certificate, ran = find_certificate(tiles), Solver.run
    monkeypatch.setattr(Solver, "run", run)
    monkeypatch.setattr(bases, "find_certificate", lambda _: certificate)
    base = bases.find_base(tiles).patterns
    assert base.shape == (side, side)  # larger where windows change little; small where nothing else is found
    assert sum(spent) <= (12 * 80 if name == "tartan" else 3 * 1_000)


@pytest.mark.parametrize("tiles", [PIPES, HEX_RIVERS], ids=["square", "hex"])
def test_a_large_base_repeats_and_is_found_once(tiles, fresh, monkeypatch):
    monkeypatch.setattr(bases, "SIDES", (11,))
    base = bases.find_base(tiles).patterns
    assert base.shape == (11, 11)
    torus = (wf.HexGrid.rhombus if tiles.topology == "hex" else wf.SquareGrid)(11, 11, wraps=True)
    assert not wf.check(wf.Problem(tiles, torus), base.reshape(-1))
    assert bases.find_base(tiles).patterns is base


def test_without_a_large_one_the_base_is_that_of_the_certificate(fresh, monkeypatch):
    chess = wf.TileSet([wf.Tile("white", (*"aabb",)), wf.Tile("black", (*"bbaa",))])
    monkeypatch.setattr(bases, "SIDES", (5,))  # odd: there is none
    found = bases.find_base(chess)
    assert found.patterns is found.certificate.base


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("name", [*wf.tilesets(), *wf.samples()])
def test_every_bundled_set_makes_its_world_in_a_few_seconds(name, fresh):
    tiles = wf.TileSet.load(name) if name in wf.tilesets() else wf.learn(name)
    if tiles.topology == "cube":
        return
    before = process_time()
    World(tiles, 1)
    assert process_time() - before < 6


# --- turned bases: valid, and turned only as far as the tiles tell no direction -------------------


NUMBERS = np.arange(7 * 9, dtype=np.int32).reshape(7, 9)
ROAD = wf.Tile("road", ("r", "g", "r", "g"), symmetry="I")
GRASS = wf.Tile("grass", ("g",) * 4, symmetry="X")
HILLS = wf.TileSet(
    [wf.Tile("low", ("g",) * 4), wf.Tile("high", ("g",) * 4, 2)],
    beside=[wf.Beside("low", "high", "north", weight=0.5)],
)


def ways(tiles):
    found = find_turns(tiles.rules, np.unique(tiles.rules.weights, return_inverse=True)[1].reshape(-1))
    return {tuple(each[:3]): each for each in found}


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("right", [1, -1])
@pytest.mark.parametrize("down", [1, -1])
def test_a_rectangle_is_cut_from_the_turned_plane(exchanged, right, down):
    turn = BaseTurn(exchanged, right, down, np.arange(NUMBERS.size, dtype=np.int32))
    turned = turn.turn(NUMBERS)
    height, width = turned.shape
    whole = Rectangle(0 if right > 0 else 1 - width, 0 if down > 0 else 1 - height, width, height)
    assert turn.find_source(whole) == (0, 0, *NUMBERS.shape[::-1])
    x, y, across, along = turn.find_source(Rectangle(whole.x + 2, whole.y + 1, 3, 4))
    part = turn.turn(NUMBERS[y : y + along, x : x + across])
    assert (part == turned[1:5, 2:5]).all()


@pytest.mark.parametrize(
    ("tiles", "count"),
    [(PIPES, 8), (wf.TileSet([ROAD, GRASS]), 8), (HILLS, 2), (wf.TileSet.load("pipes"), 8)],
)
def test_turned_maps_are_valid(tiles, count):
    found = ways(tiles)
    assert len(found) == count
    plain = wf.generate(tiles, wf.SquareGrid(9, 7), seed=1).array
    for turn in found.values():
        turned = turn.turn(plain)
        problem = wf.Problem(tiles, wf.SquareGrid(*turned.shape[::-1]))
        assert wf.check(problem, turned.reshape(-1)) == []
        assert (tiles.rules.weights[turn.counterparts] == tiles.rules.weights).all()


def test_soft_pairs_tell_directions_apart():
    assert list(ways(HILLS)) == [(False, 1, 1), (False, -1, 1)]


@compiled_only
def test_hexagons_are_turned_by_half_and_mirrored():
    curve = wf.Tile("curve", tuple("aabbbb"), symmetry="F")
    tiles = wf.TileSet([curve, wf.Tile("rest", ("b",) * 6)], topology="hex")
    assert [each[:2] for each in ways(tiles)] == [(False, 1), (False, -1), (True, 1), (True, -1)]
    for seed in range(6):
        assert wf.check(wf.World(tiles, seed, 16, refine=1), -5, -5, 20, 20) == []


@compiled_only
def test_seeds_have_the_base_in_different_orientations():
    worlds = [wf.World(wf.TileSet.load("pipes"), seed, 16, refine=1) for seed in range(12)]
    turns = {world.parts.generator._turn[:3] for world in worlds}
    assert len(turns) > 4
    for world in worlds[:4]:
        assert wf.check(world, -5, -5, 20, 20) == []
