"""Maps that repeat and maps that cannot exist, against obvious versions."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from strategies import socket_tiles, table_tiles
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TINTED, TOWERS, brute_force
from wavefold.kernels.host.checkpoint import Stopped
from wavefold.kernels.units import COMPILED
from wavefold.solver.search.certificate import find_certificate, list_candidate_sizes, measure_mixing
from wavefold.topology import make_box

LARGEST = 12 if COMPILED else 4


def repeats(tiles, base):
    """Whether the base, twice in every direction and joined at the edges, keeps every rule."""
    twice = np.tile(base, [2] * base.ndim)
    torus = make_box(tiles.topology, *twice.shape[::-1], wraps=True)
    return wf.check(wf.Problem(tiles, torus, own_constraints=False), twice.ravel()) == []


@pytest.mark.parametrize("tiles", [CHESS, PIPES, CASTLE, TINTED, HEX_RIVERS, TOWERS])
def test_what_is_said_to_repeat_does(tiles):
    found = find_certificate(tiles, LARGEST)
    assert found.verdict == "periodic"
    assert found.size == found.base.shape[::-1]
    assert repeats(tiles, found.base)
    assert 0 <= found.mixing <= 1
    assert str(found).startswith("repeats every")


@pytest.mark.parametrize("name", wf.tilesets() if COMPILED else ["pipes"])
def test_bundled_sets_can_fill_the_plane(name):
    tiles = wf.TileSet.load(name)
    found = find_certificate(tiles, candidates=1)
    assert found.verdict == "periodic"
    assert repeats(tiles, found.base)


def test_the_smallest_that_repeats_is_found():
    """A chessboard repeats after two cells, never after one or along a single row."""
    assert find_certificate(CHESS).size == (2, 2)


def test_the_rules_about_its_own_kind_hold_across_the_edges():
    tiles = wf.TileSet([wf.Tile("house", ("g",) * 4, apart=True), wf.Tile("inn", ("g",) * 4, apart=True)])
    found = find_certificate(tiles)
    assert found.size == (2, 2)
    assert repeats(tiles, found.base)


@given(st.one_of(socket_tiles(most=4), table_tiles(most=4), table_tiles("hex", 3), table_tiles("cube", 3)))
def test_a_certificate_is_always_true(tiles):
    found = find_certificate(tiles, 6 if COMPILED else 3, candidates=1)
    if found.verdict == "periodic":
        assert repeats(tiles, found.base)
    elif found.verdict == "impossible":
        side = found.size[0]
        if tiles.topology == "square" and side <= 3:
            assert brute_force(wf.Problem(tiles, wf.SquareGrid(side, side)), most=1) == []
            smaller = wf.Problem(tiles, wf.SquareGrid(side - 1, side - 1)) if side > 1 else None
            assert smaller is None or brute_force(smaller, most=1)
    else:
        assert found.base is None


def row_of(count, closed):
    """Tiles that count from the west to the east, and start again at the end or not."""
    return wf.TileSet(
        [
            wf.Tile(
                f"t{i}",
                (f"column {i}", f"after {(i + 1) % count if closed else i + 1}", f"column {i}", f"after {i}"),
            )
            for i in range(count)
        ]
    )


def test_a_row_that_ends_is_proved_impossible_at_the_first_size_that_is():
    found = find_certificate(row_of(3, closed=False), LARGEST)
    assert found.verdict == "impossible"
    assert found.size == (4, 4)
    assert found.base is None
    assert "no map of 4 x 4 cells" in str(found)


def test_a_period_beyond_the_limits_is_undecided():
    assert find_certificate(row_of(5, closed=True), 4).verdict == "undecided"
    assert find_certificate(row_of(5, closed=True), 5).size == (5, 1)
    assert "undecided" in str(find_certificate(row_of(13, closed=True), LARGEST))


def test_sizes_grow_and_stay_within_the_limit():
    for topology in ("square", "hex", "cube"):
        cells = [int(np.prod(size)) for size in list_candidate_sizes(topology, 20)]
        assert cells == sorted(cells)
        assert cells[0] == 1
        assert cells[-1] <= 20
        assert len(set(list_candidate_sizes(topology, 20))) == len(cells)


def test_a_rigid_base_does_not_mix_and_a_free_one_does():
    rigid = find_certificate(CHESS)
    assert measure_mixing(CHESS, rigid.base) == 0
    assert measure_mixing(TINTED, find_certificate(TINTED, 4).base) > 0.8


def test_progress_is_reported_at_every_size():
    ticks = []
    find_certificate(row_of(5, closed=True), 4, tick=lambda: ticks.append(1))
    assert len(ticks) == len(list_candidate_sizes("square", 4))


def test_a_certificate_goes_on_with_the_size_at_which_a_limit_ended_the_search():
    whole = find_certificate(CASTLE, LARGEST)
    finished, sizes = {}, []

    def stop_after_each_size():
        if len(finished) > len(sizes):
            sizes.append(len(finished))
            raise Stopped("enough")

    for _ in range(1000):
        with suppress(Stopped):
            found = find_certificate(CASTLE, LARGEST, tick=stop_after_each_size, finished=finished)
            break
    assert sizes == list(range(1, len(finished)))
    assert found.size == whole.size
    assert (found.base == whole.base).all()
