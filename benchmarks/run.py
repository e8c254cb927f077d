"""The whole benchmark: each section in turn, then everything to a file."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from benchmarks import (
    bundled,
    constrained,
    looks,
    maps,
    parts,
    peers,
    propagations,
    reference,
    start,
    waiting,
    wide_samples,
    worlds,
)
from benchmarks.data import Setup
from benchmarks.figures import FigureSection
from wavefold._version import __version__
from wavefold.kernels.units import COMPILED
from wavefold.storage.files import check_writable, write_atomically

SECTIONS: tuple[Callable[[Setup], FigureSection], ...] = (
    reference.against_reference,
    peers.samples_against_peers,
    bundled.bundled_maps,
    maps.growth_with_size,
    maps.hex_maps,
    worlds.endless_worlds,
    reference.worlds_against_reference,
    worlds.measure_patchworks,
    parts.tables_or_predicate,
    parts.arrays_or_objects,
    parts.propagation_or_neighbours,
    parts.delta_or_snapshot,
    propagations.propagations_side_by_side,
    propagations.methods_by_shape,
    wide_samples.wide_samples,
    wide_samples.smooth_pictures,
    waiting.hard_maps,
    waiting.budgets_that_hold,
    constrained.costs_of_constraints,
    looks.looks_of_orders,
    looks.goals_of_refining,
    looks.borders_of_worlds,
    maps.no_allocation,
    start.measure_small_maps,
    start.measure_start,
)


def main(against: str | None, output: str, quick: bool) -> int:
    """Measure this machine's solver, print tables of figures beside their goals, write them as JSON.

    A slow machine may miss goals; what must hold on any machine (every goal "= 0") decides the exit code.
    """
    setup = Setup.load(against, quick)
    check_writable(output)
    return run_sections(setup, output, quick)


def run_sections(setup: Setup, output: str, quick: bool) -> int:
    """Measure, print and write every section in turn. 1 if a figure that must be 0 is not, else 0."""
    console = Console(width=None if sys.stdout.isatty() else 160)
    if not COMPILED:
        console.print("kernels are not compiled (WAVEFOLD_KERNELS=python): times mean nothing")
    sections = []
    for measure in SECTIONS:
        section = measure(setup)
        if quick:  # the goals are for larger maps
            section.forget_goals()
        sections.append(section)
        show(console, section)
        write_report(Path(output), sections, quick)  # after each: an interrupted run keeps what it has
    show_summary(console, sections, output)
    return int(any(figure.goal == "= 0" and not figure.met for each in sections for figure in each.figures))


def show(console: Console, section: FigureSection) -> None:
    """One section on the terminal."""
    console.print()
    if section.skipped:
        console.print(f"[bold]{section.title}[/]\n[yellow]SKIPPED: {section.skipped}[/]", highlight=False)
        return
    console.print(section.table())
    for remark in section.remarks:
        console.print(f"  {remark}", highlight=False)


def show_summary(console: Console, sections: list[FigureSection], output: str) -> None:
    """How many goals were met, and which were not."""
    judged = [figure for section in sections for figure in section.figures if figure.met is not None]
    missed = [figure for figure in judged if not figure.met]
    console.print(f"\n{len(judged) - len(missed)} of {len(judged)} goals met; all figures are in {output}")
    for figure in missed:
        console.print(f"  missed: {figure.name}: {figure.value:.4g} {figure.unit} (goal {figure.goal})")


def write_report(path: Path, sections: list[FigureSection], quick: bool) -> None:
    """Write everything measured so far; an existing file is replaced atomically."""
    report = {"machine": machine(), "quick": quick, "sections": [section.to_dict() for section in sections]}
    with write_atomically(path) as file:
        file.write(json.dumps(report, indent=1, allow_nan=False).encode() + b"\n")


def machine() -> dict[str, Any]:
    """What the figures depend on, apart from the code."""
    return {
        "wavefold": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "compiled": COMPILED,
    }
