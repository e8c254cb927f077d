"""Rules learned from samples: every window of n x n cells is a pattern, and overlaps must agree.

Two patterns may touch if one, moved by a cell, agrees with the other where they overlap. So every n x n
window of a map made from them is a window of the sample.
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
from wavefold.options.values import parse_integer
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
    Options,
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

DEFAULTS: Options = {"n": 3, "symmetry": "auto", "periodic": True, "ground": False}

Auto = Literal["auto"]
Advise = Callable[[TileSetWarning], None]
Numbers = NDArray[np.int64]


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
    """Patterns of n x n cells from a sample: a path, a Pillow image, an array, or a list of several.

    A bare name such as "cave" is a picture that comes with wavefold; `wavefold.samples()` lists them. Each
    was drawn to be read in one way: options that are not given are then its own.

    Parameters
    ----------
    source : an array is [row, column] of any values, or uint8 [row, column, RGB or RGBA]; the windows of
        several samples are counted together. A list of words is a list of paths and names
    n : the side of a window, 1 to 5; 3 if not given
    symmetry : how many are counted of the window (1), its mirror image (2), the window turned left (3),
        that mirrored (4), and so on to 8. If "auto" or not given, 1, 2 or 8: mirror images and turns are
        counted if most of them occur in the sample; `symmetry` of the result says what was chosen
    periodic : whether windows reach around the edges of the sample, as they usually do
    ground : whether the pattern found last belongs to the bottom row alone (usually not); pass what
        `ground_masks` gives to the problem
    scale : how many pixels across were drawn for each pixel that was meant; "auto" finds out, 1 takes all
        pixels. If not given, the upscaling of picture files is undone where it is certain, and
        there is a `TileSetWarning` about other pictures that look upscaled
    colours : reduce pictures to this many of their colours, which undoes antialiasing and the noise of JPEG
        files. If not given, more than 64 colours are learned with a `TileSetWarning`

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
    """As `learn`, with a limit of its own for patterns.

    advise : takes each piece of advice, in place of a `TileSetWarning`; threads share warnings
    """
    advise = advise or warn
    most = min(most_patterns, MOST_PATTERNS)
    usual = get_sample_options(source) if is_sample(source) else DEFAULTS
    n = parse_up_to("n", usual["n"] if n is None else n, LARGEST_WINDOW)
    symmetry = usual["symmetry"] if symmetry is None else symmetry
    if symmetry != "auto":
        symmetry = parse_up_to("symmetry", symmetry, 8, 'or "auto"')
    periodic = usual["periodic"] if periodic is None else bool(periodic)
    ground = usual["ground"] if ground is None else bool(ground)
    read = Options(n=n, symmetry=symmetry, periodic=periodic, ground=ground)
    is_usual = read == usual and scale is None and colours is None
    sources = split_samples(source)
    are_files = all(isinstance(each, str | os.PathLike) for each in sources)
    samples, scales = undo_scales(read_samples(sources), scale, advise, are_files)
    if all(sample.numbers.size == 1 for sample in samples):
        raise TileSetError(
            "the sample is 1 x 1, and shows nothing side by side; learn from two cells or more"
        )
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
    """The samples as they were before they were upscaled, and by how much each was; advise to do so.

    Without a scale, certain blocks in files are undone; an array is what the caller made it.
    """
    if scale is not None and not samples[0].coloured:
        raise TileSetError("scale is for pictures; this sample holds other values")
    if scale is None or scale == "auto":
        found = [find_blocks(sample) for sample in samples]
    else:
        side = parse_up_to("scale", scale, LARGEST_SCALE, 'or "auto"')
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
    """The samples in so many colours; advise to choose how many if there are far more than were meant."""
    if colours is not None:
        if not samples[0].coloured:
            raise TileSetError("colours are for pictures; this sample holds other values")
        return reduce_colours(samples, parse_up_to("colours", colours, MOST_COLOURS))
    if advice := describe_colours(samples):
        advise(advice)
    return samples


def find_blocks_of(sample: Sample, scale: int) -> BlockGrid:
    """The blocks of a picture that are known to be this large."""
    if scale > min(sample.numbers.shape):
        height, width = sample.numbers.shape
        raise TileSetError(f"a scale of {scale} leaves nothing of a picture of {width} x {height} pixels")
    blocks = find_blocks(sample)
    return blocks if blocks is not None and blocks.scale == scale else BlockGrid(scale, 0, 0)


def warn(warning: TileSetWarning) -> None:
    """Warn the caller of `learn`."""
    warnings.warn(warning, stacklevel=5)


def parse_up_to(name: str, value: object, largest: int, otherwise: str = "") -> int:
    """A whole number from 1 to the largest."""
    number = parse_integer(value)
    if number is None or not 1 <= number <= largest:
        more = f", {otherwise}" if otherwise else ""
        raise TileSetError(f"must be a whole number from 1 to {largest}{more}, not {value!r}", argument=name)
    return number


def relate_overlaps(cells: Numbers) -> list[Relation]:
    """North, east, south, west: what a pattern shows there must be what its neighbour has there."""
    upper, lower, left, right = cells[:, :-1], cells[:, 1:], cells[:, :, :-1], cells[:, :, 1:]
    facing = ((upper, lower), (right, left), (lower, upper), (left, right))
    numbers = [number_parts(np.concatenate(pair)) for pair in facing]
    check_rule_memory(len(cells), [int(number[: len(cells)].max()) + 1 for number in numbers])
    return [relate_parts(*np.split(number, 2)) for number in numbers]


def check_rule_memory(patterns: int, classes: list[int]) -> None:
    """Raise, before anything is allocated, if the rules would take more memory than allowed."""
    advice = (
        "reduce the number of colours (to 16, for example), n or symmetry, or learn from a smaller sample"
    )
    check_memory(8 * count_words(patterns) * sum(classes), f"learning {patterns:,} patterns", advice)


def relate_parts(class_of: Numbers, facing: Numbers) -> Relation:
    """As `Relation.from_sockets`, with numbers of parts as sockets, and a bit set for each pattern alone.

    Tens of thousands of patterns may have as many classes: not even a table of flags is made on the way.
    """
    checkpoint()
    rows = np.zeros((int(class_of.max()) + 1, count_words(len(class_of))), np.uint64)
    met = np.flatnonzero(facing < len(rows))
    word, bit = locate_bits(met)
    np.bitwise_or.at(rows, (facing[met], word), bit)
    return Relation(class_of.astype(np.int32), rows)
