"""Wide samples: learned sets with hundreds and thousands of patterns, and pictures with too many colours."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from benchmarks.data import DATA_VARIABLE, Setup
from benchmarks.figures import PATIENCE, Attempts, FigureSection, least_times, measure_time, run_on
from benchmarks.peers import scale_peer
from wavefold.errors import TileSetWarning
from wavefold.solver import Problem
from wavefold.tiles import LearnedTileSet, learn
from wavefold.tiles.learning.samples import find_sample_path
from wavefold.topology import SquareGrid

PICTURE_SIDE = 96


class WideSample(NamedTuple):
    """A sample with many patterns, and how long the fastest public engine took on one like it."""

    sample: str
    n: int
    patterns: int
    side: int
    wraps: bool
    peer_ns: float  # per removal: 1,923 ms for 2,468 patterns on 70x70 cells, and so on
    goal: str


PUBLIC = (
    WideSample("Skyline", 5, 2_482, 70, True, 159, ">= 3.8"),
    WideSample("LessRooms", 4, 454, 60, True, 97, ">= 3"),
    WideSample("Link", 4, 305, 90, False, 83, ">= 2.9"),
    WideSample("Office", 4, 315, 90, False, 79, ">= 3"),
    WideSample("Flowers", 3, 258, 48, False, 83, ">= 4"),
    WideSample("Dungeon", 4, 209, 48, False, 83, ">= 4"),
    WideSample("Knot", 4, 179, 48, False, 83, ">= 4"),
)
BUNDLED = (
    WideSample("islands", 5, 2_414, 70, True, 159, ""),
    WideSample("tartan", 3, 448, 60, True, 97, ""),
    WideSample("islands", 3, 304, 90, False, 83, ""),
    WideSample("metro", 3, 351, 90, False, 79, ""),
    WideSample("kilim", 4, 232, 48, False, 83, ""),
)
WIDE_HOW = (
    "least processor time over seeds, in turns, of Solver(problem, seed, 'entropy').run() on a ready "
    "problem, symmetry 8; removal: of a pattern from a cell; ac4: the same map by counters; C++: fast-wfc on "
    "a sample as wide, on another machine of this kind, per removal; first / later: order 'auto', on a new "
    "problem and on a ready one"
)


def wide_samples(setup: Setup) -> FigureSection:
    """Learned samples with hundreds and thousands of patterns."""
    section = FigureSection("wide", "Waiting: wide samples", WIDE_HOW)
    if setup.data is None:
        section.remarks.append(
            f"public samples NOT measured (name their folder in {DATA_VARIABLE}): ours stand in"
        )
    for case, tiles in load_wide(setup):
        compare_wide(section, case, tiles, range(setup.effort.sweep_seeds))
    return section


def load_wide(setup: Setup) -> Iterator[tuple[WideSample, LearnedTileSet]]:
    """The public samples, else bundled ones, with at most as many patterns as the effort allows."""
    folder = None if setup.data is None else setup.data / "mxgmn" / "samples"
    for case in BUNDLED if folder is None else PUBLIC:
        if case.patterns <= setup.effort.widest_sample:
            source = case.sample if folder is None else folder / f"{case.sample}.png"
            yield case, learn(source, case.n, symmetry=8)


def compare_wide(section: FigureSection, case: WideSample, tiles: LearnedTileSet, seeds: range) -> None:
    """One sample: our method, the older one, and the first map with order "auto" against later ones."""
    grid = SquareGrid(case.side, case.side, wraps=case.wraps)
    problem = Problem(tiles, grid)
    contestants = {
        "run": run_on(problem, order="entropy"),
        "ac4": run_on(problem, order="entropy", propagation="ac4"),
        "first": run_on(lambda: Problem(tiles, grid)),
        "later": run_on(problem),
    }
    least = least_times(contestants, seeds)
    row = f"{case.sample} N={case.n}, {len(tiles):,} patterns, {case.side}x{case.side}"
    removal_ns = least["run"] * 1e6 / (grid.cell_count * max(1, len(tiles) - 1))
    section.add(row, "run", least["run"], "ms")
    section.add(row, "per removal", removal_ns, "ns")
    section.add(row, "ac4 / run", least["ac4"] / least["run"], "x", ">= 2")
    section.add(row, "C++ / run", scale_peer(case.peer_ns) / removal_ns, "x", case.goal)
    section.add(row, "first / later", least["first"] / least["later"], "x", "<= 1.3")


PICTURE_HOW = (
    f"a bundled sample enlarged to {PICTURE_SIDE}x{PICTURE_SIDE} with smooth edges, N=3: processor time of "
    "learning and of a map of 48x48; all colours: every shade is a colour of its own"
)


def smooth_pictures(setup: Setup) -> FigureSection:
    """An antialiased picture, unchanged and with few colours."""
    section = FigureSection("pictures", "Waiting: antialiased pictures", PICTURE_HOW)
    if not setup.effort.smooth_pictures:
        return section.skip("a quick run does not learn ten thousand patterns")
    picture = (
        Image.open(find_sample_path("islands"))
        .convert("RGB")
        .resize((PICTURE_SIDE, PICTURE_SIDE), Image.Resampling.BICUBIC)
    )
    pixels, seconds = np.asarray(picture), {}
    for row, colours in (("all colours", None), ("colours=16", 16)):
        learning, tiles = measure_time(partial(learn_quietly, pixels, colours))
        solving = Attempts().run(Problem(tiles, SquareGrid(48, 48)), 1, PATIENCE)
        seconds[row] = (learning + solving) / 1e3
        section.add(row, "patterns", len(tiles))
        section.add(row, "learning and a map", seconds[row], "s", "<= 10")
    section.add("all colours", "times colours=16", seconds["all colours"] / seconds["colours=16"], "x")
    return section


def learn_quietly(pixels: NDArray[np.uint8], colours: int | None) -> LearnedTileSet:
    """Learn without the warning that the picture has too many colours: here it is on purpose."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TileSetWarning)
        return learn(pixels, 3, symmetry=8, colours=colours)
