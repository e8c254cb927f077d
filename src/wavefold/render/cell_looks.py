"""What each cell of a map shows, as one number: a pattern, or a colour with or without a count in it.

All drawings start from these numbers, so that two maps can be compared cell by cell and only what
differs is drawn again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavefold.common.bitsets import unpack_bits
from wavefold.errors import ConfigError, suggest
from wavefold.render.heat import counts, entropies, heat_colours, highest_entropy
from wavefold.render.limits import IMPOSSIBLE, Map
from wavefold.render.tile_pictures import Pixels, flat_colours
from wavefold.solver.problem import Problem
from wavefold.solver.solution import Solution, single_patterns

CellLooks = NDArray[np.int64]  # [cell]: a pattern, or -1 - (count << 32 | RGBA)

NOTHING = -1  # fully transparent
SHOWS = ("tiles", "entropy", "counts")
MOST_FLAGS = 1 << 24  # unpacked at once


class Tint(NamedTuple):
    """A cell in one colour."""

    colour: tuple[int, int, int, int]
    left: int = 0  # how many patterns are left: written in the cell unless 0


def decode_tint(look: int) -> Tint:
    """What a look below 0 means."""
    left, code = divmod(-1 - look, 1 << 32)
    return Tint((code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255), left)


def decode_colours(looks: CellLooks) -> Pixels:
    """uint8 [row, RGBA] of looks below 0."""
    return np.stack([(-1 - looks) >> shift & 255 for shift in (24, 16, 8, 0)], axis=-1).astype(np.uint8)


def check_show(show: object) -> None:
    """Raise if this is not a way to show undecided cells."""
    if show not in SHOWS:
        raise ConfigError(f"unknown show {show!r}; {suggest(show, SHOWS)}")


def compute_looks(solution: Map, show: str = "tiles") -> CellLooks:
    """[cell] what a map shows; `show` says how undecided cells are shown (see `draw`)."""
    if isinstance(solution, Solution):
        return np.asarray(solution.patterns, np.int64)
    return compute_domain_looks(solution.problem, solution.words, np.arange(len(solution.words)), show)


def compute_domain_looks(
    problem: Problem, words: NDArray[np.uint64], cells: NDArray[np.int64], show: str = "tiles"
) -> CellLooks:
    """[row] the same for some cells, given their domains [row, word]."""
    looks: CellLooks = single_patterns(words)
    undecided = np.flatnonzero(looks < 0)
    if not undecided.size:
        return looks
    domains, cells = words[undecided], cells[undecided]
    if show != "entropy" or problem.weights is None or len(problem.weights) == 1:
        # Most cells share their domain with many others.
        domains, chosen, place = unique_domains(domains)
        looks[undecided] = encode_tints(problem, domains, cells[chosen], show)[place]
    else:
        looks[undecided] = encode_tints(problem, domains, cells, show)
    return looks


def unique_domains(
    words: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Each row once, where it was found first, and which of them each row is."""
    rows = np.ascontiguousarray(words).view([("", words.dtype)] * words.shape[1])[:, 0]
    keys = words[:, 0] if words.shape[1] == 1 else rows
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return words[first], first, place.reshape(-1)


def encode_tints(
    problem: Problem, domains: NDArray[np.uint64], cells: NDArray[np.int64], show: str
) -> CellLooks:
    """[row] looks in one colour, from the domains of these cells."""
    left = counts(domains)
    if show == "tiles":
        colours, written = mean_colours(problem, domains), np.zeros_like(left)
    elif show == "entropy":
        highest = highest_entropy(problem) or 1.0
        colours, written = heat_colours(entropies(problem, domains, cells) / highest), left
    else:
        colours, written = (
            heat_colours(np.log(np.maximum(left, 1)) / np.log(max(2, len(problem.rules)))),
            left,
        )
    colours[left == 0] = IMPOSSIBLE
    red, green, blue, alpha = colours.astype(np.int64).T
    return np.asarray(-1 - (written << 32 | red << 24 | green << 16 | blue << 8 | alpha))


def mean_colours(problem: Problem, domains: NDArray[np.uint64]) -> Pixels:
    """uint8 [row, RGBA]: the mean colour of what each domain may still be. What is clear has no colour."""
    seen = flat_colours(problem).astype(np.float32)
    seen[:, :3] *= seen[:, 3:] / 255
    patterns = len(problem.rules)
    means = np.empty((len(domains), 4), np.float32)
    rows = max(1, MOST_FLAGS // patterns)
    for start in range(0, len(domains), rows):
        possible = unpack_bits(domains[start : start + rows], patterns).astype(np.float32)
        means[start : start + rows] = possible @ seen / np.maximum(possible.sum(axis=1, keepdims=True), 1)
    means[:, :3] *= 255 / np.maximum(means[:, 3:], 1e-3)
    return np.asarray(means.round().clip(0, 255), np.uint8)
