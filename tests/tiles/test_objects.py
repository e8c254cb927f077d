"""Objects on maps: a pure function of the seed, each cell and its tile."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wavefold as wf
from support import compiled_only
from wavefold.kernels.host.seeding import fold_seed, mix, mix_arrays
from wavefold.tiles.objects import CellHashes, list_offsets_within
from wavefold.topology import get_lattice_class

GRIDS = {
    "square": wf.SquareGrid(23, 17),
    "hex": wf.HexGrid(radius=9),
    "cube": wf.CubeGrid(7, 6, 4),
}
OAK = wf.MapObject("oak", "wood", density=0.6, apart=3)


def plain_tiles(topology: str = "square", *objects: wf.MapObject) -> wf.TileSet:
    """Three tiles that may touch in any way."""
    return wf.TileSet([wf.Tile(name) for name in ("wood", "lawn", "lake")], topology, objects=objects)


def objects_by_cell(objects: list[wf.PlacedObject]) -> dict[tuple[int, ...], wf.PlacedObject]:
    return {each.coordinate: each for each in objects}


def distance(kind: str, one: Any, other: Any) -> int:
    return get_lattice_class(kind).distance(*(there - here for here, there in zip(one, other, strict=True)))


# --- where they stand -----------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4))
def test_arrays_are_mixed_as_numbers_are(state: int, parts: list[int]) -> None:
    arrays = [np.array([part, part]) for part in parts]
    assert mix_arrays(state, *arrays).tolist() == [mix(state, *parts)] * 2


@pytest.mark.parametrize("kind", GRIDS)
def test_they_stand_on_their_tiles_alone_and_apart(kind: str) -> None:
    solution = wf.generate(plain_tiles(kind, OAK), GRIDS[kind], seed=3, refine=False)
    tile = {
        solution.problem.topology.coordinate(cell): name for cell, name in enumerate(tile_names(solution))
    }
    assert len(solution.objects) >= 3
    assert {tile[each.coordinate] for each in solution.objects} == {"wood"}
    pairs = combinations((each.coordinate for each in solution.objects), 2)
    assert min(distance(kind, *pair) for pair in pairs) >= OAK.apart


def tile_names(solution: wf.Solution) -> list[str]:
    rules = solution.problem.rules
    return [rules.tiles[rules.tile_of[pattern]] for pattern in solution.patterns]


@settings(max_examples=25, deadline=None)
@given(
    kind=st.sampled_from(sorted(GRIDS)),
    seed=st.integers(-(2**70), 2**70),
    density=st.floats(0, 1),
    apart=st.integers(1, 4),
)
def test_the_slow_obvious_way_gives_the_same(kind: str, seed: int, density: float, apart: int) -> None:
    oak = wf.MapObject("oak", ["wood", "lawn"], density=density, apart=apart)
    grid = GRIDS[kind]
    tiles = plain_tiles(kind, oak)
    patterns = np.arange(grid.cell_count) % 3
    solution = wf.Solution(wf.Problem(tiles, grid), patterns, wf.Statistics(), seed)
    numbers = CellHashes(fold_seed(seed), "oak", None)

    def number_at(place: tuple[int, ...]) -> int:
        return int(numbers.draw(np.array([place]))[0])

    expected = []
    for cell, pattern in enumerate(patterns.tolist()):
        place = grid.coordinate(cell)
        own = number_at(place)
        near = (
            tuple(a + b for a, b in zip(place, step, strict=True))
            for step in list_offsets_within(kind, apart)
        )
        if pattern < 2 and own < density * 2**64 and all(number_at(each) > own for each in near):
            expected.append(place)
    assert [each.coordinate for each in solution.objects] == expected


def test_offsets_are_all_cells_that_are_nearer() -> None:
    assert sorted(list_offsets_within("square", 2)) == [(-1, 0), (0, -1), (0, 1), (1, 0)]
    assert list_offsets_within("square", 1) == ()
    assert len(list_offsets_within("hex", 3)) == 18
    assert len(list_offsets_within("cube", 2)) == 6


def test_they_stay_apart_across_edges_that_wrap() -> None:
    oak = wf.MapObject("oak", ["wood", "lawn", "lake"], density=1, apart=4)
    grid = wf.SquareGrid(9, 11, wraps=True)
    for seed in range(20):
        places = [
            each.coordinate for each in wf.generate(plain_tiles("square", oak), grid, seed=seed).objects
        ]
        assert places
        for (x, y), (u, v) in combinations(places, 2):
            across, down = abs(x - u), abs(y - v)
            assert min(across, 9 - across) + min(down, 11 - down) >= 4


def test_one_stands_on_a_map_smaller_than_its_distance() -> None:
    oak = wf.MapObject("oak", ["wood", "lawn", "lake"], density=1, apart=32)
    assert len(wf.generate(plain_tiles("square", oak), wf.SquareGrid(1, 1, wraps=True)).objects) == 1


def test_density_is_the_chance_of_a_cell_without_neighbours() -> None:
    oak = wf.MapObject("oak", ["wood", "lawn", "lake"], density=0.3)
    solution = wf.generate(plain_tiles("square", oak), wf.SquareGrid(128, 128), seed=1)
    assert abs(len(solution.objects) / 128**2 - 0.3) < 0.02


def test_a_cell_has_one_object_and_the_first_comes_first() -> None:
    every = ["wood", "lawn", "lake"]
    oak, chest = wf.MapObject("oak", every, density=0.5), wf.MapObject("chest", every, density=1)
    grid = wf.SquareGrid(32, 32)
    both = objects_by_cell(wf.generate(plain_tiles("square", oak, chest), grid, seed=1).objects)
    alone = objects_by_cell(wf.generate(plain_tiles("square", oak), grid, seed=1).objects)
    assert len(both) == grid.cell_count
    assert {cell for cell, each in both.items() if each.name == "oak"} == set(alone)


def test_positions_lie_in_their_cells() -> None:
    oak = wf.MapObject("oak", "wood", density=1, jitter=0.25)
    for kind, middle in (("square", 0.5), ("cube", 0.5), ("hex", 0.0)):
        solution = wf.generate(plain_tiles(kind, oak), GRIDS[kind], seed=2)
        places = np.array([each.coordinate for each in solution.objects])
        points = np.array([each.position for each in solution.objects])[:, :2]
        moved = points - np.stack(GRIDS[kind].positions(places.T), axis=1)[:, :2] - middle
        assert np.abs(moved).max() <= 0.25
        assert np.abs(moved).max() > 0.15


def test_groups_patterns_and_letters_name_tiles() -> None:
    tiles = [wf.Tile("coast-a"), wf.Tile("coast-b"), wf.Tile("road", symmetry="turned")]
    grid = wf.SquareGrid(16, 16)
    for on, found in (("coast-*", {"coast-a", "coast-b"}), ("shore", {"coast-a"}), ("road@90", {"road@90"})):
        one = wf.MapObject("shell", on, density=1)
        made = wf.TileSet(tiles, groups={"shore": ["coast-a"]}, objects=[one])
        solution = wf.generate(made, grid, seed=1)
        names = solution.problem.rules.names
        cells = [grid.cell_at(each.coordinate) for each in solution.objects]
        assert {names[solution.patterns[cell]] for cell in cells} == found


def test_maps_are_the_same_with_and_without_objects() -> None:
    pipes, grid = wf.TileSet.load("pipes"), wf.SquareGrid(16, 16)
    tree = wf.MapObject("tree", pipes.tiles[0].name, density=1)
    dressed = pipes.with_objects([tree])
    assert pipes.objects == ()
    assert dressed.objects == (tree,)
    assert dressed.rules.digest == pipes.rules.digest
    plain, drawn = wf.generate(pipes, grid, seed=3), wf.generate(dressed, grid, seed=3)
    assert plain.patterns.tolist() == drawn.patterns.tolist()
    assert plain.objects == []
    assert drawn.objects


def test_learned_sets_take_objects() -> None:
    tiles = wf.learn_adjacency(np.array([["a", "b", "a"], ["b", "a", "b"]])).with_objects(
        [wf.MapObject("oak", "a", density=1)]
    )
    solution = wf.generate(tiles, wf.SquareGrid(6, 6), seed=1)
    assert len(solution.objects) == 18


def test_the_same_seed_gives_the_same_objects_on_every_machine() -> None:
    oak = wf.MapObject("oak", ["wood", "lawn", "lake"], density=0.3, apart=3, jitter=0.5)
    grid = wf.SquareGrid(9, 6)
    problem = wf.Problem(plain_tiles("square", oak), grid)
    solution = wf.Solution(problem, np.zeros(grid.cell_count, np.int64), wf.Statistics(), 7, (-4, 1000))
    assert [(each.coordinate, each.position) for each in solution.objects] == [
        ((3, 1000), (3.26953125, 1000.94140625)),
        ((-1, 1002), (-0.87109375, 1002.07421875)),
        ((3, 1003), (3.671875, 1003.3125)),
        ((-3, 1004), (-2.0234375, 1004.9375)),
    ]


# --- worlds and patchworks --------------------------------------------------------------------------


def dressed_pipes() -> wf.TileSet:
    pipes = wf.TileSet.load("pipes")
    names = [tile.name for tile in pipes.tiles]
    objects = [
        wf.MapObject("valve", names[:2], density=0.4, apart=3, jitter=0.2),
        wf.MapObject("rat", names, density=0.2, apart=2),
    ]
    return pipes.with_objects(objects)


@compiled_only
def test_windows_of_a_world_have_the_objects_of_the_whole_in_any_order() -> None:
    tiles = dressed_pipes()
    whole = wf.World(tiles, seed=5, chunk=24).objects(-40, -30, 90, 70)
    windows = [(x, y, 30, 35) for x in (-40, -10, 20) for y in (-30, 5)]
    for order in (windows, windows[::-1]):
        world = wf.World(tiles, seed=5, chunk=24)
        assert sorted(each for window in order for each in world.objects(*window)) == sorted(whole)
    assert len({each.name for each in whole}) == 2


def test_an_edit_changes_objects_of_the_cells_it_changes_and_no_others() -> None:
    tiles = dressed_pipes()
    with wf.World(tiles, seed=5, chunk=24) as world:
        area = (-10, -10, 40, 40)
        patterns, before = world.region(*area), objects_by_cell(world.objects(*area))
        chosen = [cell for cell, each in before.items() if each.name == "valve"][:3]
        bare = next(tile.name for tile in tiles.tiles if tile.name not in tiles.objects[0].on)
        for cell in chosen:
            world.edit({cell: bare})
        changed = np.argwhere(world.region(*area) != patterns)[:, ::-1] + (-10, -10)
        after = objects_by_cell(world.objects(*area))
        same = {*before, *after} - set(map(tuple, changed.tolist()))
        assert {cell: before.get(cell) for cell in same} == {cell: after.get(cell) for cell in same}
        assert all(after.get(cell, ("",))[0] != "valve" for cell in chosen)
        fresh = wf.World(tiles, seed=5, chunk=24)
        fresh.replay(world.edits)
        assert objects_by_cell(fresh.objects(*area)) == after


def test_a_join_changes_objects_of_the_cells_it_changes_and_no_others() -> None:
    tiles = dressed_pipes()
    map = wf.Patchwork(tiles, radius=4, seed=2)
    assert map.objects == []
    seen = 0
    for key in wf.build_order("square", 5):
        patterns, before = map.patterns, objects_by_cell(map.objects)
        map.populate(key)
        after = objects_by_cell(map.objects)
        kept = {cell for cell, pattern in patterns.items() if map.patterns[cell] == pattern}
        seen += len(kept & set(before))
        assert {cell: before.get(cell) for cell in kept} == {cell: after.get(cell) for cell in kept}
        rules = map.rules
        on = {each.name: {*each.patterns(rules).tolist()} for each in tiles.objects}
        assert all(map.patterns[cell] in on[each.name] for cell, each in after.items())
    assert seen


# --- bad input --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "name of an object must be text"),
        ({"on": []}, "it must be tiles"),
        ({"on": 3}, "it must be tiles"),
        ({"density": 1.5}, "a number from 0 to 1"),
        ({"density": "many"}, "a number from 0 to 1"),
        ({"density": float("nan")}, "a number from 0 to 1"),
        ({"apart": 0}, "a whole number of steps from 1 to 32"),
        ({"apart": 2.5}, "a whole number of steps"),
        ({"size": 0}, "a number of cells above 0"),
        ({"anchor": (0.5,)}, "two numbers from 0 to 1"),
        ({"jitter": 0.7}, "from 0 to 0.5"),
        ({"colour": "blurple"}, "a colour such as"),
        ({"picture": np.zeros((4, 4))}, "uint8 [row, column, RGB or RGBA]"),
    ],
)
def test_objects_that_cannot_be_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(wf.TileSetError) as error:
        wf.MapObject(**{"name": "oak", "on": "wood"} | arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ([wf.MapObject("oak", "wod")], "object 'oak': there is no tile 'wod'; did you mean 'wood'?"),
        ([wf.MapObject("oak", "forest-*")], "object 'oak': no tile matches 'forest-*'"),
        ([OAK, OAK], "two objects are called 'oak'"),
        (["oak"], "must be a"),
        (7, "must be a"),
    ],
)
def test_tile_sets_refuse_objects_they_cannot_place(objects: Any, message: str) -> None:
    with pytest.raises(wf.TileSetError) as error:
        wf.TileSet([wf.Tile("wood"), wf.Tile("lawn")], objects=objects)
    assert message in str(error.value)
