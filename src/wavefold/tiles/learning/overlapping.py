"""Rules learned from samples: every window of n x n cells is a pattern, and overlaps must agree.

A window is read at every cell, row by row, then mirrored and turned; what is found is numbered in that
order. Two patterns may touch if one, moved by a cell, agrees with the other where they overlap. So every
n x n window of a map made from them is a window of the sample.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import count_words, locate_bits
from wavefold.common.values import parse_integer
from wavefold.errors import TileSetError
from wavefold.tiles.learning.learned_tileset import LearnedTileSet
from wavefold.tiles.learning.samples import (
    Options,
    Sample,
    is_sample,
    read_samples,
    sample_options,
    split_samples,
)
from wavefold.tiles.rules import Relation

DEFAULTS: Options = {"n": 3, "symmetry": 8, "periodic": True, "ground": False}
LARGEST_WINDOW = 5
MOST_PATTERNS = 1 << 16
MOST_CODES = 1 << 62

Numbers = NDArray[np.int64]


def learn(
    source: Any,
    n: int | None = None,
    symmetry: int | None = None,
    periodic: bool | None = None,
    ground: bool | None = None,
) -> LearnedTileSet:
    """Patterns of n x n cells from a sample: a path, a Pillow image, an array, or a list of several.

    A bare name, as "cave", is a picture that comes with wavefold; `wavefold.samples()` lists them. Each was
    drawn to be read in one way: options that are not given are then its own.

    Parameters
    ----------
    source : an array is [row, column] of any values, or uint8 [row, column, RGB or RGBA]; the windows of
        several samples are counted together. A list of words is a list of paths and names
    n : the side of a window, 1 to 5; 3 if not given
    symmetry : how many are counted of the window (1), its mirror image (2), the window turned left (3),
        that mirrored (4), and so on to 8, which is usual
    periodic : whether windows reach around the edges of the sample, as they usually do
    ground : whether the pattern found last belongs to the bottom row alone (usually not); pass what
        `ground_masks` gives to the problem

    >>> learn([[0, 1], [1, 0]], n=2).rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """
    usual = sample_options(source) if is_sample(source) else DEFAULTS
    n = parse_up_to("n", usual["n"] if n is None else n, LARGEST_WINDOW)
    symmetry = parse_up_to("symmetry", usual["symmetry"] if symmetry is None else symmetry, 8)
    periodic = usual["periodic"] if periodic is None else bool(periodic)
    ground = usual["ground"] if ground is None else bool(ground)
    samples = read_samples(split_samples(source))
    found = [find_windows(sample, n, periodic) for sample in samples]
    cells = np.concatenate([windows.cells for windows in found])
    counts = np.concatenate([windows.counts for windows in found])
    patterns = merge_equal(turn_windows(cells, symmetry), np.repeat(counts, symmetry))
    check_count(len(patterns.counts), n, symmetry)
    values = samples[0].values
    return LearnedTileSet(
        [f"p{number}" for number in range(len(patterns.counts))],
        [values[number] for number in patterns.cells[:, 0, 0].tolist()],
        patterns.counts.tolist(),
        relate_overlaps(patterns.cells),
        coloured=samples[0].coloured,
        n=n,
        symmetry=symmetry,
        periodic=periodic,
        ground=ground,
        title=Path(source).stem if isinstance(source, str | os.PathLike) else "",
    )


def parse_up_to(name: str, value: object, largest: int) -> int:
    """A whole number from 1 to the largest."""
    number = parse_integer(value)
    if number is None or not 1 <= number <= largest:
        raise TileSetError(f"{name} must be a whole number from 1 to {largest}, not {value!r}")
    return number


def check_count(patterns: int, n: int, symmetry: int) -> None:
    """Raise, and say what would help, if there are too many patterns to solve with."""
    if patterns > MOST_PATTERNS:
        raise TileSetError(
            f"there are {patterns:,} different patterns of {n} x {n} with symmetry {symmetry}, and at most "
            f"{MOST_PATTERNS:,} can be used; reduce the number of colours, n or symmetry, or learn from "
            "a smaller sample"
        )


# --- windows ------------------------------------------------------------------------------------


class Windows(NamedTuple):
    """Different windows in the order they were found, and how often each was."""

    cells: Numbers  # [window, row, column]
    counts: Numbers  # [window]


def find_windows(sample: Sample, n: int, periodic: bool) -> Windows:
    """The windows of a sample as it was drawn."""
    height, width = sample.numbers.shape
    if not periodic and min(height, width) < n:
        raise TileSetError(
            f"the sample is {width} x {height}, too small for a window of {n} x {n}; "
            "draw more, choose a smaller n, or learn with periodic=True"
        )
    rows, columns = (height, width) if periodic else (height - n + 1, width - n + 1)
    y, x = np.arange(rows + n - 1) % height, np.arange(columns + n - 1) % width
    wide = sample.numbers[y][:, x]
    shifted = (wide[dy : dy + rows, dx : dx + columns].ravel() for dy in range(n) for dx in range(n))
    codes = encode_rows(shifted, len(sample.values))
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    check_count(len(first), n, 1)
    order = np.argsort(first)
    row, column = np.divmod(first[order], columns)
    span = np.arange(n)
    cells = wide[row[:, None, None] + span[:, None], column[:, None, None] + span]
    return Windows(cells, counts[order].astype(np.int64))


def encode_rows(places: Iterable[Numbers], base: int) -> Numbers:
    """One number for each row of a table, equal if the rows are; the table comes column by column."""
    code, span = np.zeros(1, np.int64), 1
    for place in places:
        if span * base > MOST_CODES:
            found, code = np.unique(code, return_inverse=True)
            span = len(found)
        code = code * base + place
        span *= base
    return code


def turn_windows(cells: Numbers, symmetry: int) -> Numbers:
    """[window x variant, row, column]: each window, its mirror image, both turned left up to three times."""
    every = []
    for variant in range(symmetry):
        turned = np.rot90(cells, variant // 2, axes=(1, 2))
        every.append(turned[:, :, ::-1] if variant % 2 else turned)
    return np.stack(every, axis=1).reshape(-1, *cells.shape[1:])


def merge_equal(cells: Numbers, counts: Numbers) -> Windows:
    """Equal windows as one, their counts added."""
    number = number_parts(cells)
    first = np.full(int(number.max()) + 1, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    total = np.zeros(len(first), np.int64)
    np.add.at(total, number, counts)
    return Windows(cells[first], total)


def number_parts(parts: Numbers) -> Numbers:
    """[part] the same number for equal parts, in the order they are first met."""
    flat = parts.reshape(len(parts), int(np.prod(parts.shape[1:])))
    code = encode_rows(flat.T, int(flat.max(initial=0)) + 1)
    code = np.broadcast_to(code, len(parts))  # parts without cells, of windows of 1 x 1, are all equal
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def relate_overlaps(cells: Numbers) -> list[Relation]:
    """North, east, south, west: what a pattern shows there must be what its neighbour has there."""
    upper, lower, left, right = cells[:, :-1], cells[:, 1:], cells[:, :, :-1], cells[:, :, 1:]
    facing = ((upper, lower), (right, left), (lower, upper), (left, right))
    return [relate_parts(here, there) for here, there in facing]


def relate_parts(here: Numbers, there: Numbers) -> Relation:
    """As `Relation.from_sockets`, with parts of windows as sockets, and a bit set for each pattern alone.

    Tens of thousands of patterns may have as many classes: not even a table of flags is made on the way.
    """
    count = len(here)
    number = number_parts(np.concatenate([here, there]))
    class_of, facing = number[:count], number[count:]
    rows = np.zeros((int(class_of.max()) + 1, count_words(count)), np.uint64)
    met = np.flatnonzero(facing < len(rows))
    word, bit = locate_bits(met)
    np.bitwise_or.at(rows, (facing[met], word), bit)
    return Relation(class_of.astype(np.int32), rows)
