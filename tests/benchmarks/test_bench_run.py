"""The benchmark measures what it says, and its report can be read by others."""

import inspect
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.data import FULL, QUICK, Setup
from benchmarks.figures import run_probe
from benchmarks.run import run_sections

from benchmarks import main, maps, start, worlds
from wavefold.errors import ConfigError
from wavefold.reports.comparing.run import list_cases

SECTIONS = [
    "reference",
    "samples",
    "bundled",
    "growth",
    "hex",
    "worlds",
    "worlds-reference",
    "patchworks",
    "tables",
    "domains",
    "contradictions",
    "undo",
    "propagations",
    "methods",
    "wide",
    "pictures",
    "hard",
    "budgets",
    "constraints",
    "looks",
    "refined",
    "borders",
    "allocation",
    "small",
    "start",
]
NEED_DATA = {"reference", "samples", "worlds-reference"}
LEFT_OUT_WHEN_QUICK = {"pictures"}
TINY = replace(
    QUICK,
    seeds=2,
    growth_seeds={8: 2, 16: 2},
    large_side=16,
    hex_seeds=1,
    patchwork_grids=1,
    world_sets=("pipes",),
    world_chunks=1,
    contradiction_seeds=2,
)


def run_here(probe, *arguments):
    """Run a probe in this process, but as in a fresh one: its source sees no module of ours."""
    names = {}
    exec(f"from __future__ import annotations\n{inspect.getsource(probe)}", names)
    return names[probe.__name__](*arguments)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """A quick run, smaller still, with two joins and probes in this process; no reference, no public data."""
    path = tmp_path_factory.mktemp("bench") / "bench.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maps, "run_probe", run_here)
        patch.setattr(start, "run_probe", lambda *_: {"seconds": 1.0})  # tested below
        patch.setattr(worlds, "list_cases", lambda tiles: list_cases(tiles, ("overlap", "fixed")))
        assert run_sections(Setup(TINY, None, None), str(path), quick=True) == 0
    return json.loads(path.read_text(encoding="utf-8"))


def section_of(report, name):
    return next(each for each in report["sections"] if each["section"] == name)


def test_every_section_is_in_the_report(report):
    assert [section["section"] for section in report["sections"]] == SECTIONS
    assert report["quick"] is True
    assert report["machine"]["compiled"] is True


def test_every_figure_says_what_it_is_and_how_it_was_measured(report):
    for section in report["sections"]:
        for figure in section["figures"]:
            assert set(figure) == {"name", "value", "unit", "goal", "met", "how"}
            assert figure["name"]
            assert figure["how"]
            assert isinstance(figure["value"], float)
            assert (figure["goal"] is None) == (figure["met"] is None)


def test_every_figure_of_the_readme_is_one_of_the_report_and_needs_no_public_data(report):
    text = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    speed = text.partition("\n## Speed\n")[2].partition("\n## ")[0]
    units = {
        (section["section"], figure["name"]): figure["unit"]
        for section in report["sections"]
        for figure in section["figures"]
    }
    figures = list(readme_figures(speed))
    assert len(figures) > 20
    for section, name, value in figures:
        assert (section, name) in units
        assert re.fullmatch(rf"[\d.,]+ ?{units[section, name]}", value)
    for side in (FULL.map_side, 2 * FULL.large_side):
        assert f"{side}×{side}" in speed
    beside = " ".join(line for line in speed.splitlines() if not line.startswith("|"))
    assert not re.search(r"\d ?(ms|µs|s|MB|GB|x|times|%)\b", beside)


def readme_figures(speed):
    """Section, name and value of all figures. The first cell of a table is its section."""
    for table in re.findall(r"(?:^\|.*\n)+", speed, re.MULTILINE):
        lines = [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in table.splitlines()]
        (section, *columns), _, *rows = lines
        for row, *values in rows:
            for column, value in zip(columns, values, strict=True):
                if value != "–":
                    yield section.strip("`"), f"{row.replace('`', '')}: {column}", value


def test_a_section_without_its_data_says_so_and_measures_nothing(report):
    for section in report["sections"]:
        left_out = section["section"] in NEED_DATA | LEFT_OUT_WHEN_QUICK
        assert bool(section["skipped"]) == left_out
        assert bool(section["figures"]) != left_out


def test_what_must_hold_on_any_machine_holds(report):
    judged = [
        figure for section in report["sections"] for figure in section["figures"] if figure["goal"] == "= 0"
    ]
    assert judged
    assert all(figure["met"] for figure in judged)


def test_a_search_allocates_next_to_nothing(report):
    figures = {each["name"]: each["value"] for each in section_of(report, "allocation")["figures"]}
    assert figures["scanline: bytes per decision"] < 1
    assert figures["entropy: bytes per decision"] < 1


def test_arc_consistency_meets_fewer_contradictions_than_a_look_at_neighbours(report):
    for figure in section_of(report, "contradictions")["figures"]:
        if figure["name"].endswith(": fewer"):
            assert figure["value"] > 0


def test_a_folder_without_reference_kernels_is_refused_before_anything_is_measured(tmp_path):
    with pytest.raises(ConfigError, match=r"kernel\.py"):
        main(str(tmp_path), str(tmp_path / "bench.json"), quick=True)


def test_a_report_that_could_not_be_written_is_refused_before_anything_is_measured(tmp_path):
    with pytest.raises(ConfigError, match="no folder"):
        main(None, str(tmp_path / "nowhere" / "bench.json"), quick=True)


@pytest.mark.parametrize(
    ("probe", "arguments"),
    [(start.import_packages, ["numpy"]), (start.run_command, ["--help"]), (start.serve_until_ready, [""])],
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_the_start_of_a_process_is_timed(probe, arguments, tmp_path):
    assert 0 < run_probe(probe, *(each or str(tmp_path) for each in arguments))["seconds"] < 60


def test_time_in_kernels_is_counted(report):
    figures = {each["name"]: each["value"] for each in section_of(report, "small")["figures"]}
    assert 0 < figures["circuit: outside kernels"] < figures["circuit: time"]
