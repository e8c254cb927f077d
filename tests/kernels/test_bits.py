"""Single instructions against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wavefold as wf
from support import CHESS, import_probes
from wavefold.kernels import bits
from wavefold.solver.engine.cell_queue import create_cell_queue

probes = import_probes()
pytestmark = pytest.mark.build

words = st.one_of(st.integers(1, 2**64 - 1), st.integers(0, 63).map(lambda bit: 1 << bit))
MASK = 2**64 - 1


def call_probe(name, words, dtype=np.int64):
    """What a kernel of the test build makes of words."""
    struct = probes.WordCounts if dtype is np.int64 else probes.WordArrays
    given = struct(np.array(words, np.uint64), np.zeros(len(words), dtype))
    getattr(probes, name)(given)
    return given.result.tolist()


def splitmix(word):
    """The finaliser of SplitMix64, as published."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


@given(words)
def test_single_instructions_count_as_python_does(word):
    binary = f"{word:064b}"
    lowest, leading, count = len(binary) - 1 - binary.rindex("1"), binary.index("1"), binary.count("1")
    assert call_probe("find_lowest_bits", [word]) == [lowest] == [bits.lowest_bit(np.uint64(word))]
    assert call_probe("count_leading_zeros", [word]) == [leading] == [bits.leading_zeros(np.uint64(word))]
    assert call_probe("count_all_bits", [word]) == [count] == [bits.count_bits(np.uint64(word))]


def test_nothing_is_counted_in_an_empty_word():
    assert call_probe("count_all_bits", [0]) == [0] == [bits.count_bits(np.uint64(0))]


@given(st.integers(0, MASK))
def test_scrambling_is_splitmix(word):
    assert (
        call_probe("mix_words", [word], np.uint64)
        == [splitmix(word)]
        == [int(bits.mix_bits(np.uint64(word)))]
    )


@given(st.integers(0, MASK))
def test_products_wrap_around(word):
    product = word * bits.GOLDEN & MASK
    assert (
        call_probe("multiply_words", [word], np.uint64)
        == [product]
        == [int(bits.multiply_golden(np.uint64(word)))]
    )


def test_scrambling_gives_the_published_numbers():
    """The first outputs of SplitMix64 seeded with 1234567."""
    state, found = 1234567, []
    for _ in range(3):
        state = (state + bits.GOLDEN) & MASK
        found.append(int(bits.mix_bits(np.uint64(state))))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(-(2**63), 2**63 - 1), st.integers(0, 2**40))
def test_draws_are_a_pure_function_of_seed_and_number(seed, number):
    given = probes.WordArrays(np.array([number], np.uint64), np.zeros(1, np.uint64))
    probes.draw_words(given, seed)
    assert int(given.result[0]) == int(bits.draw(seed, number))


def test_the_first_draw_of_seed_zero_is_as_good_as_any_other():
    """A scrambled zero is zero, which would always choose the first pattern."""
    assert int(bits.draw(0, 0)) != 0


def test_draws_are_spread_evenly():
    draws = np.array([int(bits.draw(seed, number)) % 7 for seed in range(40) for number in range(50)])
    assert np.bincount(draws) == pytest.approx(2000 / 7, abs=5 * (2000 / 7) ** 0.5)


def shuffle(seed, cells):
    queue = create_cell_queue(wf.Problem(CHESS, wf.SquareGrid(cells, 1)), wf.Heuristics(order="entropy"))
    for start, stop in ((0, cells // 3), (cells // 3, cells)):
        bits.shuffle_cells(queue, bits.to_signed(seed), start, stop)
    assert (queue.sequence[queue.rank] == np.arange(cells)).all()
    return queue.sequence.tolist()


def test_ranks_shuffle_all_cells_by_the_seed():
    for seed in (0, 1, -5, 2**80 + 3):
        for cells in (1, 2, 3, 4, 5, 64, 65, 100):
            assert sorted(shuffle(seed, cells)) == list(range(cells))
    assert shuffle(1, 100) != shuffle(2, 100)


def test_cells_are_shuffled_as_they_always_were():
    assert shuffle(1, 12) == [6, 2, 10, 7, 4, 3, 8, 5, 9, 1, 0, 11]


def test_every_cell_comes_first_about_equally_often():
    first = np.bincount([shuffle(seed, 7)[0] for seed in range(1400)], minlength=7)
    assert first == pytest.approx(200, abs=5 * 200**0.5)


def test_every_cell_comes_last_about_equally_often():
    last = np.bincount([shuffle(seed, 7)[-1] for seed in range(1400)], minlength=7)
    assert last == pytest.approx(200, abs=5 * 200**0.5)
