"""Learn rules of single cells: pairs of values that touch in a sample may touch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.options.names import SampleName
from wavefold.options.values import check_flag
from wavefold.tiles.learning.learned_tileset import LearnedTileSet, name_values
from wavefold.tiles.learning.samples import SampleLike, find_reader, read_samples, split_samples, to_python
from wavefold.tiles.learning.windows import Occurrences
from wavefold.tiles.rules import Relation

MOST_VALUES = 1 << 12  # the tables have an entry for each pair

ValueGrid = NDArray[np.int64]  # [row, column] numbers of values, or -1


def learn_adjacency(
    array: SampleName | SampleLike,
    periodic: bool = False,
    holes: object = None,
    negative: SampleLike = (),
) -> LearnedTileSet:
    """Learn rules of single cells from a sample; the weights are the frequencies of the values.

    Parameters
    ----------
    array : a sample, or a list of samples, as for `learn`
    periodic : whether opposite edges of the sample touch
    holes : cells with this value are not part of the sample
    negative : samples of pairs that are forbidden, even if the other samples contain them; their opposite
        edges never touch

    >>> learn_adjacency([["sea", "beach", "land"]]).rules.names
    ('sea', 'beach', 'land')
    """
    check_flag("periodic", periodic)
    wanted = split_samples(array)
    unwanted = [*split_samples(negative), *read_negatives(wanted)]
    samples = read_samples([*wanted, *unwanted]) if wanted else read_samples([])
    values = samples[0].values
    good, bad = samples[: len(wanted)], samples[len(wanted) :]
    counts = sum(np.bincount(sample.numbers.ravel(), minlength=len(values)) for sample in good)
    counts = np.where(find_holes(values, holes), 0, counts)
    kept = np.flatnonzero(counts)
    check_value_count(len(kept))
    pattern_of = np.full(len(values), -1)  # -1: holes, and values that only negative samples contain
    pattern_of[kept] = np.arange(len(kept))
    east, south = find_pairs([pattern_of[sample.numbers] for sample in good], len(kept), periodic)
    found = [values[number] for number in kept.tolist()]
    forbidden = find_pairs([pattern_of[sample.numbers] for sample in bad], len(kept), False)
    east, south = east & ~forbidden[0], south & ~forbidden[1]
    tables = [south.T, east, south, east.T]
    return LearnedTileSet(
        list(name_values(found)),
        found,
        counts[kept].tolist(),
        [Relation.from_allowed(table) for table in tables],
        coloured=samples[0].coloured,
        periodic=bool(periodic),
        occurrences=Occurrences(
            [pattern_of[sample.numbers].astype(np.int32) for sample in good],
            np.arange(len(kept), dtype=np.int32)[:, None],
        ),
    )


def check_value_count(count: int) -> None:
    """Raise if there are no values, or too many for a table of pairs."""
    if not count:
        raise TileSetError("the sample has only holes")
    if count > MOST_VALUES:
        raise TileSetError(
            f"the sample has {count:,} different values, more than {MOST_VALUES:,}; "
            "reduce the number of colours, or learn from a part of it"
        )


def find_pairs(
    maps: Iterable[ValueGrid], count: int, periodic: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two tables bool [a, b]: whether b occurs east of a, and south of a."""
    east, south = np.zeros((2, count, count), bool)
    for cells in maps:
        around = np.pad(cells, (0, 1), mode="wrap") if periodic else np.pad(cells, (0, 1), constant_values=-1)
        for table, beside in ((east, around[:-1, 1:]), (south, around[1:, :-1])):
            both = (cells >= 0) & (beside >= 0)
            table[cells[both], beside[both]] = True
    return east, south


def find_holes(values: Sequence[Any], holes: Any) -> list[bool]:
    """[value] -> whether it is a hole. A colour without alpha stands for the opaque colour."""
    wanted = tuple(to_python(holes)) if isinstance(holes, list | np.ndarray) else to_python(holes)
    if isinstance(wanted, tuple) and len(wanted) == 3 and (*wanted, 255) in values:
        wanted = (*wanted, 255)
    if holes is not None and not any(is_same_kind(value, wanted) for value in values):
        raise TileSetError(f"holes={holes!r} is not a value of the sample, such as {values[0]!r}")
    found = [value is wanted or (is_same_kind(value, wanted) and value == wanted) for value in values]
    return found


def is_same_kind(value: Any, other: Any) -> bool:
    """Whether two values can be compared: both numbers, both text, or colours with as many channels."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        return len(value) == len(other)
    return type(value) is type(other) or all(isinstance(each, int | float) for each in (value, other))


def read_negatives(sources: Iterable[Any]) -> list[Any]:
    """The negative samples in map files, which have them on separate layers."""
    readers = [(find_reader("read_negative", source), source) for source in sources]
    return [rows for reader, source in readers if reader for rows in reader(source)]
