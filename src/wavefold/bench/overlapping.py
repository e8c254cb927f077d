"""Overlapping samples in entropy order, against the fastest of other engines."""

from __future__ import annotations

from wavefold.bench.attempts import attempts, fresh_attempts
from wavefold.bench.figures import Section
from wavefold.bench.peers import SOURCE, fastest_peer
from wavefold.bench.samples import Sample, read_samples
from wavefold.bench.setup import DATA_VARIABLE, Setup

NAMES = ("Skyline", "Flowers", "City")
GOALS = {48: ">= 2", 256: ">= 3"}  # times as fast as the fastest peer
HOW = (
    "processor time of Solver(problem, seed, order='entropy', search='repair').run() on a ready problem, "
    "median over the seeds that succeeded (backtracking and local repair, no restarts, default budget); "
    "new problem: the mask, Problem and Solver made for each map; peers: " + SOURCE
)


def samples_against_peers(setup: Setup) -> Section:
    """Each sample at each size."""
    section = Section("samples", "Overlapping samples, N = 3, entropy order", HOW)
    if setup.data is None:
        return section.skip(f"no sample pictures: name the folder of public data in {DATA_VARIABLE}")
    samples = {sample.name: sample for _, sample in read_samples(setup.data)}
    for name in NAMES:
        for side, seeds in setup.effort.sample_seeds.items():
            measure_sample(section, samples[name], side, range(seeds))
    return section


def measure_sample(section: Section, sample: Sample, side: int, seeds: range) -> None:
    """One sample at one size."""
    ready = attempts(sample.problem(side), seeds, order="entropy", search="repair")
    few = seeds[: max(1, len(seeds) // 3)]
    fresh = fresh_attempts(lambda: sample.problem(side), few, order="entropy", search="repair")
    row = f"{sample.name} {side}x{side}, {len(sample.tiles)} patterns"
    section.add(row, "whole run", ready.median_ms, "ms")
    section.add(row, "new problem", fresh.median_ms, "ms")
    if peer := fastest_peer(sample.name, side):
        engine, ms = peer
        section.add(row, "fastest peer", ms, "ms", how=f"{engine}; {SOURCE}")
        section.remarks.append(f"fastest peer, {sample.name} {side}x{side}: {engine}")
        section.add(row, "peer / run", ms / ready.median_ms, "x", GOALS.get(side, ""))
        section.add(row, "peer / new problem", ms / fresh.median_ms, "x")
    section.add(row, "failed", ready.failed, f"of {len(seeds)} runs")
    section.add(row, "with backtracks", ready.needing("backtracks"), f"of {len(seeds)} runs")
    section.add(row, "with repairs", ready.needing("repairs"), f"of {len(seeds)} runs")
    section.add(row, "violations", ready.violations(), "", "= 0")
