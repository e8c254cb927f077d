"""The result of a solve: a finished map or an unfinished wave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import single_patterns, unpack_bits
from wavefold.options.names import CellLike, Show
from wavefold.options.values import format_count
from wavefold.plugins import upward
from wavefold.plugins.map_formats import find_writer
from wavefold.plugins.registry import find_plugin
from wavefold.solver.budget import Budget
from wavefold.solver.engine.events import Batch
from wavefold.solver.problem import Problem
from wavefold.solver.refine.refine import refine
from wavefold.solver.shares import Shares
from wavefold.solver.statistics import Statistics
from wavefold.tiles.objects import PlacedObject, list_objects

if TYPE_CHECKING:  # takes long to import
    from PIL import Image


class DrawOptions(TypedDict, total=False):
    """The options of pictures of maps; see `render.draw`."""

    scale: int
    tile_size: int | None
    layers: bool
    show: Show
    conflicts: Iterable[CellLike]
    objects: bool


class MapOutput:
    """Pictures and files of a map, finished or not."""

    _write = "write"  # the entry of a `MapFormat`

    @overload
    def image(self, renderer: Show = "tiles", **options: Unpack[DrawOptions]) -> Image.Image: ...

    @overload
    def image(self, renderer: str, **options: object) -> Image.Image: ...

    def image(self, renderer: str = "tiles", **options: object) -> Image.Image:
        """A Pillow image, drawn by the renderer of this name; the options are those of `render.draw`."""
        from PIL.Image import Image as Picture

        plugin = find_plugin("renderer", renderer)
        picture: Picture = plugin.load()(self, **options)
        plugin.check_result(picture, Picture)
        return picture

    def save(self, path: str | PathLike[str], **options: object) -> None:
        """Write the map; the path's ending chooses the format, and the format what options there are."""
        find_writer(path, self._write)(self, path, **options)

    def _repr_png_(self) -> bytes | None:
        return upward.preview(self)


@dataclass(eq=False, repr=False)
class Solution(MapOutput):
    """A valid map."""

    problem: Problem
    patterns: NDArray[np.int64]  # [cell], in the topology's order
    stats: Statistics  # counts of the search
    seed: int = 0
    origin: tuple[int, ...] | None = None  # where cell (0, 0) lies in the world the map was cut from
    provisional: bool = False  # the time was up before all sweeps of refining were done

    def __repr__(self) -> str:
        decisions = format_count(self.stats.decisions, "decisions")
        return f"Solution({self.patterns.size} cells, seed {self.seed}, {decisions})"

    @cached_property
    def array(self) -> NDArray[np.int64]:
        """`patterns` as [row, column] or [layer, row, column]; -1 where the topology has no cell."""
        return self.problem.topology.to_array(self.patterns, missing=-1)

    @cached_property
    def values(self) -> NDArray[np.object_]:
        """The tile of each cell, or the value it was learned from; shaped like `array`, [cell] on graphs."""
        rules = self.problem.rules
        if rules.values is None:
            names = np.array([rules.tiles[tile] for tile in rules.tile_of], object)
        else:
            names = np.empty(len(rules), object)
            names[:] = rules.values
        chosen = names[self.patterns]
        if self.problem.topology.shape is None:
            return chosen
        return self.problem.topology.to_array(chosen, missing=None)

    @cached_property
    def objects(self) -> list[PlacedObject]:
        """The objects on the map, in the order of its cells; none, if the tile set has none."""
        problem = self.problem
        return list_objects(problem.tiles, problem.topology, self.patterns, self.seed, self.origin)

    def refine(
        self,
        sweeps: int,
        *,
        shares: Shares | None = None,
        calibrate: bool = True,
        seed: int = 0,
        budget: Budget | int | None = None,
        progress: Callable[[int, int], None] | None = None,
        listener: Callable[[Batch], object] | None = None,
    ) -> Solution:
        """This map, refined: windows are solved again until tiles are as frequent as their weights say.

        The result is valid, and so is every map on the way; pins, masks and constraints hold.

        Parameters
        ----------
        sweeps : how often to go over the map; in each sweep every cell is proposed twice on average
        shares : how much of the map should be which tile; by default, as much as the weights say
        calibrate : correct for tiles that are easy or hard to place, by the activities stored with the set or
            else after each sweep; False: draw maps by the product of their weights, which common tiles
            then dominate
        budget : milliseconds or decisions, which are proposed cells here. Decisions end it after a whole
            sweep; if the time is up, the map after the last whole sweep comes back, marked `provisional`
        progress : called after each sweep with the number of sweeps done and of all
        listener : called after each sweep with the cells it replaced, a batch as of `Solver.listen`
        """
        started = perf_counter()
        found = refine(
            self.problem, self.patterns, sweeps, shares, calibrate, seed, budget, progress, listener
        )
        seconds = {**self.stats.seconds, "refining": perf_counter() - started}
        return replace(
            self,
            patterns=found.patterns,
            stats=replace(self.stats, refinement=found.refinement, seconds=seconds),
            provisional=self.provisional or found.is_cut_short,
        )

    def usage(self) -> Counter[str]:
        """How many cells have each tile; a sum over several maps is what `Heuristics(priors=…)` takes."""
        rules = self.problem.rules
        counts = np.bincount(rules.tile_of[self.patterns], minlength=len(rules.tiles))
        return Counter(dict(zip(rules.tiles, counts.tolist(), strict=True)))


class Partial(MapOutput):
    """The wave of an unfinished map: what each cell could still be."""

    _write = "write_partial"

    def __init__(self, problem: Problem, words: NDArray[np.uint64]) -> None:
        self.problem = problem
        self.words = words.reshape(problem.cell_count, -1)

    def __repr__(self) -> str:
        return f"Partial({int((self.patterns >= 0).sum())} of {self.problem.cell_count} cells decided)"

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """bool [cell, pattern]."""
        return unpack_bits(self.words, len(self.problem.rules))

    @cached_property
    def patterns(self) -> NDArray[np.int64]:
        """int64 [cell]; -1 where the cell is undecided."""
        return single_patterns(self.words)

    def domain(self, cell: CellLike) -> list[str]:
        """The names of the patterns a cell may still be."""
        flags = self.possible[self.problem.cell(cell)]
        return [self.problem.rules.names[pattern] for pattern in np.flatnonzero(flags)]


Map: TypeAlias = Solution | Partial
