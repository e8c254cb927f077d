"""What can be read off a map: the effort of joining, per grid and in all, and snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, NamedTuple

from wavefold.common.deprecation import renamed_attribute, with_old_keys
from wavefold.patchwork.plan import Cell, Key
from wavefold.tiles import Rules

OLD_KEYS = {"wishes_asked": "soft_masks_asked", "wishes_met": "soft_masks_met"}  # in files of old, too


@dataclass(frozen=True, slots=True)
class Counts:
    """The effort of joining.

    fixed : cells of neighbours that touch the grid, and that it had to fit
    attempts : solves that were begun
    backtracks : decisions undone in them
    unfixed : how often a neighbour's cell was freed because of a conflict (`fixed` alone)
    replaced : disks of neighbours' cells that were re-solved around a conflict (`fixed` alone)
    changed : cells of other grids that got another pattern; in a sum, a cell counts each time it did
    dropped : cells that keep their pattern but no longer constrain their neighbours
    repaired : cells that local repairs un-decided during search
    widened : how often the ring of solvable cells was widened
    seconds : wall-clock time
    soft_masks_asked : cells whose fields exclude some pattern
    soft_masks_met : those of them with a pattern that the fields allow
    """

    fixed: int = 0
    attempts: int = 0
    backtracks: int = 0
    unfixed: int = 0
    replaced: int = 0
    changed: int = 0
    dropped: int = 0
    repaired: int = 0
    widened: int = 0
    seconds: float = 0.0
    soft_masks_asked: int = 0
    soft_masks_met: int = 0

    wishes_asked = renamed_attribute("wishes_asked", "soft_masks_asked")
    wishes_met = renamed_attribute("wishes_met", "soft_masks_met")

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON; with the old keys beside the new ones, which are deprecated."""
        return with_old_keys(asdict(self), OLD_KEYS)


@dataclass(frozen=True, slots=True)
class GridReport(Counts):
    """The effort of one grid."""

    key: Key = (0, 0)
    join: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {**Counts.to_dict(self), "key": list(self.key)}

    def __str__(self) -> str:
        return f"grid {self.key}: {format_counts(self)}"


@dataclass(frozen=True, slots=True)
class PatchworkReport(Counts):
    """The effort of a whole map: sums, and each grid in the order they were built."""

    grids: tuple[GridReport, ...] = ()
    cells: int = 0
    changed_cells: int = 0  # different ones: those of `Patchwork.changed`
    rebuilt: int = 0  # cells that `rebuild` changed
    mismatches_from_dropped: int = 0  # sides that do not fit, all of them at dropped cells

    @classmethod
    def of(cls, grids: Iterable[GridReport], **more: int) -> PatchworkReport:
        """The sum of these reports."""
        each = tuple(grids)
        sums = {field.name: sum(getattr(grid, field.name) for grid in each) for field in fields(Counts)}
        return cls(**sums, grids=each, **more)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {**Counts.to_dict(self), "grids": [grid.to_dict() for grid in self.grids]}

    def __str__(self) -> str:
        return f"{format_count(len(self.grids), 'grids')}, {self.cells:,} cells: {format_counts(self)}"


class Snapshot(NamedTuple):
    """A map at one moment: later growth does not show."""

    patterns: dict[Cell, int]
    grids: tuple[Key, ...]  # in the order they were built
    changed: tuple[Cell, ...]
    dropped: tuple[Cell, ...]


def format_counts(counts: Counts) -> str:
    """One line: every count that is not 0, and the time."""
    names = ("attempts", "backtracks", "unfixed", "replaced", "changed", "dropped", "repaired", "widened")
    parts = [format_count(getattr(counts, name), name) for name in names if getattr(counts, name)]
    cells = getattr(counts, "changed_cells", counts.changed)
    if cells != counts.changed:  # some of them more than once
        parts[parts.index(format_count(counts.changed, "changed"))] = (
            f"{cells:,} cells changed, {counts.changed:,} times in all"
        )
    if counts.soft_masks_asked:
        parts.append(f"{counts.soft_masks_met:,} of {counts.soft_masks_asked:,} soft masks met")
    return ", ".join([*parts, f"{counts.seconds * 1e3:.1f} ms"])


def format_count(number: int, noun: str) -> str:
    """`1 grid`, `2 grids`."""
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def count_mismatches(
    rules: Rules, moves: tuple[Cell, ...], patterns: Mapping[Cell, int], dropped: Iterable[Cell]
) -> int:
    """How many sides of these cells do not fit; a side between two of them counts once."""
    torn = set()
    for x, y in dropped:
        for direction, (dx, dy) in enumerate(moves):
            other = (x + dx, y + dy)
            if other in patterns and not rules.allows(direction, patterns[x, y])[patterns[other]]:
                torn.add(frozenset(((x, y), other)))
    return len(torn)
