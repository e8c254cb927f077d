"""Rules learned from samples: every window of n x n cells is a pattern, and overlaps must agree.

A window is read at every place, row by row, then mirrored and turned; what is found is numbered in that
order. Two patterns may touch if one, moved by a cell, agrees with the other where they overlap. So every
n x n window of a map made from them is a window of the sample.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.values import parse_integer
from wavefold.errors import TileSetError
from wavefold.tiles.learning.tileset import (
    LearnedTileSet,
    Sample,
    names_for,
    plain,
    read_samples,
    reader_of,
    several,
)
from wavefold.tiles.relation import Relation
from wavefold.tiles.samples import Options, is_sample, sample_options

USUAL: Options = {"n": 3, "symmetry": 8, "periodic": True, "ground": False}
LARGEST_WINDOW = 5
MOST_PATTERNS = 1 << 16
MOST_VALUES = 1 << 12  # of an adjacency: its table of pairs is made whole
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
    drawn to be read in one way: options that are left out are then its own (see `sample_options`).

    Parameters
    ----------
    source : an array is [row, column] of any values, or uint8 [row, column, RGB or RGBA]; the windows of
        several samples are counted together. A list of words is a list of paths and names
    n : the side of a window, 1 to 5; 3 unless told otherwise
    symmetry : how many are counted of the window (1), its mirror image (2), the window turned left (3),
        that mirrored (4), and so on to 8, which is usual
    periodic : whether windows reach around the edges of the sample, as they usually do
    ground : whether the pattern found last belongs to the bottom row alone (usually not); pass what
        `ground_masks` gives to the problem

    >>> learn([[0, 1], [1, 0]], n=2).rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """
    usual = sample_options(source) if is_sample(source) else USUAL
    n = within("n", usual["n"] if n is None else n, LARGEST_WINDOW)
    symmetry = within("symmetry", usual["symmetry"] if symmetry is None else symmetry, 8)
    periodic = usual["periodic"] if periodic is None else bool(periodic)
    ground = usual["ground"] if ground is None else bool(ground)
    samples = read_samples(several(source))
    found = [sample_windows(sample, n, periodic) for sample in samples]
    cells = np.concatenate([windows.cells for windows in found])
    counts = np.concatenate([windows.counts for windows in found])
    patterns = distinct(variants(cells, symmetry), np.repeat(counts, symmetry))
    check_count(len(patterns.counts), n, symmetry)
    values = samples[0].values
    return LearnedTileSet(
        [f"p{number}" for number in range(len(patterns.counts))],
        [values[number] for number in patterns.cells[:, 0, 0].tolist()],
        patterns.counts.tolist(),
        overlaps(patterns.cells),
        coloured=samples[0].coloured,
        n=n,
        symmetry=symmetry,
        periodic=periodic,
        ground=ground,
        title=Path(source).stem if isinstance(source, str | os.PathLike) else "",
    )


def within(name: str, value: object, largest: int) -> int:
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


def sample_windows(sample: Sample, n: int, periodic: bool) -> Windows:
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
    _, first, counts = np.unique(codes(shifted, len(sample.values)), return_index=True, return_counts=True)
    check_count(len(first), n, 1)
    order = np.argsort(first)
    row, column = np.divmod(first[order], columns)
    span = np.arange(n)
    cells = wide[row[:, None, None] + span[:, None], column[:, None, None] + span]
    return Windows(cells, counts[order].astype(np.int64))


def codes(places: Iterable[Numbers], base: int) -> Numbers:
    """One number for each row of a table, equal if the rows are; the table comes column by column."""
    code, span = np.zeros(1, np.int64), 1
    for place in places:
        if span * base > MOST_CODES:
            found, code = np.unique(code, return_inverse=True)
            span = len(found)
        code = code * base + place
        span *= base
    return code


def variants(cells: Numbers, symmetry: int) -> Numbers:
    """[window x variant, row, column]: each window, its mirror image, both turned left up to three times."""
    every = []
    for variant in range(symmetry):
        turned = np.rot90(cells, variant // 2, axes=(1, 2))
        every.append(turned[:, :, ::-1] if variant % 2 else turned)
    return np.stack(every, axis=1).reshape(-1, *cells.shape[1:])


def distinct(cells: Numbers, counts: Numbers) -> Windows:
    """Equal windows as one, their counts added."""
    number = numbered(cells)
    first = np.full(int(number.max()) + 1, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    total = np.zeros(len(first), np.int64)
    np.add.at(total, number, counts)
    return Windows(cells[first], total)


def numbered(parts: Numbers) -> Numbers:
    """[part] the same number for equal parts, in the order they are first met."""
    flat = parts.reshape(len(parts), int(np.prod(parts.shape[1:])))
    code = codes(flat.T, int(flat.max(initial=0)) + 1)
    code = np.broadcast_to(code, len(parts))  # parts without cells, of windows of 1 x 1, are all equal
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse]


def overlaps(cells: Numbers) -> list[Relation]:
    """North, east, south, west: what a pattern shows there must be what its neighbour has there."""
    upper, lower, left, right = cells[:, :-1], cells[:, 1:], cells[:, :, :-1], cells[:, :, 1:]
    return [agreeing(upper, lower), agreeing(right, left), agreeing(lower, upper), agreeing(left, right)]


def agreeing(here: Numbers, there: Numbers) -> Relation:
    """As `Relation.from_sockets`, with parts of windows as sockets, and a bit set for each pattern alone.

    Tens of thousands of patterns may have as many classes: not even a table of flags is made on the way.
    """
    count = len(here)
    number = numbered(np.concatenate([here, there]))
    class_of, facing = number[:count], number[count:]
    rows = np.zeros((int(class_of.max()) + 1, max(1, -(-count // 64))), np.uint64)
    met = np.flatnonzero(facing < len(rows))
    np.bitwise_or.at(rows, (facing[met], met // 64), np.uint64(1) << (met % 64).astype(np.uint64))
    return Relation(class_of.astype(np.int32), rows)


# --- pairs --------------------------------------------------------------------------------------


def is_hole(values: Sequence[Any], holes: Any) -> list[bool]:
    """[value] whether it stands for a hole. A colour without alpha means the opaque one."""
    wanted = tuple(plain(holes)) if isinstance(holes, list | np.ndarray) else plain(holes)
    if isinstance(wanted, tuple) and len(wanted) == 3 and (*wanted, 255) in values:
        wanted = (*wanted, 255)
    if holes is not None and not any(alike(value, wanted) for value in values):
        raise TileSetError(f"holes={holes!r} is not the kind of value this map holds, such as {values[0]!r}")
    found = [value is wanted or (alike(value, wanted) and value == wanted) for value in values]
    return found


def alike(value: Any, other: Any) -> bool:
    """Whether two values are of one kind: both numbers, both words, colours with as many channels."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        return len(value) == len(other)
    return type(value) is type(other) or all(isinstance(each, int | float) for each in (value, other))


def never_beside(sources: Iterable[Any]) -> list[Any]:
    """The negative examples that drawn maps, given as paths, have on layers of their own."""
    readers = [(reader_of("negative_reader", source), source) for source in sources]
    return [rows for reader, source in readers if reader for rows in reader(source)]


def learn_adjacency(
    array: Any, periodic: bool = False, holes: Any = None, negative: Any = ()
) -> LearnedTileSet:
    """Rules of single cells from a drawn map: what stood beside what may, and weighs as often as it stood.

    Parameters
    ----------
    array : whatever `learn` takes: an array [row, column] of any values, a picture, or several
    periodic : whether opposite edges of the map touch
    holes : cells with this value are not part of the map
    negative : more arrays, of what must not stand side by side (their edges never touch), even if the map
        shows it

    >>> learn_adjacency([["sea", "beach", "land"]]).rules.names
    ('sea', 'beach', 'land')
    """
    wanted = several(array)
    unwanted = [*several(negative), *never_beside(wanted)]
    samples = read_samples([*wanted, *unwanted]) if wanted else read_samples([])
    values = samples[0].values
    good, bad = samples[: len(wanted)], samples[len(wanted) :]
    stood = sum(np.bincount(sample.numbers.ravel(), minlength=len(values)) for sample in good)
    stood = np.where(is_hole(values, holes), 0, stood)
    kept = np.flatnonzero(stood)
    check_values(len(kept))
    place = np.full(len(values), -1)  # holes, and what only negative examples show, have none
    place[kept] = np.arange(len(kept))
    east, south = pair_tables([place[sample.numbers] for sample in good], len(kept), periodic)
    words = [values[number] for number in kept.tolist()]
    forbidden = pair_tables([place[sample.numbers] for sample in bad], len(kept), False)
    east, south = east & ~forbidden[0], south & ~forbidden[1]
    tables = [south.T, east, south, east.T]
    return LearnedTileSet(
        list(names_for(words)),
        words,
        stood[kept].tolist(),
        [Relation.from_allowed(table) for table in tables],
        coloured=samples[0].coloured,
        periodic=bool(periodic),
    )


def check_values(count: int) -> None:
    """Raise if there is no value to learn, or too many for a table of pairs."""
    if not count:
        raise TileSetError("there is nothing to learn from: every cell is a hole")
    if count > MOST_VALUES:
        raise TileSetError(
            f"the map has {count:,} different values, and at most {MOST_VALUES:,} can be used; "
            "reduce the number of colours, or learn from a smaller part"
        )


def pair_tables(
    maps: Iterable[Numbers], count: int, periodic: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """bool [value, value]: whether b stood east of a, and south of a; -1 in a map is no value."""
    east, south = np.zeros((2, count, count), bool)
    for cells in maps:
        around = np.pad(cells, (0, 1), mode="wrap") if periodic else np.pad(cells, (0, 1), constant_values=-1)
        for table, beside in ((east, around[:-1, 1:]), (south, around[1:, :-1])):
            both = (cells >= 0) & (beside >= 0)
            table[cells[both], beside[both]] = True
    return east, south
