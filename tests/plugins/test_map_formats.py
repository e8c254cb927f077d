"""Formats are found by the ending of a path."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

import wavefold as wf
from support import PIPES
from wavefold.plugins.map_formats import (
    MapFormat,
    check_writing,
    find_format,
    find_writer,
    list_companions,
    list_endings,
)
from wavefold.plugins.registry import BUILT_IN, find


@pytest.mark.parametrize("ending", sorted(BUILT_IN["map_format"]))
def test_every_format_is_registered_under_its_own_endings(ending):
    found = find("map_format", ending)
    assert isinstance(found, MapFormat)
    assert ending in found.endings
    assert set(found.endings) <= set(BUILT_IN["map_format"])


def test_the_ending_chooses_the_format_whatever_its_case():
    assert find_format("a/Map.JSON", "write") is find("map_format", ".json")
    assert find_format("map.csv", "read_tiles") is None
    assert find_format("map", "write") is None


def test_formats_are_listed_by_what_they_can_do():
    partial = [".csv", ".json", ".ldtk", ".npz", ".png", ".svg", ".tmj", ".tmx", ".tscn"]
    assert list_endings("write") == sorted([*partial, ".glb"])
    assert list_endings("write_partial") == partial
    assert list_endings("read") == [".csv", ".json", ".ldtk", ".npz", ".tmj", ".tmx"]
    assert list_endings("read_tiles") == [".json", ".tmj", ".tmx", ".toml", ".tsj", ".tsx", ".xml", ".zip"]
    assert list_endings("write_tiles") == [".toml"]
    assert list_endings("read_sample") == list_endings("read_negative") == [".tmj", ".tmx"]
    assert list_endings("write_animation") == [".apng", ".gif", ".mp4", ".png", ".webp"]


def test_an_unknown_ending_lists_the_known_ones():
    with pytest.raises(wf.ConfigError, match=r"cannot write 'map.bmp': unknown ending; known: \.csv, \.glb"):
        find_writer("map.bmp")


def write_size(solution, path, **options):
    """A writer of another package."""
    path.write_text(f"{solution.problem.cell_count} cells")


SIZE = MapFormat(endings=(".size",), write=write_size)


def offer(monkeypatch, group, name, value):
    """Pretend that an installed package has this entry point."""
    ours = EntryPoints([EntryPoint(name, value, group)])
    monkeypatch.setattr("wavefold.plugins.registry.entry_points", ours.select)


def test_another_package_adds_a_format_with_one_entry_point(monkeypatch, tmp_path):
    offer(monkeypatch, "wavefold.map_format", ".size", f"{__name__}:SIZE")
    wf.generate(PIPES, wf.SquareGrid(3, 2)).save(tmp_path / "map.size")
    assert (tmp_path / "map.size").read_text() == "6 cells"
    assert ".size" in list_endings("write")


# --- before a map is made ---------------------------------------------------------------------------


def test_files_beside_a_map_are_the_ones_that_are_written(tmp_path):
    solution = wf.generate(PIPES, wf.SquareGrid(3, 3))
    for number, ending in enumerate((".tmx", ".tmj", ".json", ".csv", ".png")):
        folder = tmp_path / str(number)
        folder.mkdir()
        solution.save(folder / f"map{ending}")
        told = {folder / f"map{ending}", *list_companions(folder / f"map{ending}")}
        assert told == set(folder.iterdir())
    assert list_companions("map.TMJ") == (Path("map-tiles.tsj"), Path("map-tiles.png"))


def test_what_cannot_be_written_is_known_before():
    problem = wf.Problem(PIPES, wf.SquareGrid(3, 3))
    check_writing(problem, "map.tmx")
    check_writing(problem, "map.json")
    with pytest.raises(wf.ConfigError, match="smaller tile_size"):
        check_writing(problem, "map.tmx", tile_size=10**5)
    with pytest.raises(wf.ConfigError, match="must not contain ':'"):
        check_writing(problem, "a:map.tmx")
    with pytest.raises(wf.ConfigError, match="hex and cube maps"):
        check_writing(problem, "map.glb")


def test_an_missing_extra_is_reported_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    blocks = wf.Problem(wf.TileSet.load("blocks"), wf.CubeGrid(2, 2, 2))
    with pytest.raises(wf.PluginError, match=r"wavefold\[export\]"):
        check_writing(blocks, "map.glb")
