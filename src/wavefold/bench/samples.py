"""Public sample pictures, each learned and used as its entry in `cases.json` says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wavefold.solver import Problem
from wavefold.tiles import LearnedTileSet, learn
from wavefold.topology import SquareGrid


@dataclass(frozen=True, slots=True)
class Sample:
    """What was learned from a picture, and how maps are made from it."""

    name: str
    tiles: LearnedTileSet
    periodic_output: bool

    def problem(self, side: int) -> Problem:
        """A square map; ground becomes a mask."""
        grid = SquareGrid(side, side, wraps=self.periodic_output)
        masks = None if self.tiles.ground_pattern is None else self.tiles.ground_masks(grid)
        return Problem(self.tiles, grid, masks=masks)


def read_samples(data: Path) -> Iterator[tuple[dict[str, Any], Sample]]:
    """Every sample listed in the folder's cases, with its entry there."""
    folder = data / "mxgmn"
    for case in json.loads((folder / "cases.json").read_text(encoding="utf-8"))["samples"]:
        path = folder / "samples" / f"{case['name']}.png"
        tiles = learn(path, case["n"], case["symmetry"], case["periodic_input"], case["ground"])
        yield case, Sample(case["name"], tiles, case["periodic_output"])
