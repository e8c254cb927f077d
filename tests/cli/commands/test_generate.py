"""`wavefold generate`."""

import json
import os
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from running import Screen, complaint, done_well, run_here

from wavefold.tiles.learning.samples import find_sample_path


def test_a_picture_is_written_and_the_last_line_says_where(wavefold, tmp_path):
    done = wavefold("generate", "pipes", "--size", "6x4", "--seed", 7, "-o", "map.png")
    assert done.returncode == 0, done.stderr
    assert "map.png" in done.stdout.splitlines()[-1]
    assert "seed 7" in done.stdout
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (144, 96)
    assert os.listdir(tmp_path) == ["map.png"]


def test_the_same_seed_gives_the_same_picture_byte_for_byte(wavefold, tmp_path):
    for name in ("one.png", "two.png"):
        assert wavefold("generate", "meadow", "--size", "8x8", "--seed", 3, "-o", name).returncode == 0
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_tile_size_makes_a_smaller_picture(wavefold, tmp_path):
    assert wavefold("generate", "pipes", "--size", "5x4", "--tile-size", 3, "-o", "map.png").returncode == 0
    with Image.open(tmp_path / "map.png") as image:
        assert image.size == (15, 12)


@pytest.mark.parametrize(
    ("options", "environment", "culprit"),
    [
        ((), {"WAVEFOLD_THREADS": "abc"}, "WAVEFOLD_THREADS must be a number from 1 to 256"),
        (("--mirror", "vertical", "--refine", "5"), {}, "cannot be refined"),
    ],
)
def test_settings_are_refused_before_the_search(wavefold, options, environment, culprit):
    done = wavefold("generate", "pipes", "--size", "4x4", "--budget", "0", *options, **environment)
    assert done.returncode == 2
    assert culprit in complaint(done)


def test_json_without_a_file_carries_the_map_and_nothing_else_is_printed(wavefold):
    done = wavefold("generate", "pipes", "--size", "5x3", "--json")
    data = json.loads(done.stdout)
    (only,) = data["maps"]
    assert [len(row) for row in only["map"]] == [5, 5, 5]
    assert max(max(row) for row in only["map"]) < len(data["names"])
    assert only["stats"]["decisions"] > 0


def test_json_with_a_file_says_where_it_is(wavefold, tmp_path):
    data = json.loads(wavefold("generate", "pipes", "--size", "5x3", "--json", "-o", "map.png").stdout)
    assert data["outputs"] == ["map.png"]
    assert "map" not in data["maps"][0]
    assert (tmp_path / "map.png").exists()


def test_without_a_file_a_pipe_gets_one_letter_per_cell(wavefold):
    done = wavefold("generate", "pipes", "--size", "7x3")
    assert done.returncode == 0, done.stderr
    assert [len(line) for line in done.stdout.splitlines()] == [7, 7, 7]
    assert "decisions" in done.stderr


def test_a_border_of_the_tile_set_that_a_wrapped_map_cannot_have_is_mentioned(wavefold, tmp_path):
    text = 'format = 1\n[tiles.a]\nsockets = "x"\n[[constraints]]\nkind = "border"\ntile = "a"\n'
    (tmp_path / "walled.toml").write_text(text)
    wrapped = ("generate", "walled.toml", "--size", "4x4", "--wrap")
    assert "of the tile set is left out: it does not apply to this map" in wavefold(*wrapped).stderr
    assert "left out" not in wavefold(*wrapped, "--no-own-constraints").stderr
    assert "left out" not in wavefold(*wrapped[:-1]).stderr


def test_a_wrapped_map_is_solved_too(wavefold):
    assert wavefold("generate", "pipes", "--size", "6x6", "--wrap", "--order", "scanline").returncode == 0


@pytest.mark.parametrize("order", ["entropy", "domain", "spiral", "random"])
def test_every_order_can_be_chosen(wavefold, order):
    assert wavefold("generate", "pipes", "--size", "4x4", "--order", order, "--json").returncode == 0


def test_running_out_of_budget_is_exit_code_3_and_leaves_no_file(wavefold, tmp_path):
    done = wavefold("generate", "meadow", "--size", "20x20", "--budget", 3, "-o", "map.png")
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith("wavefold: ")
    assert os.listdir(tmp_path) == []


def test_an_impossible_map_is_exit_code_1(wavefold, tmp_path):
    """A chessboard on an odd ring."""
    (tmp_path / "chess.toml").write_text(
        'format = 1\n[tiles.white]\nsockets = ["a", "a", "b", "b"]\n'
        '[tiles.black]\nsockets = ["b", "b", "a", "a"]\n'
    )
    done = wavefold("generate", "chess.toml", "--size", "5x5", "--wrap", "-o", "map.png")
    assert done.returncode == 1, done.stderr
    assert done.stderr.splitlines()[-1].startswith("wavefold: ")
    assert os.listdir(tmp_path) == ["chess.toml"]


def test_one_run_writes_every_format_asked_for(wavefold, tmp_path):
    names = ["map.png", "map.svg", "map.gif", "map.json", "map.npz", "map.csv"]
    outputs = [part for name in names for part in ("-o", name)]
    line = done_well(wavefold("generate", "pipes", "--size", "6x4", *outputs))
    assert all(name in line for name in names)
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    ElementTree.parse(tmp_path / "map.svg")
    with Image.open(tmp_path / "map.gif") as moving:
        assert moving.n_frames > 1


def test_several_maps_become_one_sheet_or_files_of_their_own(wavefold, tmp_path):
    arguments = ("generate", "pipes", "--size", "4x4", "--maps", 3, "--seed", 5)
    done_well(wavefold(*arguments, "-o", "sheet.png", "-o", "map-{seed}.json"))
    assert sorted(os.listdir(tmp_path)) == ["map-5.json", "map-6.json", "map-7.json", "sheet.png"]
    with Image.open(tmp_path / "sheet.png") as sheet:
        assert sheet.width > 2 * 4 * 24
    assert "write map-{seed}.json" in complaint(wavefold(*arguments, "-o", "map.json"))


def test_hexagons_have_a_radius_and_cubes_have_layers(wavefold, tmp_path):
    data = json.loads(done_well(wavefold("generate", "medieval", "--radius", 2, "--json")))
    assert sum(cell >= 0 for row in data["maps"][0]["map"] for cell in row) == 19
    data = json.loads(done_well(wavefold("generate", "blocks", "--size", "3x4x5", "--json")))
    layers = data["maps"][0]["map"]
    assert (len(layers), len(layers[0]), len(layers[0][0])) == (5, 4, 3)
    assert "have no radius" in complaint(wavefold("generate", "pipes", "--radius", 3))


def test_without_a_size_the_tile_set_says_how_large_a_map_is(wavefold, tmp_path):
    text = 'format = 1\ntopology = "cube"\nsize = {}\n[tiles.a]\n[tiles.b]\n'
    (tmp_path / "set.toml").write_text(text.format("[4, 3, 2]"))
    data = json.loads(done_well(wavefold("generate", tmp_path / "set.toml", "--json")))
    assert data["size"] == [4, 3, 2]
    assert np.shape(data["maps"][0]["map"]) == (2, 3, 4)
    data = json.loads(done_well(wavefold("generate", tmp_path / "set.toml", "--size", "2x2", "--json")))
    assert np.shape(data["maps"][0]["map"]) == (1, 2, 2)
    for size, problem in (
        ("[4, 3]", "[columns, rows, layers]"),
        ("[0, 1, 1]", "size must be"),
        ('"4"', "size must"),
    ):
        (tmp_path / "set.toml").write_text(text.format(size))
        error = complaint(wavefold("generate", tmp_path / "set.toml"))
        assert problem in error
        assert "line 3" in error


def colours(image):
    return {colour for _, colour in image.convert("RGB").getcolors(1 << 20)}


def test_a_picture_is_learned_from(wavefold, tmp_path):
    sample = find_sample_path("tartan")
    done_well(wavefold("generate", sample, "--n", 2, "--size", "12x9", "-o", "grown.png"))
    with Image.open(tmp_path / "grown.png") as grown, Image.open(sample) as drawn:
        assert grown.size == (384, 288)  # a pixel for each cell, enlarged
        assert colours(grown) <= colours(drawn)
    assert "--n is for pictures" in complaint(wavefold("generate", "pipes", "--n", 2))


def test_what_was_decided_is_saved_when_asked_for(wavefold, tmp_path):
    arguments = ("generate", "meadow", "--size", "12x12", "--budget", 20, "-o", "map.png", "-o", "map.json")
    done = wavefold(*arguments, "--partial")
    assert done.returncode == 3
    assert sorted(os.listdir(tmp_path)) == ["map.json", "map.png"]
    cells = json.loads((tmp_path / "map.json").read_text())["cells"]
    assert any(cell is None for row in cells for cell in row)


def test_a_budget_may_be_a_time(wavefold):
    done = wavefold("generate", "castle", "--size", "300x300", "--order", "entropy", "--budget", "1ms")
    assert done.returncode == 3
    assert "budget" in complaint(wavefold("generate", "pipes", "--budget", "soon"))


def test_what_fails_is_told_as_json(wavefold):
    done = wavefold(
        "generate", "pipes", "--size", "5x5", "--pin", "0,0=lamp@90", "--pin", "1,0=wall", "--json"
    )
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert told["kind"] == "impossible"
    assert "lamp@90" in told["error"]
    assert told["outputs"] == told["maps"] == []
    assert told["stats"]["decisions"] >= 0


def test_the_size_is_told_as_it_was_asked_for(wavefold):
    data = json.loads(done_well(wavefold("generate", "medieval", "--size", "5x4", "--json")))
    assert data["size"] == [5, 4]


def test_what_was_decided_is_shown_and_filmed(wavefold, tmp_path):
    arguments = ("generate", "meadow", "--size", "12x6", "--budget", 20, "--partial")
    done = wavefold(*arguments)
    assert done.returncode == 3
    assert [len(line) for line in done.stdout.splitlines()] == [12] * 6
    assert "?" in done.stdout
    done = wavefold(*arguments, "-o", "m-{seed}.gif", "-o", "m-{seed}.png")
    assert done.returncode == 3
    assert sorted(os.listdir(tmp_path)) == ["m-0.gif", "m-0.png"]
    assert "m-0.png has the cells decided so far" in done.stderr


def test_maps_in_the_terminal_are_parted_by_their_seeds(wavefold):
    lines = done_well(wavefold("generate", "pipes", "--size", "4x1", "--maps", 2, "--seed", 5)).splitlines()
    assert lines[0::2] == ["seed 5", "seed 6"]


def test_one_seed_that_fails_does_not_cost_the_others(wavefold, tmp_path):
    arguments = ("generate", "castle", "--size", "12x12", "--maps", 12, "--order", "entropy")
    budget = ("--search", "backtrack", "--budget", "1000, 1 backtracks")
    done = wavefold(*arguments, *budget, "-o", "m-{seed}.json", "-o", "sheet.png", "--json")
    assert done.returncode == 3, done.stderr
    told = json.loads(done.stdout)
    assert told["kind"] == "out of budget"
    assert told["stats"]["backtracks"] >= 1
    made = {each["seed"] for each in told["maps"]}
    assert made
    assert told["failed"]
    assert made | set(told["failed"]) == set(range(12))
    assert set(os.listdir(tmp_path)) == {"sheet.png", *(f"m-{seed}.json" for seed in made)}
    assert set(told["outputs"]) == set(os.listdir(tmp_path))
    assert "of 12 maps were made" in done.stderr


def test_priors_are_read_from_a_file_and_each_map_is_added(wavefold, tmp_path):
    run = ("generate", "pipes", "--size", "6x5", "--json", "--priors", "used.json")
    first = json.loads(done_well(wavefold(*run)))
    assert sum(json.loads((tmp_path / "used.json").read_text()).values()) == 30
    second = json.loads(done_well(wavefold(*run, "--maps", 2)))
    assert sum(json.loads((tmp_path / "used.json").read_text()).values()) == 90
    assert second["maps"][0]["map"] != first["maps"][0]["map"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[" * 100_000, "not valid JSON"),
        ('{"cross": -1}', "does not hold counts of tiles"),
        ('{"no such tile": 1}', "counts an unknown tile 'no such tile'"),
    ],
)
def test_a_file_that_holds_no_counts_is_refused(wavefold, tmp_path, content, reason):
    (tmp_path / "used.json").write_text(content)
    assert reason in complaint(wavefold("generate", "pipes", "--size", "3x3", "--priors", "used.json"))
    assert (tmp_path / "used.json").read_text() == content


def test_a_map_is_not_written_over_the_counts(wavefold):
    run = ("generate", "pipes", "--size", "3x3", "--priors", "used.json", "-o", "used.json")
    assert "it is an input of this command" in complaint(wavefold(*run))


@pytest.mark.parametrize(
    "flags", [("--order", "entropy"), ("--choice", "heaviest"), ("--priors", "used.json")]
)
def test_a_map_of_a_named_order_says_that_it_is_not_refined_and_names_the_flag(wavefold, flags):
    run = ("generate", "pipes", "--size", "6x6", *flags)
    why = "an order or a choice was given; to refine the map, set refine to a number such as 30"
    said = done_well(wavefold(*run, "-o", "map.png"))
    assert said.rstrip().endswith(f"s in all; not refined, because {why}")
    (made,) = json.loads(done_well(wavefold(*run, "--json")))["maps"]
    assert made["stats"]["refinement"]["left_out"] == why
    said = done_well(wavefold(*run, "--refine", "30", "-o", "map.png"))
    assert "30 sweeps, solved and refined" in said
    for refine in ("30", "off"):
        assert "not refined" not in done_well(wavefold(*run, "--refine", refine, "-o", "map.png"))
    assert "not refined" not in done_well(wavefold("generate", "pipes", "--size", "6x6", "-o", "map.png"))


def test_the_line_about_a_map_says_what_its_seconds_include(wavefold):
    said = done_well(wavefold("generate", "pipes", "--size", "6x6", "--refine", "off", "-o", "map.png"))
    solved, in_all = re.search(r"solved in (\d+\.\d\d) s, (\d+\.\d\d) s in all", said).groups()
    assert float(solved) <= float(in_all)
    refined = done_well(wavefold("generate", "pipes", "--size", "6x6", "--refine", 2, "-o", "map.png"))
    assert "2 sweeps, solved and refined in " in refined
    data = json.loads(done_well(wavefold("generate", "pipes", "--size", "6x6", "--json")))
    assert data["seconds"] <= data["seconds_in_all"]


def test_a_terminal_shows_which_file_is_being_written(tmp_path):
    done = run_here(["generate", "pipes", "--size", "6x6", "-o", "map.png"], tmp_path, {}, err=Screen)
    assert "\rwriting map.png…" in done.stderr


# --- diagnostics ----------------------------------------------------------------------------------


def test_a_diagnostic_gets_all_maps_and_its_file_is_reported(wavefold, tmp_path):
    arguments = ("generate", "pipes", "--size", "4x3", "--maps", "2", "-o", "maps.png")
    printed = done_well(wavefold(*arguments, "--diagnostic", "jsonl=log.jsonl"))
    assert printed.startswith("maps.png, log.jsonl — pipes")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["seed"] for line in lines if line["type"] == "start"] == [0, 1]
    assert lines[-1]["result"] == "solved"


def test_a_diagnostic_is_configured_with_the_rest(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text('[generate]\ndiagnostics = ["jsonl=log.jsonl"]\n')
    done_well(wavefold("generate", "pipes", "--size", "4x3"))
    assert (tmp_path / "log.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["jsnol=x"], "--diagnostic: unknown diagnostic 'jsnol'; did you mean 'jsonl'?"),
        (["jsonl"], "the diagnostic 'jsonl' needs a file: jsonl=log.jsonl"),
        (["jsonl=wavefold.toml"], "cannot write 'wavefold.toml': it is an input of this command"),
        (["jsonl=map.png"], "cannot write 'map.png': 'map.png' writes the same file"),
        (["jsonl=no/log.jsonl"], "cannot write 'no/log.jsonl': there is no folder 'no'"),
    ],
)
def test_diagnostics_that_cannot_be_are_refused(wavefold, tmp_path, arguments, message):
    (tmp_path / "wavefold.toml").write_text("[generate]\nseed = 3\n")
    flags = [part for each in arguments for part in ("--diagnostic", each)]
    assert message in complaint(wavefold("generate", "pipes", "--size", "4x3", "-o", "map.png", *flags))
    assert [path.name for path in tmp_path.iterdir()] == ["wavefold.toml"]
