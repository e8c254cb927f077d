"""The witness rung: a valid map of repeated tiles, solved again window by window.

If the period of the base does not divide the span of a wrapped axis, the two ends do not fit. A *strip* then
joins them: it is as wide as the remainder plus some periods, and repeats along its border with the base.
Strips of two axes cross, and their crossing is solved last. Strips are solved on a small torus of one period
and the strips, which is then stretched by more periods.

A window without another solution keeps its content. So the map is valid after every window, and the time is
proportional to the number of cells. As in local repairs, the engine of the whole map solves the windows, with
its pins, masks, weights, constraints, order and budget.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.bitsets import has_bit, single_bits, unpack_bits
from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.kernels.host.seeding import mix
from wavefold.solver.engine.cell_queue import WindowOrder
from wavefold.solver.engine.engine import Engine
from wavefold.solver.engine.local_repair import LocalRepair
from wavefold.solver.engine.root import Root
from wavefold.solver.search.certificate import (
    Certificate,
    FinishedSizes,
    PatternMask,
    build_plane_problem,
    find_certificate,
)
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Region, RegionSolver
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules
from wavefold.topology import Lattice, make_box

MOST_DECISIONS = 4_000  # for a strip or a crossing
MOST_STRIP_CELLS = 12  # across a strip, beyond the remainder
MULTIPLES = (1, 2, 3)  # of the period that are tried: strips of a longer period are easier to find
MOST_CACHED = 64  # certificates, and tori
PATIENCE = 24  # conflicts without progress until a window fails
ATTEMPTS = 3  # for each window
WINDOW_CELLS = 256
OFFSETS = ((0.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.75, 0.25, 0.0), (0.25, 0.75, 0.5))  # of windows, by pass
SAMPLED_CELLS = 1024  # to find out which patterns most cells may have
RADII = (2, 4, 8, 16)  # of free cells around a pin, so that it can be met

BaseGrid = NDArray[np.int64]  # [row, column] or [layer, row, column]

_certificates: BoundedCache[Certificate] = BoundedCache(MOST_CACHED)
_finished_sizes: BoundedCache[FinishedSizes] = BoundedCache(MOST_CACHED)  # of unfinished certificates
_tori: BoundedCache[tuple[BaseGrid, BaseGrid] | None] = BoundedCache(MOST_CACHED)

WindowCells = NDArray[np.int32]  # numbers of cells


def find_known_certificate(rules: Rules, permitted: PatternMask | None) -> Certificate:
    """Return the certificate of the rules with only the permitted patterns; computed once per process."""
    key = torus_cache_key(rules, permitted)
    finished = _finished_sizes.get(key, dict)
    return _certificates.get(key, lambda: find_certificate(rules, permitted=permitted, finished=finished))


def torus_cache_key(rules: Rules, permitted: PatternMask | None) -> tuple[str, bytes]:
    """Return a key of everything that repeating maps depend on."""
    return rules.digest, b"" if permitted is None else permitted.tobytes()


def build_witness(
    rules: Rules, base: BaseGrid, grid: Lattice, permitted: PatternMask | None
) -> BaseGrid | None:
    """Build a valid map [cell] from the base; None if no strips were found."""
    wraps = np.broadcast_to(grid.wraps, len(grid.shape))[::-1]  # axes of arrays run the other way
    spans = tuple(span if wrap else 0 for span, wrap in zip(grid.shape, wraps, strict=True))
    key = (*torus_cache_key(rules, permitted), base.shape, spans)
    found = _tori.get(key, lambda: find_torus(rules, base, spans, permitted))
    if found is None:
        return None
    torus, base = found
    coordinates = np.asarray(grid.coordinates)[:, ::-1].T
    at = [
        stretch_axis(axis, span, period, length - period)
        for axis, span, period, length in zip(coordinates, spans, base.shape, torus.shape, strict=True)
    ]
    return np.asarray(torus[tuple(at)])


def stretch_axis(axis: BaseGrid, span: int, period: int, width: int) -> BaseGrid:
    """Map coordinates [cell] of an axis to the torus: to the base, or to the strip at the end."""
    in_strip = axis - (span - width)
    return np.where((in_strip >= 0) & (width > 0), period + in_strip, axis % period)


def find_torus(
    rules: Rules, base: BaseGrid, spans: tuple[int, ...], permitted: PatternMask | None
) -> tuple[BaseGrid, BaseGrid] | None:
    """Find a torus that can be stretched to these spans, and its base; a span of 0 is an open axis."""
    for multiple in MULTIPLES:
        larger = np.tile(base, [multiple] * base.ndim)
        for widths in list_strip_widths(larger.shape, spans):
            torus = join_strips(rules, larger, widths, permitted)
            if torus is not None:
                return torus, larger
    return None


def list_strip_widths(periods: tuple[int, ...], spans: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield widths of the strips of all axes, narrow ones first; 0 where no strip is needed."""
    choices = []
    for period, span in zip(periods, spans, strict=True):
        remainder = span % period
        widest = min(MOST_STRIP_CELLS + remainder, span - period)
        choices.append(range(remainder, widest + 1, period) if remainder else (0,))
    yield from sorted(product(*choices), key=lambda widths: (max(widths), widths))


def join_strips(
    rules: Rules, base: BaseGrid, widths: tuple[int, ...], permitted: PatternMask | None
) -> BaseGrid | None:
    """Build a torus of one period of the base and these strips; None if a strip or crossing is not found."""
    torus = np.full([period + width for period, width in zip(base.shape, widths, strict=True)], -1)
    torus[tuple(slice(period) for period in base.shape)] = base
    axes = [axis for axis, width in enumerate(widths) if width]
    for count in range(1, len(axes) + 1):
        for crossing in combinations(axes, count):
            cut = tuple(slice(None if axis in crossing else period) for axis, period in enumerate(base.shape))
            part = fill_torus(rules, torus[cut], permitted)
            if part is None:
                return None
            torus[cut] = part
    return torus


def fill_torus(rules: Rules, part: BaseGrid, permitted: PatternMask | None) -> BaseGrid | None:
    """Solve the cells of a torus that are -1, with the others fixed."""
    checkpoint()
    problem = build_plane_problem(rules, make_box(rules.topology, *part.shape[::-1], wraps=True), permitted)
    patterns = part.ravel()
    fixed = np.flatnonzero(patterns >= 0)
    region = Region(fixed=(fixed, patterns[fixed]))
    found = RegionSolver(problem).solve(region, ENTROPY, 0, SEARCHES["exact"], MOST_DECISIONS).patterns
    return None if found is None else found.astype(np.int64).reshape(part.shape)


class WitnessRung:
    """The witness rung of one search. Call `lay_out`, then `next_window` after each solution.

    problem : why `lay_out` failed
    unmet : the number of cells in which the repeated map violates pins or masks
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.local_repair = LocalRepair(engine)
        self.problem = ""
        self.unmet = 0
        self.in_window = False
        self._words = np.zeros(0, np.uint64)  # of the map before the window was opened
        self._windows: Iterator[WindowCells] = iter(())
        self._cells = np.zeros(0, np.int32)  # of the window
        self._order: WindowOrder
        self._attempts = 0

    def lay_out(self, seed: int) -> bool:
        """Start the engine from the repeated map. Returns False if there is none; see `problem`."""
        start = self._find_start()
        if start is None:
            return False
        self._engine.begin(seed, PATIENCE, start=start)
        self._windows, self._order = self._list_windows(), WindowOrder(self._engine)
        self.in_window = False
        return True

    def next_window(self, seed: int) -> WindowCells | None:
        """Un-decide the next window; returns its cells, or None after the last window."""
        engine = self._engine
        if not self._words.size:
            self._words = engine.wave.words.copy()
        elif self.in_window:
            self._copy_words(engine.wave.words, self._words)
        self.in_window = False
        cells = next(self._windows, None)
        if cells is None:
            self._order.end()
            return None
        self._cells, self._attempts = cells, 1
        return self._open(seed)

    def retry_window(self, seed: int) -> WindowCells | None:
        """Un-decide a failed window again, or restore its old content; returns its cells.

        Returns None if a pin that was added since excludes the old content.
        """
        self.local_repair.leave_conflict()
        if self._attempts < ATTEMPTS:
            self._attempts += 1
            return self._open(seed)
        self.in_window = False
        if not self._fits_root():
            return None
        self.local_repair.undecide(self._cells, self._words)
        return self._cells

    def _open(self, seed: int) -> WindowCells:
        """Un-decide the window. After the first attempt, a fixed order goes from the rim inwards."""
        cells = self._cells
        if self._attempts > 1:
            middle = cells[mix(seed, int(cells[0]), self._attempts) % cells.size]
            cells = self._from_afar(cells, int(middle))
        self._order.begin(cells, by_rank=self._attempts == 1)
        self.local_repair.undecide(self._cells)
        self.in_window = True
        return self._cells

    def _from_afar(self, cells: WindowCells, middle: int) -> WindowCells:
        """Sort cells by distance from one of them, farthest first; ignores that the map may wrap."""
        grid = self._grid
        offsets = grid.coordinates[cells].astype(np.int64) - grid.coordinates[middle]
        return cells[np.argsort(-grid.squared_length(*offsets.T), kind="stable")]

    def _copy_words(self, source: NDArray[np.uint64], target: NDArray[np.uint64]) -> None:
        """Copy the words of the window's cells."""
        width, size = self._engine.width, self._engine.problem.cell_count
        cut = np.s_[: size * width]
        target[cut].reshape(size, width)[self._cells] = source[cut].reshape(size, width)[self._cells]

    def _fits_root(self) -> bool:
        width = self._engine.width
        words = self._words[: self._engine.problem.cell_count * width].reshape(-1, width)
        return bool((words[self._cells] & self._engine.root_domains[self._cells]).any(axis=1).all())

    # --- the repeated map ------------------------------------------------------------------------

    @property
    def _grid(self) -> Lattice:
        grid = self._engine.problem.topology
        assert isinstance(grid, Lattice)
        return grid

    def _find_start(self) -> Root | None:
        """Build the wave to start from; None, with the reason in `problem`, if that is not possible."""
        engine, rules = self._engine, self._engine.problem.rules
        if not isinstance(engine.problem.topology, Lattice) or self._grid.side_sets:
            self.problem = "only maps with rows and columns can repeat"
            return None
        permitted = self._find_permitted()
        checkpoint()  # each of these steps takes long on a large map
        certificate = find_known_certificate(rules, permitted)
        if certificate.base is None:
            which = "tiles" if permitted is None else "tiles that pins and masks allow in most cells"
            self.problem = f"the {which} have no certificate ({certificate})"
            return None
        patterns = build_witness(rules, certificate.base, self._grid, permitted)
        if patterns is None:
            size = " x ".join(map(str, certificate.size))
            self.problem = (
                f"a map that repeats every {size} cells does not fit this size, and no strip was found"
            )
            return None
        checkpoint()
        return self._meet_root(patterns)

    def _find_permitted(self) -> PatternMask | None:
        """Find the patterns that most cells may have; None if these are all patterns."""
        domains = self._engine.root_domains
        sampled = domains[:: max(1, len(domains) // SAMPLED_CELLS)]
        flags = unpack_bits(sampled, len(self._engine.problem.rules)).mean(axis=0) >= 0.5
        return None if flags.all() else flags

    def _meet_root(self, patterns: NDArray[np.int64]) -> Root | None:
        """Build the root of the repeated map, with free cells around those that violate pins or masks."""
        engine = self._engine
        cells = np.arange(patterns.size)
        clash = cells[~has_bit(engine.root_domains, cells, patterns)]
        self.unmet = clash.size
        words = single_bits(patterns, engine.width)
        checkpoint()
        for radius in RADII if clash.size else (0,):
            free = self.local_repair.list_around(clash, radius) if clash.size else clash
            start = words.copy()
            start[free] = engine.root_domains[free]
            found = engine.root_of(start)
            if found.empty_cell < 0:
                return found
        self.problem = "the repeated map cannot be changed to meet all pins and masks"
        return None

    # --- windows -----------------------------------------------------------------------------------

    def _list_windows(self) -> Iterator[WindowCells]:
        """Yield the cells of each window, in several passes that divide the map at different places."""
        grid = self._grid
        number = grid.to_array(np.arange(grid.cell_count, dtype=np.int32), missing=-1)
        wraps = np.broadcast_to(grid.wraps, number.ndim)[::-1]
        side = round(WINDOW_CELLS ** (1 / number.ndim))
        for offsets in OFFSETS:
            cuts = [
                cut_axis(span, bool(wrap), side, round(offset * side))
                for span, wrap, offset in zip(number.shape, wraps, offsets, strict=False)
            ]
            for indices in product(*cuts):
                cells = number[np.ix_(*indices)].ravel()
                cells = cells[cells >= 0]
                if cells.size:
                    yield cells


def cut_axis(span: int, wraps: bool, side: int, offset: int) -> list[NDArray[np.int64]]:
    """Divide an axis into pieces of equal length, as indices; pieces of a wrapped axis may cross its end."""
    if wraps:
        return np.array_split((np.arange(span) + offset) % span, max(1, round(span / side)))
    return [piece for piece in np.split(np.arange(span), range(offset, span, side)) if piece.size]
