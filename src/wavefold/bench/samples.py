"""Sample pictures as rules: every window of N x N pixels is a pattern, overlaps must agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavefold.solver import Problem
from wavefold.tiles import Relation, Rules
from wavefold.topology import SquareGrid

__all__ = ["Sample", "read_samples", "sample_problem"]

Pixels = NDArray[np.int64]  # [row, column] numbers of colours


@dataclass(frozen=True, slots=True)
class Sample:
    """The patterns of a picture, in the order they were found, and how often each was."""

    name: str
    patterns: list[Pixels]
    counts: list[int]
    periodic_output: bool
    ground: bool  # the pattern found last is the bottom row, and nothing else is

    def rules(self) -> Rules:
        """In a direction, patterns with the same overlapping part are one class: never a table."""
        part = {
            "all but the last row": [each[:-1].tobytes() for each in self.patterns],
            "all but the first row": [each[1:].tobytes() for each in self.patterns],
            "all but the first column": [each[:, 1:].tobytes() for each in self.patterns],
            "all but the last column": [each[:, :-1].tobytes() for each in self.patterns],
        }
        north = Relation.from_sockets(part["all but the last row"], part["all but the first row"])
        east = Relation.from_sockets(part["all but the first column"], part["all but the last column"])
        south = Relation.from_sockets(part["all but the first row"], part["all but the last row"])
        west = Relation.from_sockets(part["all but the last column"], part["all but the first column"])
        names = [f"{self.name.lower()}-{number}" for number in range(len(self.patterns))]
        return Rules(names, [north, east, south, west], self.counts, topology="square")


def read_samples(data: Path) -> Iterator[tuple[dict[str, Any], Sample]]:
    """Every sample listed in the folder's cases, with its entry there."""
    folder = data / "mxgmn"
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["samples"]:
        yield case, read_sample(folder / "samples" / f"{case['name']}.png", case)


def read_sample(path: Path, case: dict[str, Any]) -> Sample:
    """One picture, read as its case says."""
    found: dict[bytes, tuple[Pixels, int]] = {}
    for window in windows(read_colours(path), case["n"], case["periodic_input"]):
        for variant in variants(window)[: case["symmetry"]]:
            key = variant.tobytes()
            pattern, count = found.get(key, (variant, 0))
            found[key] = pattern, count + 1
    patterns, counts = [each for each, _ in found.values()], [count for _, count in found.values()]
    return Sample(case["name"], patterns, counts, case["periodic_output"], case["ground"])


def read_colours(path: Path) -> Pixels:
    """[row, column] the number of each pixel's colour."""
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGBA"))
    packed = np.ascontiguousarray(pixels).view(np.uint32)[..., 0]
    return np.unique(packed, return_inverse=True)[1].reshape(packed.shape).astype(np.int64)


def windows(pixels: Pixels, n: int, periodic: bool) -> Iterator[Pixels]:
    """Every window of n x n, row by row; around the edges if the picture is periodic."""
    height, width = pixels.shape
    wide = np.pad(pixels, ((0, n - 1), (0, n - 1)), mode="wrap") if periodic else pixels
    rows, columns = (height, width) if periodic else (height - n + 1, width - n + 1)
    for row in range(rows):
        for column in range(columns):
            yield wide[row : row + n, column : column + n]


def variants(window: Pixels) -> list[Pixels]:
    """The window, its mirror image, both turned left once, twice and three times."""
    result = []
    for turns in range(4):
        turned = np.rot90(window, turns)
        result += [np.ascontiguousarray(turned), np.ascontiguousarray(turned[:, ::-1])]
    return result


def sample_problem(sample: Sample, rules: Rules, side: int) -> Problem:
    """A square map from a sample; ground becomes a mask."""
    grid = SquareGrid(side, side, wraps=sample.periodic_output)
    if not sample.ground:
        return Problem(rules, grid)
    masks = np.ones((side, side, len(rules)), bool)
    masks[:, :, -1] = False
    masks[-1] = False
    masks[-1, :, -1] = True
    return Problem(rules, grid, masks=masks.reshape(side * side, -1))
