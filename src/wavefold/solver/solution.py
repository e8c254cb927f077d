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


class SaveOptions(DrawOptions, total=False):
    """The options of the formats of maps, of which each takes some; pictures take those of `render.draw`."""

    renderer: Show | str
    unused: bool | None
    infinite: bool | None
    tiles: object  # `SharedTiles`
    step: float
    timings: bool


class MapOutput:
    """Pictures and files of a map, finished or not."""

    _write = "write"  # the entry of a `MapFormat`

    @overload
    def image(self, renderer: Show = "tiles", **options: Unpack[DrawOptions]) -> Image.Image: ...

    @overload
    def image(self, renderer: str, **options: object) -> Image.Image: ...

    def image(self, renderer: str = "tiles", **options: object) -> Image.Image:
        """Draw the map as a Pillow image with a named renderer; the options are those of `render.draw`."""
        from PIL.Image import Image as Picture

        plugin = find_plugin("renderer", renderer)
        picture: Picture = plugin.load()(self, **options)
        plugin.check_result(picture, Picture)
        return picture

    @overload
    def save(self, path: str | PathLike[str], **options: Unpack[SaveOptions]) -> None: ...

    @overload
    def save(self, path: str | PathLike[str], **options: object) -> None: ...

    def save(self, path: str | PathLike[str], **options: object) -> None:
        """Write the map in the format of the file ending; the options depend on the format."""
        find_writer(path, self._write)(self, path, **options)

    def _repr_png_(self) -> bytes | None:
        return upward.draw_preview(self)


@dataclass(eq=False, repr=False)
class Solution(MapOutput):
    """A valid map."""

    problem: Problem
    patterns: NDArray[np.int64]  # [cell], in the topology's order
    stats: Statistics  # counts of the search
    seed: int = 0
    origin: tuple[int, ...] | None = None  # the position of cell (0, 0) in the world the map was cut from
    provisional: bool = False  # whether a time limit ended refining early

    def __repr__(self) -> str:
        decisions = format_count(self.stats.decisions, "decisions")
        return f"Solution({self.patterns.size} cells, seed {self.seed}, {decisions})"

    @cached_property
    def array(self) -> NDArray[np.int64]:
        """`patterns` as [row, column] or [layer, row, column]; -1 where the topology has no cell."""
        return self.problem.topology.to_array(self.patterns, missing=-1)

    @cached_property
    def values(self) -> NDArray[np.object_]:
        """The tile name or learned value of each cell; shaped like `array`, [cell] on graphs."""
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
        """The objects on the map, in cell order."""
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
        """Return a refined copy: windows are solved again until tile frequencies match the weights.

        Every intermediate map is valid, and satisfies pins, masks and constraints.

        Parameters
        ----------
        sweeps : the number of passes over the map; each proposes every cell twice on average
        shares : the target share of each tile; by default, given by the weights
        calibrate : whether to correct for tiles that are easy or hard to place, by activities. They start
            from those stored with the tile set and are corrected after each sweep. If False, the probability
            of a map is the product of its weights, and common tiles dominate
        budget : limits milliseconds or decisions (here: proposed cells). A limit on decisions is checked
            after each sweep. When the time is up, the map after the last whole sweep is returned, marked
            `provisional`
        progress : called after each sweep with the number of finished sweeps and of all sweeps
        listener : called after each sweep with the replaced cells, a batch as in `Solver.listen`
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
        """Count the cells of each tile. Sums over several maps can be passed as `Heuristics(priors=…)`."""
        rules = self.problem.rules
        counts = np.bincount(rules.tile_of[self.patterns], minlength=len(rules.tiles))
        return Counter(dict(zip(rules.tiles, counts.tolist(), strict=True)))


class Partial(MapOutput):
    """An unfinished map: the remaining patterns of each cell."""

    _write = "write_partial"

    def __init__(self, problem: Problem, words: NDArray[np.uint64]) -> None:
        self.problem = problem
        self.words = words.reshape(problem.cell_count, -1)

    def __repr__(self) -> str:
        return f"Partial({int((self.patterns >= 0).sum())} of {self.problem.cell_count} cells decided)"

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """bool [cell, pattern]: the remaining patterns."""
        return unpack_bits(self.words, len(self.problem.rules))

    @cached_property
    def patterns(self) -> NDArray[np.int64]:
        """int64 [cell]: the pattern of each cell; -1 where undecided."""
        return single_patterns(self.words)

    def domain(self, cell: CellLike) -> list[str]:
        """Return the names of the remaining patterns of a cell."""
        flags = self.possible[self.problem.cell(cell)]
        return [self.problem.rules.names[pattern] for pattern in np.flatnonzero(flags)]


Map: TypeAlias = Solution | Partial
