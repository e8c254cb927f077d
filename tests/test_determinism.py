"""The same input gives the same map: on every machine, compiled or not, this year and next.

When a change is meant to give other maps, raise `CONTENT_VERSION` and put in place of GOLDEN what
`python tests/test_determinism.py` prints.
"""

from hashlib import blake2b

import numpy as np
import pytest

import wavefold as wf
from support import APART, CASTLE, FLOWERS, HEX_RIVERS, LOOPS, PETERSEN, PIPES, TINTED, TOWERS, colouring

CONTENT_VERSION = 5


def far_first(cell, remaining, entropy, undecided):
    """An order of a user's."""
    return entropy * 3 + undecided - cell


WEIGHTS = np.arange(36 * 12).reshape(36, 12) % 7

CASES = {
    "pipes, entropy": (PIPES, wf.SquareGrid(6, 6), {"order": "entropy"}),
    "pipes, auto": (PIPES, wf.SquareGrid(4, 4), {}),
    "pipes, scanline from the southeast": (PIPES, wf.SquareGrid(6, 6), {"order": "scanline:southeast"}),
    "pipes, random order": (PIPES, wf.SquareGrid(6, 6), {"order": "random"}),
    "pipes, weights by cell": (PIPES, wf.SquareGrid(6, 6), {"order": "entropy", "weights": WEIGHTS}),
    "pipes, pins and counts": (
        PIPES,
        wf.SquareGrid(6, 6),
        {"order": "domain", "pins": {(2, 2): "┼"}, "constraints": [wf.Count(" ", 3, 9)]},
    ),
    "pipes, every knob": (
        PIPES,
        wf.SquareGrid(6, 6),
        {
            "order": wf.Heuristics(
                order="both",
                most_constraining=True,
                central=True,
                degree=0.5,
                perimeter=0.25,
                match_neighbours=True,
                uniform_pick_fraction=0.3,
                local_share=0.5,
                caps={"┼": 3},
            )
        },
    ),
    "pipes, an order of the user's": (PIPES, wf.SquareGrid(5, 5), {"order": far_first}),
    "loops on a torus": (LOOPS, wf.SquareGrid(6, 4, wraps=True), {"order": "spiral"}),
    "castle, auto search": (CASTLE, wf.SquareGrid(10, 10), {"order": "entropy"}),
    "castle, restarts": (
        CASTLE,
        wf.SquareGrid(9, 9),
        {"order": "entropy", "search": wf.Ladder(patience=0, jumps=1, repairs=2, restarts=10**6)},
    ),
    "castle, exact": (CASTLE, wf.SquareGrid(5, 5), {"order": "entropy", "search": "exact"}),
    "tinted": (TINTED, wf.SquareGrid(5, 5), {"order": "entropy"}),
    "flowers": (FLOWERS, wf.SquareGrid(6, 6), {"order": "entropy"}),
    "kinds apart": (APART, wf.SquareGrid(5, 4), {"order": "entropy"}),
    "hex rivers": (HEX_RIVERS, wf.HexGrid(3), {"order": "entropy"}),
    "towers": (TOWERS, wf.CubeGrid(3, 3, 3), {"order": "entropy"}),
    "petersen": (colouring(3), PETERSEN, {}),
}
SEEDS = (0, 1, 7, -1, 2**64 + 12345, 1234567890123456789)


def fingerprint(case):
    """A short name for the maps of all seeds and for the work they took."""
    tiles, topology, options = CASES[case]
    digest = blake2b(digest_size=8)
    for seed in SEEDS:
        solution = wf.generate(tiles, topology, seed, refine=False, **options)
        digest.update(solution.patterns.astype("<i4").tobytes())
        stats = solution.stats
        work = (
            stats.decisions,
            stats.backtracks,
            stats.contradictions,
            stats.jumps,
            stats.repairs,
            stats.restarts,
        )
        digest.update(np.array(work, "<i8").tobytes())
    return digest.hexdigest()


GOLDEN = {
    "pipes, entropy": "1e1b7d9d6364314b",
    "pipes, auto": "96fedfc9fd7f508c",
    "pipes, scanline from the southeast": "42ee4094e68c0f05",
    "pipes, random order": "6f77e1c0523a4dc0",
    "pipes, weights by cell": "8b52b8bd0338e1c7",
    "pipes, pins and counts": "92984fddf626d222",
    "pipes, every knob": "3ee6800249ab884d",
    "pipes, an order of the user's": "c7374724679f3634",
    "loops on a torus": "69218d43e1bd25e8",
    "castle, auto search": "b6e666474df9cb35",
    "castle, restarts": "c2b5952611fad520",
    "castle, exact": "94e32ac54527b8a4",
    "tinted": "85cc7adf1d7ee4d7",
    "flowers": "49a8dde409a29b04",
    "kinds apart": "1440719543978da0",
    "hex rivers": "63e619e229b9075f",
    "towers": "1dcd9ac79eb95579",
    "petersen": "5cbb2809ab30bcf8",
}


@pytest.mark.parametrize("case", CASES)
def test_maps_are_those_of_this_content_version(case):
    assert fingerprint(case) == GOLDEN[case]


def test_the_golden_maps_belong_to_this_content_version():
    assert wf.CONTENT_VERSION == CONTENT_VERSION


if __name__ == "__main__":
    for name in CASES:
        print(f'    "{name}": "{fingerprint(name)}",')
