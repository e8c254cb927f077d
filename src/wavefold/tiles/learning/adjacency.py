"""Rules of single cells learned from drawn maps: what stood beside what may stand beside it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError
from wavefold.options.names import SampleName
from wavefold.tiles.learning.learned_tileset import LearnedTileSet, name_values
from wavefold.tiles.learning.samples import SampleLike, find_reader, read_samples, split_samples, to_python
from wavefold.tiles.learning.windows import Occurrences
from wavefold.tiles.rules import Relation

MOST_VALUES = 1 << 12  # different values of a map: the table of all pairs is made whole

Numbers = NDArray[np.int64]


def learn_adjacency(
    array: SampleName | SampleLike,
    periodic: bool = False,
    holes: object = None,
    negative: SampleLike = (),
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
    wanted = split_samples(array)
    unwanted = [*split_samples(negative), *read_negatives(wanted)]
    samples = read_samples([*wanted, *unwanted]) if wanted else read_samples([])
    values = samples[0].values
    good, bad = samples[: len(wanted)], samples[len(wanted) :]
    counts = sum(np.bincount(sample.numbers.ravel(), minlength=len(values)) for sample in good)
    counts = np.where(find_holes(values, holes), 0, counts)
    kept = np.flatnonzero(counts)
    check_value_count(len(kept))
    pattern_of = np.full(len(values), -1)  # holes, and what only negative examples show, have none
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
    """Raise if there is no value to learn, or too many for a table of pairs."""
    if not count:
        raise TileSetError("there is nothing to learn from: every cell is a hole")
    if count > MOST_VALUES:
        raise TileSetError(
            f"the map has {count:,} different values, and at most {MOST_VALUES:,} can be used; "
            "reduce the number of colours, or learn from a smaller part"
        )


def find_pairs(
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


def find_holes(values: Sequence[Any], holes: Any) -> list[bool]:
    """[value] whether it stands for a hole. A colour without alpha means the opaque one."""
    wanted = tuple(to_python(holes)) if isinstance(holes, list | np.ndarray) else to_python(holes)
    if isinstance(wanted, tuple) and len(wanted) == 3 and (*wanted, 255) in values:
        wanted = (*wanted, 255)
    if holes is not None and not any(is_same_kind(value, wanted) for value in values):
        raise TileSetError(f"holes={holes!r} is not the kind of value this map holds, such as {values[0]!r}")
    found = [value is wanted or (is_same_kind(value, wanted) and value == wanted) for value in values]
    return found


def is_same_kind(value: Any, other: Any) -> bool:
    """Whether two values are of one kind: both numbers, both words, colours with as many channels."""
    if isinstance(value, tuple) and isinstance(other, tuple):
        return len(value) == len(other)
    return type(value) is type(other) or all(isinstance(each, int | float) for each in (value, other))


def read_negatives(sources: Iterable[Any]) -> list[Any]:
    """The negative examples that drawn maps, given as paths, have on layers of their own."""
    readers = [(find_reader("read_negative", source), source) for source in sources]
    return [rows for reader, source in readers if reader for rows in reader(source)]
