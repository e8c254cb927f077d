"""The look of each cell as a number: a pattern, or a colour with an optional count.

Pictures are drawn from these numbers. So two maps can be compared cell by cell, and only cells that differ
are redrawn. Undecided cells are coloured by their remaining patterns or by their entropy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.errors import ConfigError, suggest
from wavefold.kernels.host.bitsets import count_set_bits, single_patterns, unpack_bits
from wavefold.render.tile_pictures import Pixels, get_flat_colours
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Map, Solution

CellLooks = NDArray[np.int64]  # [cell]: a pattern, or -1 - (count << 32 | RGBA)

NOTHING = -1  # fully transparent
IMPOSSIBLE = (255, 0, 96, 255)  # the colour of a cell without remaining patterns
SHOWS = ("tiles", "entropy", "counts")
MOST_FLAGS = 1 << 24  # unpacked at once

Words = NDArray[np.uint64]  # [row, word]: domains

# Equal steps of lightness in OKLab, from 0.20 to 0.94, with hues from violet to red to yellow. Equal
# differences look equal, also in grey.
RAMP = np.array(
    [
        *((20, 12, 56), (39, 13, 77), (62, 12, 94), (87, 6, 105), (113, 3, 110), (140, 3, 109)),
        *((166, 5, 103), (193, 5, 93), (214, 35, 78), (230, 62, 60), (242, 90, 41), (248, 119, 28)),
        *((249, 147, 43), (246, 173, 75), (242, 198, 112), (239, 220, 152), (241, 238, 192)),
    ],
    np.float64,
)


class Tint(NamedTuple):
    """The colour of an undecided cell."""

    colour: tuple[int, int, int, int]
    left: int = 0  # the number of remaining patterns to write in the cell; 0: none


def decode_tint(look: int) -> Tint:
    """Decode the colour and count of a look below 0."""
    left, code = divmod(-1 - look, 1 << 32)
    return Tint((code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255), left)


def decode_colours(looks: CellLooks) -> Pixels:
    """uint8 [row, RGBA]: the colours of looks below 0."""
    return np.stack([(-1 - looks) >> shift & 255 for shift in (24, 16, 8, 0)], axis=-1).astype(np.uint8)


def check_show(show: object) -> None:
    """Raise ConfigError unless this is a valid value of `show`."""
    if show not in SHOWS:
        raise ConfigError(f"unknown show {show!r}; {suggest(show, SHOWS)}")


def compute_looks(solution: Map, show: str = "tiles") -> CellLooks:
    """[cell]: the looks of a map; for `show` see `draw`."""
    if isinstance(solution, Solution):
        return np.asarray(solution.patterns, np.int64)
    return compute_domain_looks(solution.problem, solution.words, np.arange(len(solution.words)), show)


def compute_domain_looks(
    problem: Problem, words: Words, cells: NDArray[np.int64], show: str = "tiles"
) -> CellLooks:
    """[row]: the looks of these cells, given their domains [row, word]."""
    looks: CellLooks = single_patterns(words)
    undecided = np.flatnonzero(looks < 0)
    if not undecided.size:
        return looks
    domains, cells = words[undecided], cells[undecided]
    if show != "entropy" or problem.weights is None or len(problem.weights) == 1:
        # Many cells have the same domain.
        domains, chosen, place = find_unique_domains(domains)
        looks[undecided] = encode_tints(problem, domains, cells[chosen], show)[place]
    else:
        looks[undecided] = encode_tints(problem, domains, cells, show)
    return looks


def find_unique_domains(words: Words) -> tuple[Words, NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct domains, the index of the first row of each, and [row] -> index of its domain."""
    rows = np.ascontiguousarray(words).view([("", words.dtype)] * words.shape[1])[:, 0]
    keys = words[:, 0] if words.shape[1] == 1 else rows
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return words[first], first, place.reshape(-1)


def encode_tints(problem: Problem, domains: Words, cells: NDArray[np.int64], show: str) -> CellLooks:
    """[row]: the looks of undecided cells, from their domains."""
    left = count_set_bits(domains)
    if show == "tiles":
        colours = compute_mean_colours(problem, domains)
    elif show == "entropy":
        colours = shade_heat(
            compute_entropies(problem, domains, cells) / (find_highest_entropy(problem) or 1.0)
        )
    else:
        colours = shade_heat(np.log(np.maximum(left, 1)) / np.log(max(2, len(problem.rules))))
    written = left * (show != "tiles")
    colours[left == 0] = IMPOSSIBLE
    red, green, blue, alpha = colours.astype(np.int64).T
    return np.asarray(-1 - (written << 32 | red << 24 | green << 16 | blue << 8 | alpha))


def compute_mean_colours(problem: Problem, domains: Words) -> Pixels:
    """uint8 [row, RGBA]: the mean colour of the patterns in each domain, weighted by opacity."""
    seen = get_flat_colours(problem).astype(np.float32)
    seen[:, :3] *= seen[:, 3:] / 255
    means = np.empty((len(domains), 4), np.float32)
    for part, flags in unpack_in_parts(domains, len(problem.rules)):
        possible = flags.astype(np.float32)
        means[part] = possible @ seen / np.maximum(possible.sum(axis=1, keepdims=True), 1)
    means[:, :3] *= 255 / np.maximum(means[:, 3:], 1e-3)
    return np.asarray(means.round().clip(0, 255), np.uint8)


def unpack_in_parts(words: Words, patterns: int) -> Iterator[tuple[slice, NDArray[np.bool_]]]:
    """Yield domains as flags [row, pattern], some rows at a time, to save memory."""
    rows = max(1, MOST_FLAGS // patterns)
    for start in range(0, len(words), rows):
        part = slice(start, start + rows)
        yield part, unpack_bits(words[part], patterns)


# --- entropy --------------------------------------------------------------------------------------


def shade_heat(heat: NDArray[np.float64]) -> Pixels:
    """uint8 [row, RGBA]: colours of the ramp, from 0 (dark) to 1 (light)."""
    place = np.clip(heat, 0, 1) * (len(RAMP) - 1)
    stops = np.arange(len(RAMP))
    channels = [np.interp(place, stops, RAMP[:, channel]) for channel in range(3)]
    colours = np.stack([*channels, np.full(place.shape, 255.0)], axis=-1)
    return np.asarray(colours.round(), np.uint8)


def compute_entropies(problem: Problem, words: Words, cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """float64 [row]: the Shannon entropy of the domains of these cells, in nats."""
    weights = get_cell_weights(problem)
    found = np.empty(len(words))
    for part, possible in unpack_in_parts(words, len(problem.rules)):
        found[part] = compute_entropy(possible * (weights if len(weights) == 1 else weights[cells[part]]))
    return found


def find_highest_entropy(problem: Problem) -> float:
    """The highest entropy of a cell in which all patterns are possible."""
    return float(compute_entropy(get_cell_weights(problem)).max())


def get_cell_weights(problem: Problem) -> NDArray[np.float64]:
    """float64 [cell, pattern], or one row for all cells: the weights; 0 is replaced by a tiny number."""
    weights = problem.rules.weights[None] if problem.weights is None else problem.weights
    return np.asarray(np.maximum(weights, weights.max() * 2.0**-32))


def compute_entropy(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64 [row]: the entropy of weights [row, pattern], which are 0 for impossible patterns."""
    total = np.maximum(weights.sum(axis=1), np.finfo(np.float64).tiny)
    share = weights / total[:, None]
    return np.asarray(-(share * np.log(np.where(share > 0, share, 1))).sum(axis=1) + 0.0)
