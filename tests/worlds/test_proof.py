"""Proofs on a large scale: millions of adjacencies without one that is wrong; the same in any process."""

import hashlib
import subprocess
import sys

import numpy as np
import pytest

import wavefold as wf
from support import compiled_only

SIDE = 64
CHUNKS = 14  # across and down; two adjacencies a cell on squares, three on hexagons
FAR = 2**40 // SIDE - CHUNKS - 1
SQUARE = ("castle", "circuit", "dungeon", "knots", "meadow", "pipes", "terrain")
LEARNED = ("islands", "kilim")
PLACES = ((-7, -7), (FAR, -FAR))  # around the origin; where coordinates end


def tiles_named(name):
    return wf.learn(name) if name in LEARNED else wf.TileSet.load(name)


def wrong_pairs(world, region):
    """How many neighbours may not touch, by the rules' own table; and how many there are."""
    wrong = pairs = 0
    height, width = region.shape
    for direction, (dx, dy) in enumerate(np.asarray(world.steps)[: len(world.steps) // 2]):
        rows, columns = (
            slice(max(0, -step), min(size, size - step)) for step, size in ((dy, height), (dx, width))
        )
        beyond = region[rows.start + dy : rows.stop + dy, columns.start + dx : columns.stop + dx]
        fits = world.rules.allowed[direction, region[rows, columns], beyond]
        wrong += int((~fits).sum())
        pairs += fits.size
    return wrong, pairs


@pytest.mark.slow
@compiled_only
@pytest.mark.parametrize("name", [*SQUARE, *LEARNED, "medieval"])
def test_no_adjacency_of_a_world_is_wrong(name):
    seen = 0
    for seed, (left, top) in enumerate(PLACES):
        world = wf.World(tiles_named(name), seed, SIDE)
        chunks = CHUNKS if name != "medieval" else CHUNKS // 2
        region = world.region(left * SIDE, top * SIDE, chunks * SIDE, chunks * SIDE)
        wrong, pairs = wrong_pairs(world, region)
        assert wrong == 0
        seen += pairs
        # The same again by the checker, where four chunks meet: it says what is wrong, not only that.
        assert not wf.check(world, (left + 1) * SIDE - 20, (top + 1) * SIDE - 20, 40, 40)
    assert seen > 1_000_000  # and there are ten sets


def test_a_wrong_adjacency_would_be_seen():
    """The count above can fail: put a pattern beside one that it does not fit."""
    world = wf.World(wf.TileSet.load("pipes"), 1, 12)
    region = world.region(0, 0, 12, 12).copy()
    assert wrong_pairs(world, region)[0] == 0
    dx, dy = world.steps[0]
    region[5 + dy, 5 + dx] = np.flatnonzero(~world.rules.allowed[0, region[5, 5]])[0]
    assert wrong_pairs(world, region)[0] > 0


DIGESTS = """
import hashlib, sys
import wavefold as wf
world = wf.World(wf.TileSet.load("knots"), 5, 32, refine=REFINE)
for place in ((3, -2), (0, 0), (-1, 0)):
    print(hashlib.sha256(world.chunk(*place).tobytes()).hexdigest())
"""


@compiled_only
@pytest.mark.parametrize("refine", [False, 2])
def test_a_fresh_process_makes_the_same_chunks(refine):
    program = DIGESTS.replace("REFINE", str(refine))
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    world = wf.World(wf.TileSet.load("knots"), 5, 32, refine=refine)
    here = [hashlib.sha256(world.chunk(*place).tobytes()).hexdigest() for place in ((-1, 0), (0, 0), (3, -2))]
    assert answer.stdout.split() == here[::-1]
