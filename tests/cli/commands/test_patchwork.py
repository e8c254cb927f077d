"""`wavefold patchwork`, run as people run it."""

import csv
import json
import os
import re
import shlex
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from running import Screen, complaint, done_well, run_here

import wavefold as wf
from support import compiled_only

SMALL = ("--radius", 3, "--grids", "ring 1", "--seed", 7)


# --- build ----------------------------------------------------------------------------------------


def test_a_map_is_written_in_every_format_asked_for(wavefold, tmp_path):
    names = ["map.png", "grow.gif", "map.npz", "map.csv", "map.svg"]
    outputs = [part for name in names for part in ("-o", name)]
    told = done_well(wavefold("patchwork", "build", "pipes", *SMALL, "--save", "kept.patchwork", *outputs))
    assert told.startswith(f"kept.patchwork, {', '.join(names)} — pipes, seed 7, overlap: 9 grids, 441 cells")
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "kept.patchwork"])
    with Image.open(tmp_path / "grow.gif") as moving:
        assert moving.n_frames == 9
    kept = wf.Patchwork.load(tmp_path / "kept.patchwork")
    assert wf.check(kept) == []
    assert len(kept.grids) == 9
    drawn = wf.read_map(tmp_path / "map.npz", wf.TileSet.load("pipes"))
    in_rows = sorted(kept.patterns.items(), key=lambda item: item[0][::-1])
    assert drawn.patterns.tolist() == [pattern for _, pattern in in_rows]
    kept.populate(kept.expandable()[0])


def test_medieval_is_what_is_built_unless_told_otherwise(wavefold):
    data = json.loads(done_well(wavefold("patchwork", "build", "--seed", 351921, "--grids", 2, "--json")))
    assert (data["tileset"], data["join"], data["radius"]) == ("medieval", "overlap", 8)
    assert data["grids"] == [[0, 0], [0, -1]]
    assert data["violations"] == []
    assert len(data["map"]) == data["report"]["cells"] == 434
    assert data["report"]["grids"][1]["fixed"] == 9
    assert data["retries"] == {"attempts": 3, "replace": 5, "drop": 2}


@pytest.mark.parametrize("join", ["fixed", "overlap", "editable", "whole", "witness"])
def test_every_join_is_known_by_its_name(wavefold, join):
    arguments = ("patchwork", "build", "pipes", "--join", join, "--radius", 3, "--grids", "0,0 1,0; 1,1")
    data = json.loads(done_well(wavefold(*arguments, "--json")))
    assert data["join"] == join
    assert data["grids"] == [[0, 0], [1, 0], [1, 1]]
    assert data["violations"] == []


def test_fields_drive_a_map(wavefold):
    arguments = ("patchwork", "build", "terrain", *SMALL, "--json")
    driven = json.loads(done_well(wavefold(*arguments, "--driven")))
    assert driven["fields"] == "terrain"
    assert driven["report"]["soft_masks_met"] > 0
    same = json.loads(done_well(wavefold(*arguments, "--preset", "terrain")))
    assert same["map"] == driven["map"]
    assert json.loads(done_well(wavefold(*arguments)))["map"] != driven["map"]


def test_grids_are_refined_if_asked(wavefold):
    arguments = ("patchwork", "build", "pipes", *SMALL, "--json", "--refine")
    plain, refined = (json.loads(done_well(wavefold(*arguments, sweeps))) for sweeps in ("off", 3))
    assert (plain["refine"], refined["refine"]) == (0, 3)
    assert plain["map"] != refined["map"]
    assert refined["violations"] == []
    with_defaults = json.loads(done_well(wavefold(*arguments, "auto")))
    assert with_defaults["refine"] == wf.Patchwork(wf.TileSet.load("pipes")).refine


def test_a_wrong_number_of_sweeps_is_refused(wavefold):
    refused = complaint(wavefold("patchwork", "build", "pipes", *SMALL, "--refine", "much"))
    assert '--refine must be a number of sweeps up to 1,000,000, "auto" or "off", not' in refused


def test_presets_pin_grass_and_water(wavefold):
    data = json.loads(done_well(wavefold("patchwork", "build", "--grids", 1, "--grass-and-water", "--json")))
    assert [0, 0, "grass@0"] in data["presets"]
    names = {(q, r): data["names"][pattern] for q, r, pattern in data["map"]}
    assert names[0, 0] == "grass"


def test_the_same_seed_gives_the_same_map(wavefold):
    arguments = ("patchwork", "build", "medieval", "--grids", 3, "--radius", 4, "--json", "--seed")
    one, again, other = (json.loads(done_well(wavefold(*arguments, seed))) for seed in (5, 5, 6))
    assert one["map"] == again["map"] != other["map"]


def test_without_a_file_the_map_is_shown(wavefold):
    lines = done_well(wavefold("patchwork", "build", "pipes", *SMALL)).splitlines()
    assert [len(line) for line in lines] == [21] * 21


def test_the_picture_is_the_map_and_marks_lines_and_a_legend_are_asked_for(wavefold, tmp_path):
    build = ("patchwork", "build", "medieval", "--radius", 2, "--grids", 7, "--tile-size", 12)
    done_well(wavefold(*build, "--save", "kept.patchwork", "-o", "map.png", "-o", "grow.gif"))
    done_well(wavefold(*build, "--marks", "-o", "all.png", "-o", "all.gif"))
    done_well(wavefold(*build, "--no-levels", "-o", "plain.png"))
    kept = wf.Patchwork.load(tmp_path / "kept.patchwork")
    assert kept.changed
    with Image.open(tmp_path / "plain.png") as plain:
        assert (np.asarray(plain) == np.asarray(kept.solution().image(tile_size=12))).all()
    with Image.open(tmp_path / "map.png") as drawn, Image.open(tmp_path / "all.png") as marked:
        assert (np.asarray(drawn) == np.asarray(kept.image(tile_size=12))).all()
        full = kept.image(tile_size=12, outlines=True, marks=True, legend=True)
        assert (np.asarray(marked) == np.asarray(full)).all()
        assert marked.height > drawn.height  # by its legend
    assert (tmp_path / "grow.gif").read_bytes() != (tmp_path / "all.gif").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--join", "glue"), "unknown join 'glue'"),
        (("pipes", "--grids", "some"), "is not a list of grids"),
        (("pipes", "--grids", "0"), "1 to 10,000 grids"),
        (("pipes", "--grids", "ring 999"), "name a smaller ring"),
        (("pipes", "--grids", "ring 50"), "name a smaller ring"),
        (("pipes", "--grids", "0,0 5,5"), "touches no populated grid; grids that can be added: (0, -1)"),
        (("pipes", "--grids", "0,0 0,0"), "listed twice"),
        (("pipes", "--grids", "9999", "--radius", "40"), "build fewer, or smaller ones"),
        (("pipes", "--radius", "0"), "--help"),
        (("pipes", "--radius", "129"), "--help"),
        (("pipes", "--retries", "0"), "--help"),
        (("pipes", "--preset", "terrain"), "no tile has limits"),
        (("terrain", "--preset", "moon"), "unknown preset 'moon'"),
        (("pipes", "--grass-and-water"), "such as the medieval set"),
        (("blocks",), "needs hex or square tiles"),
        (("pipe",), "did you mean 'pipes'"),
        (("pipes", "-o", "map.xyz"), "no format has this ending"),
        (("pipes", "-o", "nowhere/map.png"), "create it first"),
        (("pipes", "--save", "map.png"), "a saved patchwork ends in .patchwork"),
        (("pipes", "-o", "map.png", "-o", "map.png"), "writes the same file"),
        (("pipes", "--grids", "1", "--tile-size", "5000", "-o", "map.png"), "--tile-size"),
    ],
)
def test_invalid_arguments_are_refused(wavefold, tmp_path, arguments, message):
    assert message in complaint(wavefold("patchwork", "build", *arguments))
    assert os.listdir(tmp_path) == []


def test_a_grid_that_cannot_be_made_is_exit_code_1_or_3_and_leaves_no_file(wavefold, tmp_path):
    tiles = 'format = 1\nname = "odd"\n[tiles.odd]\nsockets = ["a", "b", "c", "d"]\n'
    (tmp_path / "odd.toml").write_text(tiles)
    done = wavefold("patchwork", "build", "odd.toml", "--radius", 1, "-o", "map.png")
    assert done.returncode in (1, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert os.listdir(tmp_path) == ["odd.toml"]


# --- compare --------------------------------------------------------------------------------------

FEW = ("--radius", 2, "--grids", "ring 1", "--seeds", 2)
GUIDE = Path(__file__).parents[3] / "docs" / "guide" / "patchwork.md"
TABLE = re.compile(r"^(wavefold patchwork compare .*)\n```\n\n((?:\|.*\n)+)", re.MULTILINE)


def tables_in_guide():
    """The commands whose tables the guide shows, and these; a hundred seeds take minutes."""
    for command, table in TABLE.findall(GUIDE.read_text("utf-8")):
        marks = [pytest.mark.slow] if "--seeds 100" in command else []
        yield pytest.param(command, table, marks=marks, id=command)


def without_times(table):
    """The rows, without the two columns of times, which depend on the machine."""
    return [[cell.strip() for cell in line.split("|")[1:-3]] for line in table.splitlines()]


def test_the_guide_shows_a_large_and_a_small_table():
    assert [len(each.marks) for each in tables_in_guide()] == [1, 0]


@compiled_only
@pytest.mark.parametrize(("command", "table"), list(tables_in_guide()))
def test_a_table_in_the_guide_is_what_its_command_prints(wavefold, tmp_path, command, table):
    done_well(wavefold(*shlex.split(command)[1:], "-o", "table.md"))
    assert without_times((tmp_path / "table.md").read_text("utf-8")) == without_times(table)


def test_a_comparison_is_a_table_data_and_a_page(wavefold, tmp_path):
    outputs = ("--html", "page.html", "-o", "table.md", "-o", "table.csv", "-o", "table.json")
    told = done_well(wavefold("patchwork", "compare", "castle", *FEW, *outputs))
    joins = {"overlap", "editable", "fixed", "whole", "witness"}
    assert joins <= {line.split(" ")[0] for line in told.splitlines()}
    assert "2 seeds, 9 grids of radius 2, 225 cells" in told
    assert told.splitlines()[-1].startswith("table.md, table.csv, table.json, page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert all(join in page for join in joins)
    assert "http" not in page
    rows = list(csv.reader((tmp_path / "table.csv").read_text("utf-8").splitlines()))
    assert {row[0] for row in rows[1:]} == joins
    assert {len(row) for row in rows} == {14}
    data = json.loads((tmp_path / "table.json").read_text("utf-8"))
    assert data["seeds"] == [0, 1]


def test_counts_of_a_comparison_are_the_same_every_time(wavefold):
    arguments = ("patchwork", "compare", "terrain", *FEW, "--joins", "overlap,fixed", "--seed", 5, "--json")
    one, other = (json.loads(done_well(wavefold(*arguments))) for _ in range(2))
    for data in (one, other):
        assert data["seeds"] == [5, 6]
        assert [case["name"] for case in data["cases"]] == [
            "overlap", "fixed, retries 1", "fixed, retries 3",
            "overlap, driven", "fixed, retries 1, driven", "fixed, retries 3, driven",
        ]  # fmt: skip
        assert data["cases"][3]["soft_masks_met_percent"] > 0
        for case in data["cases"]:
            assert case["seconds"].keys() == {"median", "p95"}
            del case["seconds"]
            for made in case["maps"]:
                assert made.pop("seconds") > 0
    assert one == other


def test_only_what_is_asked_for_is_compared(wavefold):
    arguments = ("patchwork", "compare", "terrain", *FEW, "--joins", "fixed", "--retries", "2")
    data = json.loads(done_well(wavefold(*arguments, "--fields", "driven", "--json")))
    assert [case["name"] for case in data["cases"]] == ["fixed, retries 2, driven"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--joins", "overlap,glue"), "there is no join 'glue'"),
        (("pipes", "--retries", "many"), "write it as 1,3"),
        (("pipes", "--retries", "0,1"), "from 1 to 10,000"),
        (("pipes", "--fields", "some"), "plain, driven, both"),
        (("pipes", "--fields", "driven"), "no limits"),
        (("pipes", "--seeds", "0"), "--help"),
        (("pipes", "--grids", "x"), "is not a list of grids"),
        (("pipes", "--radius", "-1"), "--help"),
        (("pipes", "--html", "page.pdf"), "a page ends in .html"),
        (("pipes", "-o", "table.png"), "a table ends in"),
        (("pipes", "-o", "nowhere/table.md"), "create it first"),
        (("pipes", "-o", "a.html", "--html", "a.html"), "writes the same file"),
        (("blocks",), "needs hex or square tiles"),
    ],
)
def test_a_comparison_that_makes_no_sense_is_refused(wavefold, tmp_path, arguments, message):
    assert message in complaint(wavefold("patchwork", "compare", *arguments))
    assert os.listdir(tmp_path) == []


# --- both -----------------------------------------------------------------------------------------


def test_on_a_terminal_there_is_a_bar_and_it_is_wiped(tmp_path):
    arguments = ["patchwork", "compare", "pipes", *FEW, "--json"]
    done = run_here(arguments, tmp_path, {"TERM": "xterm"}, err=Screen)
    assert json.loads(done_well(done))["seeds"] == [0, 1]
    assert "maps" in done.stderr
    assert done.stderr.rstrip().endswith(("\x1b[2K", "\x1b[?25h"))
