"""A valid map of any size from a certificate: its base repeated, with strips where a wrapped axis needs them.

If the base's period does not divide a wrapped axis, the base meets itself out of phase. A *strip* across that
axis changes the phase: as wide as the remainder plus some periods, the base on both sides of it, repeating
along the border with the base. Strips of two axes cross; so the crossing is found last. All this is done on a
small torus of one period and the strips, which is then stretched by more periods.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from wavefold.kernels.host.checkpoint import checkpoint
from wavefold.solver.search.certificate import (
    Certificate,
    FinishedSizes,
    PatternMask,
    find_certificate,
    plane_problem,
)
from wavefold.solver.search.ladder import SEARCHES
from wavefold.solver.search.region import ENTROPY, Region, RegionSolver
from wavefold.storage.cache import BoundedCache
from wavefold.tiles import Rules
from wavefold.topology import Lattice, box

DECISIONS = 4_000  # for a strip or a crossing
WIDEST = 12  # cells of a strip
MULTIPLES = (1, 2, 3)  # of the base that are tried: strips of a longer period are easier to find
KEPT = 64  # certificates and tori in memory

BaseGrid = NDArray[np.int64]  # [row, column] or [layer, row, column]

_certificates: BoundedCache[Certificate] = BoundedCache(KEPT)
_finished_sizes: BoundedCache[FinishedSizes] = BoundedCache(KEPT)  # of certificates that a budget ended
_tori: BoundedCache[tuple[BaseGrid, BaseGrid] | None] = BoundedCache(KEPT)


def known_certificate(rules: Rules, permitted: PatternMask | None) -> Certificate:
    """The certificate of rules, with only the permitted patterns; computed once per process."""
    name = name_rules(rules, permitted)
    finished = _finished_sizes.get(name, dict)
    return _certificates.get(name, lambda: find_certificate(rules, permitted=permitted, finished=finished))


def name_rules(rules: Rules, permitted: PatternMask | None) -> tuple[str, bytes]:
    """What decides which maps repeat."""
    return rules.digest, b"" if permitted is None else permitted.tobytes()


def build_witness(
    rules: Rules, base: BaseGrid, grid: Lattice, permitted: PatternMask | None
) -> BaseGrid | None:
    """[cell] the patterns of a map that keeps the rules; None if no strips were found."""
    wraps = np.broadcast_to(grid.wraps, len(grid.shape))[::-1]  # axes of arrays run the other way
    spans = tuple(span if wrap else 0 for span, wrap in zip(grid.shape, wraps, strict=True))
    name = (*name_rules(rules, permitted), base.shape, spans)
    found = _tori.get(name, lambda: find_torus(rules, base, spans, permitted))
    if found is None:
        return None
    torus, base = found
    coordinates = np.asarray(grid.coordinates)[:, ::-1].T
    at = [
        stretch(axis, span, period, length - period)
        for axis, span, period, length in zip(coordinates, spans, base.shape, torus.shape, strict=True)
    ]
    return np.asarray(torus[tuple(at)])


def stretch(axis: BaseGrid, span: int, period: int, width: int) -> BaseGrid:
    """[cell] where in the torus a coordinate lies: in the base, or in the strip at the end of the axis."""
    in_strip = axis - (span - width)
    return np.where((in_strip >= 0) & (width > 0), period + in_strip, axis % period)


def find_torus(
    rules: Rules, base: BaseGrid, spans: tuple[int, ...], permitted: PatternMask | None
) -> tuple[BaseGrid, BaseGrid] | None:
    """A torus that can be stretched to these spans (0: the axis is open), and the base it consists of."""
    for multiple in MULTIPLES:
        larger = np.tile(base, [multiple] * base.ndim)
        for widths in strip_widths(larger.shape, spans):
            torus = join_strips(rules, larger, widths, permitted)
            if torus is not None:
                return torus, larger
    return None


def strip_widths(periods: tuple[int, ...], spans: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Widths of the strips of all axes, narrow ones first; 0 where no strip is needed."""
    choices = []
    for period, span in zip(periods, spans, strict=True):
        remainder = span % period
        widest = min(WIDEST + remainder, span - period)
        choices.append(range(remainder, widest + 1, period) if remainder else (0,))
    yield from sorted(product(*choices), key=lambda widths: (max(widths), widths))


def join_strips(
    rules: Rules, base: BaseGrid, widths: tuple[int, ...], permitted: PatternMask | None
) -> BaseGrid | None:
    """A torus of one period of the base and these strips; None if some strip or crossing was not found."""
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
    """Solve the cells of a torus that are -1, the others fixed."""
    checkpoint()
    problem = plane_problem(rules, box(rules.topology, *part.shape[::-1], wraps=True), permitted)
    patterns = part.ravel()
    fixed = np.flatnonzero(patterns >= 0)
    region = Region(fixed=(fixed, patterns[fixed]))
    found = RegionSolver(problem).solve(region, ENTROPY, 0, SEARCHES["exact"], DECISIONS).patterns
    return None if found is None else found.astype(np.int64).reshape(part.shape)
