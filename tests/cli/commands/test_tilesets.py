"""`wavefold tilesets`: lists, and pictures of what is listed."""

import json
import os

import pytest
from PIL import Image
from running import done_well

import wavefold as wf
from support import compiled_only
from wavefold.cli.commands import tilesets
from wavefold.plugins.registry import find

FEW = ["medieval", "meadow", "pipes"]


@pytest.fixture
def few(monkeypatch):
    """Not all of them: each is drawn."""
    monkeypatch.setattr(tilesets, "load_all", lambda kind: {name: find(kind, name) for name in FEW})


def test_every_tile_set_is_described_in_its_own_words(capsys):
    tilesets.tilesets(as_json=True)
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == wf.tilesets()
    assert all(entry["description"] for entry in entries)
    for entry in entries:
        tiles = wf.TileSet.load(entry["name"])
        assert (entry["tiles"], entry["patterns"]) == (len(tiles.tiles), len(tiles))
        assert entry["description"] == tiles.description or not tiles.description


def test_lines_are_for_people(capsys):
    tilesets.tilesets(as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(wf.tilesets())
    assert any(line.startswith("pipes") and "tiles" in line for line in lines)


def test_samples_are_listed_with_how_they_are_read(capsys):
    tilesets.tilesets(samples=True, as_json=True)
    entries = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in entries] == wf.samples()
    assert all(entry["n"] == 3 and entry["description"] for entry in entries)
    tilesets.tilesets(samples=True, as_json=False)
    assert "seabed" in capsys.readouterr().out


def test_thumbnails_are_written_and_named_in_the_list(few, tmp_path, capsys):
    tilesets.tilesets(as_json=True, thumbnails=tmp_path / "new" / "folder")
    entries = json.loads(capsys.readouterr().out)
    for entry in entries:
        with Image.open(entry["thumbnail"]) as image:
            assert image.width >= tilesets.LEAST_WIDTH
            assert image.getextrema() != ((0, 0),) * 4
    assert sorted(os.listdir(tmp_path / "new" / "folder")) == sorted(f"{name}.png" for name in FEW)


def test_thumbnails_are_the_same_every_time(few, tmp_path, capsys):
    for folder in ("one", "two"):
        tilesets.tilesets(as_json=False, thumbnails=tmp_path / folder)
    for name in FEW:
        one, two = (tmp_path / folder / f"{name}.png" for folder in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()


@compiled_only
def test_samples_have_thumbnails_with_their_ground(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(wf, "samples", lambda: ["kilim", "seabed"])
    tilesets.tilesets(samples=True, as_json=False, thumbnails=tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["kilim.png", "seabed.png"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(wf.ConfigError, match="cannot create the folder"):
        tilesets.tilesets(as_json=False, thumbnails=tmp_path / "taken")


@pytest.mark.parametrize("options", [[], ["--samples"]])
def test_the_command_lists(wavefold, options):
    done = wavefold("tilesets", "--json", *options)
    assert len(json.loads(done_well(done))) > 5
    assert done.stderr == ""


def test_tilesets_are_listed_with_what_they_are(wavefold):
    lines = wavefold("tilesets").stdout.splitlines()
    assert any(line.startswith("pipes") and "Steel pipes" in line for line in lines)


def test_tilesets_as_json_are_only_json(wavefold):
    entries = json.loads(wavefold("tilesets", "--json").stdout)
    assert {"name", "topology", "tiles", "patterns", "description"} == set(entries[0])
