"""`wavefold measure`: maps that are made for it, and maps from files."""

import json

import pytest


def test_maps_of_a_set_are_made_and_measured_together(wavefold):
    done = wavefold("measure", "pipes", "--size", "12x10", "--seeds", "2", "--order", "scanline", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["sources"] == ["pipes"]
    assert found["maps"] == 2
    assert found["cells"] == 240
    assert found["faithfulness"]["against"] == "weights"


def test_a_table_lists_every_property_beside_chance(wavefold):
    done = wavefold("measure", "pipes", "--size", "40x30", "--seeds", "2", "--refine", "off")
    assert done.returncode == 0
    assert done.stdout.startswith("pipes: 2 maps, 2,400 cells")
    for word in ("faithful", "isotropic", "repetitive", "dull", "by chance", "target", "largest ratio"):
        assert word in done.stdout


def test_maps_of_a_named_order_are_measured_as_they_were_solved_which_is_said(wavefold):
    run = ("measure", "pipes", "--size", "8x8", "--seeds", "2", "--order", "scanline", "--json")
    why = "an order or a choice was given; to refine the map, set refine to a number such as 30"
    assert wavefold(*run).stderr == f"wavefold: the maps were not refined, because {why}\n"
    assert wavefold(*run, "--refine", "off").stderr == ""


def test_files_are_measured_as_they_are(wavefold):
    assert (
        wavefold("generate", "pipes", "--size", "12x10", "--refine", "off", "-o", "map.json").returncode == 0
    )
    done = wavefold("measure", "map.json", "map.json", "--json")
    assert json.loads(done.stdout)["maps"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["measure", "pipes", "castle"], "one tile set is measured at a time"),
        (["measure", "map.json", "castle"], "'castle' is not a map"),
        (["measure", "map.json", "--order", "random"], "--order is for new maps"),
        (["measure", "pipez"], "pipes"),
    ],
)
def test_what_cannot_be_measured_is_one_line(wavefold, arguments, message):
    done = wavefold(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
