"""Learn the windows of n x n cells of a sample as patterns.

Two patterns may touch if they agree where they overlap, one of them moved by a cell. So every window of a map
is a window of the sample.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import TileSetError, TileSetWarning
from wavefold.kernels.host.bitsets import count_words, locate_bits
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.options.groups import LARGEST_WINDOW, MOST_COLOURS
from wavefold.options.names import SampleName
from wavefold.options.values import check_flag, parse_integer
from wavefold.storage.memory import check_memory
from wavefold.tiles.learning.colours import (
    LARGEST_SCALE,
    BlockGrid,
    describe_colours,
    find_blocks,
    is_clean,
    reduce_colours,
    undo_scale,
)
from wavefold.tiles.learning.learned_tileset import LearnedTileSet
from wavefold.tiles.learning.samples import (
    LearnSettings,
    Sample,
    SampleLike,
    get_sample_options,
    get_sample_order,
    is_sample,
    read_samples,
    split_samples,
)
from wavefold.tiles.learning.windows import (
    MOST_PATTERNS,
    Occurrences,
    check_count,
    choose_symmetry,
    find_windows,
    merge_equal,
    number_parts,
    turn_windows,
)
from wavefold.tiles.rules import Relation

DEFAULTS: LearnSettings = {"n": 3, "symmetry": "auto", "periodic": True, "ground": False}

Auto = Literal["auto"]
Advise = Callable[[TileSetWarning], None]
IntArray = NDArray[np.int64]


def learn(
    source: SampleName | SampleLike,
    n: int | None = None,
    symmetry: int | Auto | None = None,
    periodic: bool | None = None,
    ground: bool | None = None,
    *,
    scale: int | Auto | None = None,
    colours: int | None = None,
) -> LearnedTileSet:
    """Learn the windows of n x n cells of a sample as patterns.

    Parameters
    ----------
    source : a path, the name of a bundled sample (see `wavefold.samples()`), a Pillow image, an array, or a
        list of these. An array is [row, column] of any values, or uint8 [row, column, RGB or RGBA]. The
        windows of several samples are counted together. Bundled samples have defaults of their own for the
        other parameters
    n : the side of a window, 1 to 5; by default 3
    symmetry : the number of variants of each window that are learned: the window (1), its mirror image (2),
        the window turned left (3), its mirror image (4), and so on to 8. By default "auto": 1, 2 or 8,
        depending on whether most mirror images and rotations occur in the sample; the choice is the attribute
        `symmetry` of the result
    periodic : whether windows wrap around the edges of the sample; by default True
    ground : whether the last pattern belongs only in the bottom row; by default False. Pass `ground_masks` of
        the result to the problem
    scale : the upscaling to undo, in pixels; "auto" detects it, 1 keeps all pixels. By default it is undone
        in picture files where it is certain, and a `TileSetWarning` is issued for other pictures that look
        upscaled
    colours : reduce pictures to this many of their colours, to undo antialiasing or the noise of JPEG files.
        By default more than 64 colours cause a `TileSetWarning`

    >>> learn([[0, 1], [1, 0]], n=2).rules
    Rules(2 patterns of 2 tiles, 4 relations)
    """
    return learn_patterns(source, n, symmetry, periodic, ground, scale, colours)


def learn_patterns(
    source: Any,
    n: int | None = None,
    symmetry: int | Auto | None = None,
    periodic: bool | None = None,
    ground: bool | None = None,
    scale: int | Auto | None = None,
    colours: int | None = None,
    *,
    most_patterns: int = MOST_PATTERNS,
    advise: Advise | None = None,
) -> LearnedTileSet:
    """Do the same as `learn`, with a lower limit on patterns.

    advise : called with each `TileSetWarning` instead of issuing it: warnings are shared by all threads
    """
    advise = advise or issue_warning
    most = min(most_patterns, MOST_PATTERNS)
    usual = get_sample_options(source) if is_sample(source) else DEFAULTS
    n = parse_count("n", usual["n"] if n is None else n, LARGEST_WINDOW)
    symmetry = usual["symmetry"] if symmetry is None else symmetry
    if symmetry != "auto":
        symmetry = parse_count("symmetry", symmetry, 8, 'or "auto"')
    for name, flag in (("periodic", periodic), ("ground", ground)):
        if flag is not None:
            check_flag(name, flag)
    periodic = usual["periodic"] if periodic is None else bool(periodic)
    ground = usual["ground"] if ground is None else bool(ground)
    read = LearnSettings(n=n, symmetry=symmetry, periodic=periodic, ground=ground)
    is_usual = read == usual and scale is None and colours is None
    sources = split_samples(source)
    are_files = all(isinstance(each, str | os.PathLike) for each in sources)
    samples, scales = undo_scales(read_samples(sources), scale, advise, are_files)
    if all(sample.numbers.size == 1 for sample in samples):
        raise TileSetError("a sample must have at least two cells, not one")
    samples = limit_colours(samples, colours, advise)
    if symmetry == "auto":
        symmetry = choose_symmetry(samples, periodic)
    windows = find_windows(samples, n, periodic, most)
    turned = turn_windows(windows.cells, symmetry)
    pattern_of = number_parts(turned)
    cells, counts = merge_equal(turned, pattern_of, np.repeat(windows.counts, symmetry))
    check_count(len(counts), n, symmetry, most)
    values = samples[0].values
    return LearnedTileSet(
        [f"p{number}" for number in range(len(counts))],
        [values[number] for number in cells[:, 0, 0].tolist()],
        counts.tolist(),
        relate_overlaps(cells),
        coloured=samples[0].coloured,
        n=n,
        symmetry=symmetry,
        periodic=periodic,
        ground=ground,
        title=Path(source).stem if isinstance(source, str | os.PathLike) else "",
        scales=scales,
        order=get_sample_order(source) if is_usual and is_sample(source) else None,
        occurrences=Occurrences(windows.maps, pattern_of.reshape(-1, symmetry).astype(np.int32)),
    )


def undo_scales(
    samples: list[Sample], scale: int | Auto | None, advise: Advise, are_files: bool = False
) -> tuple[list[Sample], list[int]]:
    """Undo the upscaling of samples; return the samples and their scales.

    Without `scale`, upscaling is undone only in files, where it is certain; otherwise a warning is given.
    """
    if scale is not None and not samples[0].coloured:
        raise TileSetError("scale= needs a picture; the sample has other values")
    if scale is None or scale == "auto":
        found = [find_blocks(sample) for sample in samples]
    else:
        side = parse_count("scale", scale, LARGEST_SCALE, 'or "auto"')
        found = [find_blocks_of(sample, side) for sample in samples]
    if scale is None:
        for number, (sample, blocks) in enumerate(zip(samples, found, strict=True)):
            if blocks and not (are_files and is_clean(sample)):
                size = f"{blocks.scale} x {blocks.scale}"
                advise(
                    TileSetWarning(
                        f"the picture is upscaled: its pixels are blocks of {size}",
                        advice='undo it with scale="auto"',
                        flag_advice="undo it with --scale auto",
                    )
                )
                found[number] = None
    undone = [
        undo_scale(sample, blocks) if blocks else sample
        for sample, blocks in zip(samples, found, strict=True)
    ]
    return undone, [blocks.scale if blocks else 1 for blocks in found]


def limit_colours(samples: list[Sample], colours: int | None, advise: Advise) -> list[Sample]:
    """Reduce the samples to this many colours; without `colours`, warn if there are too many."""
    if colours is not None:
        if not samples[0].coloured:
            raise TileSetError("colours= needs a picture; the sample has other values")
        return reduce_colours(samples, parse_count("colours", colours, MOST_COLOURS))
    if advice := describe_colours(samples):
        advise(advice)
    return samples


def find_blocks_of(sample: Sample, scale: int) -> BlockGrid:
    """The blocks of a picture, given their size."""
    if scale > min(sample.numbers.shape):
        height, width = sample.numbers.shape
        raise TileSetError(f"a scale of {scale} is too large for a picture of {width} x {height} pixels")
    blocks = find_blocks(sample)
    return blocks if blocks is not None and blocks.scale == scale else BlockGrid(scale, 0, 0)


def issue_warning(warning: TileSetWarning) -> None:
    """Issue a warning at the call of `learn`."""
    warnings.warn(warning, stacklevel=5)


def parse_count(name: str, value: object, largest: int, otherwise: str = "") -> int:
    """Return a whole number from 1 to `largest`. Raises TileSetError otherwise."""
    number = parse_integer(value)
    if number is None or not 1 <= number <= largest:
        more = f", {otherwise}" if otherwise else ""
        raise TileSetError(f"must be a whole number from 1 to {largest}{more}, not {value!r}", argument=name)
    return number


def relate_overlaps(cells: IntArray) -> list[Relation]:
    """The relations north, east, south, west: neighbours must have equal cells where they overlap."""
    upper, lower, left, right = cells[:, :-1], cells[:, 1:], cells[:, :, :-1], cells[:, :, 1:]
    facing = ((upper, lower), (right, left), (lower, upper), (left, right))
    numbers = [number_parts(np.concatenate(pair)) for pair in facing]
    check_rule_memory(len(cells), [int(number[: len(cells)].max()) + 1 for number in numbers])
    return [relate_parts(*np.split(number, 2)) for number in numbers]


def check_rule_memory(patterns: int, classes: list[int]) -> None:
    """Raise before allocation if the rules would take more memory than allowed."""
    advice = (
        "reduce the number of colours (to 16, for example), n or symmetry, or learn from a smaller sample"
    )
    check_memory(8 * count_words(patterns) * sum(classes), f"learning {patterns:,} patterns", advice)


def relate_parts(class_of: IntArray, facing: IntArray) -> Relation:
    """Do the same as `Relation.from_sockets`, with numbers of parts as sockets and less memory.

    Tens of thousands of patterns may have as many classes, too many for a table of flags.
    """
    checkpoint()
    rows = np.zeros((int(class_of.max()) + 1, count_words(len(class_of))), np.uint64)
    met = np.flatnonzero(facing < len(rows))
    word, bit = locate_bits(met)
    np.bitwise_or.at(rows, (facing[met], word), bit)
    return Relation(class_of.astype(np.int32), rows)
