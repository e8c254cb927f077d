"""Measurements of maps: they see what was put in, and chance is within the noise."""

import numpy as np
import pytest

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.reports.measuring.blocks import (
    Deviation,
    compute_independent_floor,
    count_by_block,
    estimate_block_floor,
    number_blocks,
)
from wavefold.reports.measuring.isotropy import DirectionCounts, Isotropy
from wavefold.solver.shares import Shares

DICE = wf.TileSet([wf.Tile(name, None, weight) for name, weight in zip("abcd", (4, 3, 2, 1), strict=True)])
SHARES = np.array([0.4, 0.3, 0.2, 0.1])


def as_solution(array, tiles=DICE, **options):
    array = np.asarray(array)
    grid = wf.SquareGrid(*array.shape[::-1]) if array.ndim == 2 else wf.CubeGrid(*array.shape[::-1])
    return wf.Solution(
        wf.Problem(tiles, grid, **options), array.reshape(-1).astype(np.int64), wf.Statistics()
    )


def dice(seed, side=64, shares=SHARES):
    return np.random.default_rng(seed).choice(4, (side, side), p=shares)


def test_independent_cells_are_faithful_isotropic_and_not_repetitive():
    found = wf.measure(as_solution(dice(seed)) for seed in range(4))
    assert found.maps == 4
    assert found.cells == 4 * 64 * 64
    tiles = found.faithfulness.tiles
    assert tiles.distance < 3 * tiles.floor
    assert found.isotropy.holds
    assert found.isotropy.chance > 0.01
    assert abs(found.repetition.excess.distance) < 5 * found.repetition.excess.floor + 0.001
    assert found.dullness.share < 2 * found.dullness.shuffled_share


def test_the_noise_of_independent_cells_is_that_of_independent_draws():
    maps = [dice(seed, 32) for seed in range(20)]
    blocks = number_blocks([each.shape for each in maps])
    counts = sum(
        count_by_block(block.reshape(-1), each.reshape(-1), 20, 4)
        for each, block in zip(maps, blocks, strict=True)
    )
    expected = compute_independent_floor(SHARES, 20 * 32 * 32)
    assert estimate_block_floor(counts) == pytest.approx(expected, rel=0.4)
    drawn = np.random.default_rng(0).multinomial(20 * 32 * 32, SHARES, 20_000) / (20 * 32 * 32)
    assert np.abs(drawn - SHARES).sum(axis=1).mean() / 2 == pytest.approx(expected, rel=0.02)


def test_cells_in_clumps_have_more_noise_than_independent_ones():
    clumps = np.kron(dice(1, 16), np.ones((4, 4), int))
    found = wf.measure(as_solution(clumps)).faithfulness
    assert found.tiles.floor > 2 * found.tiles_independent


def test_other_frequencies_than_asked_are_seen():
    found = wf.measure(as_solution(dice(1, shares=[0.25, 0.25, 0.25, 0.25]))).faithfulness
    assert found.against == "weights"
    assert found.tiles.distance == pytest.approx(0.2, abs=0.02)
    assert found.tiles.ratio > 5
    asked, seen = found.shares["a"]
    assert asked == pytest.approx(0.4)
    assert seen == pytest.approx(0.25, abs=0.03)


def test_shares_and_pins_are_what_a_map_is_compared_with():
    shares = wf.measure(as_solution(dice(1), constraints=[Shares({"a": 0.4, "b": 0.3})])).faithfulness
    assert shares.against == "shares"
    assert shares.tiles.distance < 0.02
    assert shares.shares["c"][0] == pytest.approx(0.2)
    pins = {(x, y): "d" for x in range(8) for y in range(4)}
    pinned = np.where(np.arange(8)[:, None] < 4, 3, np.arange(8)[None] % 4 // 2)
    found = wf.measure(as_solution(pinned, pins=pins)).faithfulness
    assert found.shares["d"][0] == pytest.approx(0.55)


def test_a_learned_map_is_compared_with_its_sample():
    sample = np.random.default_rng(3).integers(0, 3, (24, 24))
    tiles = wf.learn(sample, n=2, symmetry=1, periodic=True)
    found = wf.measure(as_solution(tiles.occurrences.maps[0], tiles)).faithfulness
    assert found.against == "sample"
    assert found.tiles.distance == 0
    assert found.pairs.distance < 0.06  # pairs over the edge are missing
    turned = wf.learn(sample, n=2, symmetry=8, periodic=True)
    pairs = turned.occurrences.count_pairs(len(turned), True)
    east = np.zeros(len(turned))
    for code, count in pairs.items():
        if code < len(turned) ** 2:
            east[code // len(turned)] += count
    assert east.tolist() == turned.rules.weights.tolist()
    assert all(
        turned.rules.allowed[1 + code // len(turned) ** 2][divmod(code % len(turned) ** 2, len(turned))]
        for code in pairs
    )


def test_stripes_are_not_isotropic_and_say_which_way_they_run():
    random = np.random.default_rng(1)
    stripes = np.repeat(random.integers(0, 4, (64, 8)), 8, axis=1)
    found = wf.measure(as_solution(stripes)).isotropy
    assert found.holds is False
    assert found.chance == 0
    assert found.worst.runs["east–west"] > 10 * found.worst.runs["north–south"]
    turned = wf.measure(as_solution(stripes.T)).isotropy
    assert turned.worst.runs["north–south"] == found.worst.runs["east–west"]
    assert wf.measure([as_solution(stripes), as_solution(stripes.T)]).isotropy.holds


def test_the_verdict_follows_from_the_ratios_and_their_limit():
    for wide in range(1, 7):
        cells = np.random.default_rng(wide).integers(0, 2, (96, 96 // wide))
        found = wf.measure(as_solution(np.repeat(cells, wide, axis=1))).isotropy
        assert (found.chance >= 0.01) == (found.worst.uneven.ratio <= found.limit)
        assert found.holds == (found.worst.uneven.ratio <= found.limit)
        assert f"{found.limit:.1f} in 1% of cases" in found.reason
        assert found.to_dict()["limit"] == pytest.approx(found.limit, abs=0.01)
    assert not found.holds


def test_differences_too_small_to_be_seen_do_not_count():
    counts = DirectionCounts(
        "lines", "", 4, {"north–south": 5_200, "east–west": 4_800}, Deviation(0.02, 0.001)
    )
    found = Isotropy((counts,), chance=0.0, limit=4.0)
    assert found.holds
    assert "cannot be seen" in found.reason


def test_a_long_map_or_a_disk_prefers_no_direction_by_its_shape():
    random = np.random.default_rng(5)
    long = [as_solution(random.choice(4, (10, 200), p=[0.5, 0.5, 0, 0])) for _ in range(6)]
    assert wf.measure(long).isotropy.holds
    tiles = wf.TileSet([wf.Tile("a"), wf.Tile("b")], "hex")
    for grid in (wf.HexGrid(radius=16), wf.HexGrid.rectangle(60, 12), wf.HexGrid.rhombus(40, 12)):
        maps = [wf.generate(tiles, grid, seed, refine=False) for seed in range(6)]
        assert wf.measure(maps).isotropy.chance > 0.01


def test_diagonal_bands_are_seen():
    random = np.random.default_rng(2)
    bands = random.integers(0, 4, (64, 64))
    for y in range(1, 64):
        bands[y, :-1] = np.where(random.random(63) < 0.8, bands[y - 1, 1:], bands[y, :-1])
    found = wf.measure(as_solution(bands)).isotropy
    assert found.holds is False
    diagonals = next(each for each in found.counts if each.kind == "diagonals" and each.length == 4)
    assert diagonals.runs["northeast–southwest"] > 5 * diagonals.runs["southeast–northwest"]


def test_a_set_without_symmetry_is_not_judged():
    tiles = wf.TileSet(
        [wf.Tile("up", ("a", "x", "b", "y"), 5), wf.Tile("down", ("b", "y", "a", "x"), 2),
         wf.Tile("any", ("a", "x", "a", "x"), 1), wf.Tile("more", ("b", "x", "b", "x"), 3)]
    )  # fmt: skip
    found = wf.measure(wf.generate(tiles, wf.SquareGrid(16, 16), seed=1)).isotropy
    assert found.holds is None
    assert not found.applicable
    assert "not symmetric" in str(found)


def test_a_map_that_repeats_is_told_from_chance():
    half = dice(4, 32)
    found = wf.measure(as_solution(np.tile(half, (2, 2)))).repetition
    assert found.size == (4, 4)
    assert found.again > 0.9
    assert found.expected < 0.3
    assert found.excess.ratio > 10


def test_lines_drawn_with_a_ruler_are_longer_than_by_chance():
    maps = [as_solution(dice(seed)) for seed in range(4)]
    edges = {each.kind: each for each in wf.measure(maps).straightness}["edges"]
    assert 0.6 * edges.by_chance < edges.longest < 1.6 * edges.by_chance
    ruled = dice(1)
    ruled[20, 5:55], ruled[19, 5:55], ruled[21, 5:55] = 3, 0, 1
    found = {each.kind: each for each in wf.measure(as_solution(ruled)).straightness}
    assert found["lines"].longest >= 50
    assert found["lines"].by_chance < 20


def test_an_empty_map_is_dull():
    flat = np.zeros((20, 20), int)
    flat[10:, 5] = 1
    found = wf.measure(as_solution(flat)).dullness
    assert found.kind == "a"
    assert found.cells == 390
    assert found.share == pytest.approx(390 / 400)
    assert found.square == 14


@pytest.mark.parametrize(
    ("tiles", "grid"),
    [
        (PIPES, wf.SquareGrid(20, 12, wraps=True)),
        (HEX_RIVERS, wf.HexGrid(radius=6)),
        (wf.TileSet([wf.Tile("a"), wf.Tile("b")], "cube"), wf.CubeGrid(6, 5, 4)),
        (PIPES, wf.SquareGrid(3, 2)),
        (PIPES, wf.SquareGrid(1, 1)),
    ],
    ids=["wrapped", "hex disk", "cube", "small", "one cell"],
)
def test_every_grid_can_be_measured_and_twice_alike(tiles, grid):
    solution = wf.generate(tiles, grid, seed=3)
    found = wf.measure(solution)
    assert found.to_dict() == wf.measure([solution]).to_dict()
    assert [line.split()[0] for line in repr(found).splitlines()[1:]] == [
        "faithful", "isotropic", "repetitive", "dull", "straight"
    ]  # fmt: skip


def test_what_cannot_be_measured_is_refused():
    graph = wf.Graph([(0, 1)])
    rules = wf.Rules(["a"], [wf.Relation.from_allowed(np.ones((1, 1), bool))] * 2)
    with pytest.raises(wf.ConfigError, match="square, hex and cube"):
        wf.measure(wf.generate(rules, graph))
    with pytest.raises(wf.ConfigError, match="no maps"):
        wf.measure([])
    for wrong in (7, ["map"], wf.Solver(wf.Problem(PIPES, wf.SquareGrid(4, 4))).partial()):
        with pytest.raises(wf.ConfigError, match="only finished maps"):
            wf.measure(wrong)
    with pytest.raises(wf.ConfigError, match="same tile set"):
        wf.measure([as_solution(dice(1)), wf.generate(PIPES, wf.SquareGrid(8, 8))])
