"""Measure the looks of maps: `measure` and its result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wavefold.errors import ConfigError
from wavefold.options.values import format_count
from wavefold.reports.measuring.blocks import number_blocks
from wavefold.reports.measuring.dullness import Dullness, measure_dullness
from wavefold.reports.measuring.faithfulness import Faithfulness, measure_faithfulness
from wavefold.reports.measuring.isotropy import Isotropy, measure_isotropy
from wavefold.reports.measuring.lines import PatternLabels, Straightness, measure_straightness
from wavefold.reports.measuring.repetition import Repetition, measure_repetition
from wavefold.solver import Solution
from wavefold.topology import is_lattice
from wavefold.topology.lattice import Lattice


@dataclass(frozen=True, slots=True)
class Measurement:
    """The looks of maps of one set, each figure with its value by chance.

    faithfulness : the distance of frequencies from the weights, the requested shares, or the sample
    isotropy : whether straight lines, edges and diagonals are equally frequent in all directions
    repetition : how often windows are repeated; None if the maps are too small
    dullness : the largest area of one kind
    straightness : the longest straight lines, edges and diagonals
    """

    maps: int
    cells: int
    faithfulness: Faithfulness
    isotropy: Isotropy
    repetition: Repetition | None
    dullness: Dullness
    straightness: tuple[Straightness, ...]

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        return {
            "maps": self.maps,
            "cells": self.cells,
            "faithfulness": self.faithfulness.to_dict(),
            "isotropy": self.isotropy.to_dict(),
            "repetition": None if self.repetition is None else self.repetition.to_dict(),
            "dullness": self.dullness.to_dict(),
            "straightness": [each.to_dict() for each in self.straightness],
        }

    def __repr__(self) -> str:
        return "\n".join(
            [
                f"Measurement({format_count(self.maps, 'maps')}, {format_count(self.cells, 'cells')})",
                f"  faithful    {self.faithfulness}",
                f"  isotropic   {self.isotropy}",
                f"  repetitive  {self.repetition or 'not applicable: the maps are too small'}",
                f"  dull        {self.dullness}",
                f"  straight    {', '.join(map(str, self.straightness)) or 'nothing'}",
            ]
        )


def measure(solutions: Solution | Iterable[Solution]) -> Measurement:
    """Measure the looks of a map, or of several maps of one tile set together.

    The result is deterministic.

    >>> measure(generate(tiles, SquareGrid(64, 64), seed=seed) for seed in range(16))
    """
    maps = [solutions] if isinstance(solutions, Solution) else check_maps(solutions)
    for each in maps:
        check_map(each, maps[0])
    labels = PatternLabels(maps[0].problem.tiles, maps[0].problem.topology.kind)
    arrays = [each.array for each in maps]
    blocks = number_blocks([array.shape for array in arrays])
    return Measurement(
        len(maps),
        sum(each.patterns.size for each in maps),
        *measure_frequencies(labels, maps),
        measure_repetition(labels, arrays, blocks),
        measure_dullness(labels, arrays),
        measure_straightness(labels, arrays),
    )


def measure_frequencies(labels: PatternLabels, maps: Sequence[Solution]) -> tuple[Faithfulness, Isotropy]:
    """Measure only faithfulness and isotropy, for audits."""
    arrays = [each.array for each in maps]
    blocks = number_blocks([array.shape for array in arrays])
    return measure_faithfulness(maps, blocks), measure_isotropy(labels, arrays, blocks)


def check_maps(solutions: object) -> list[Solution]:
    """Return the maps as a list; raises if there are none."""
    if not isinstance(solutions, Iterable):
        raise ConfigError(
            f"only finished maps can be measured, such as those of generate(…), not {solutions!r}"
        )
    maps = list(solutions)
    if not maps:
        raise ConfigError("there are no maps to measure")
    return maps


def check_map(solution: object, first: Solution) -> None:
    """Raise unless this is a finished map on a grid, of the same set as the first one."""
    if not isinstance(solution, Solution):
        raise ConfigError(
            f"only finished maps can be measured, such as those of generate(…), not {solution!r}"
        )
    topology = solution.problem.topology
    if not isinstance(topology, Lattice) or not is_lattice(topology.kind) or topology.side_sets:
        raise ConfigError(
            f"only maps of square, hex and cube grids can be measured, not {topology!r}: "
            "all cells must have the same sides"
        )
    if (solution.patterns < 0).any():
        raise ConfigError("a map with empty cells cannot be measured; complete it with wf.repair")
    if solution.problem.rules.digest != first.problem.rules.digest:
        raise ConfigError("maps that are measured together must have the same tile set")
