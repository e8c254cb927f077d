"""`wavefold world`, run as people run it."""

import importlib.util
import json
import os

import numpy as np
import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf

SMALL = ("--chunk", 16, "--seed", 7)


def test_a_region_is_written_in_every_format_asked_for(wavefold, tmp_path):
    names = ["world.png", "world.npz", "world.json", "world.gif"]
    outputs = [part for name in names for part in ("-o", name)]
    arguments = ("world", "pipes", *SMALL, "--region", "-1:1,0:1", "--seams", "--stages", "--stats")
    told = done_well(wavefold(*arguments, *outputs))
    assert told.startswith(f"{', '.join(names)} — pipes, seed 7, 2 x 1 chunks of 16 cells")
    assert "interior          2        0        0" in told
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    drawn = wf.read_map(tmp_path / "world.npz", wf.TileSet.load("pipes"))
    world = wf.World(wf.TileSet.load("pipes"), 7, 16)
    assert (drawn.patterns.reshape(16, 32) == world.region(-16, 0, 32, 16)).all()
    with Image.open(tmp_path / "world.gif") as moving:
        assert moving.n_frames > 10


def test_json_tells_everything(wavefold):
    data = json.loads(done_well(wavefold("world", "pipes", *SMALL, "--region", "2:4,-3:-2", "--json")))
    assert data["region"] == [2, 4, -3, -2]
    assert (data["chunk"], data["radius"], data["half_width"]) == (16, 7, 6)
    assert data["report"]["interior"]["renewed"] == 2
    assert data["outputs"] == []


def test_chunks_become_files_of_their_own(wavefold, tmp_path):
    done_well(wavefold("world", "pipes", *SMALL, "--region", "0:2,-1:0", "--export", "c{x},{y}.csv"))
    assert sorted(os.listdir(tmp_path)) == ["c0,-1.csv", "c1,-1.csv"]
    assert "{x} and {y}" in complaint(wavefold("world", "pipes", "--export", "chunk.csv"))


def test_without_a_file_the_world_is_shown(wavefold):
    told = done_well(wavefold("world", "pipes", *SMALL))
    assert [len(line) for line in told.splitlines()] == [16] * 16


def test_the_configuration_gives_what_flags_do_not(wavefold, tmp_path):
    (tmp_path / "wavefold.toml").write_text(
        '[generate]\ntileset = "terrain"\n[world]\nseed = 9\nchunk = 16\ncorner_radius = 6\n'
        'strip_half_width = 4\n[fields]\npreset = "terrain"\n'
    )
    data = json.loads(done_well(wavefold("world", "--json", "-o", "w.npz")))
    assert (data["tileset"], data["seed"], data["chunk"]) == ("terrain", 9, 16)
    assert (data["radius"], data["half_width"]) == (6, 4)
    with np.load(tmp_path / "w.npz") as first:
        followed = {name: first[name] for name in first.files}
    (tmp_path / "wavefold.toml").write_text("")
    flags = ("--seed", 9, "--chunk", 16, "--radius", 6)
    done_well(wavefold("world", "terrain", *flags, "-o", "v.npz"))
    with np.load(tmp_path / "v.npz") as second:
        assert any(
            (followed[name] != second[name]).any() for name in second.files if followed[name].size == 256
        )


def test_hexagons_with_fields(wavefold):
    data = json.loads(done_well(wavefold("world", "medieval", "--chunk", 12, "--preset", "hex", "--json")))
    assert data["topology"] == "hex"


def test_the_bias_is_told_as_a_table_and_as_data(wavefold):
    told = done_well(wavefold("world", "pipes", "--chunk", 8, "--bias"))
    assert "seams – interiors" in told
    assert told.count("x)") == 12


@pytest.mark.skipif(importlib.util.find_spec("zarr") is not None, reason="zarr is installed")
def test_zarr_is_an_extra(wavefold, tmp_path):
    assert 'pip install "wavefold[export]"' in complaint(wavefold("world", "pipes", "-o", "world.zarr"))
    assert os.listdir(tmp_path) == []


def test_zarr_holds_the_region_and_says_where_it_lies(wavefold, tmp_path):
    zarr = pytest.importorskip("zarr")
    arguments = ("world", "pipes", *SMALL, "--region", "-1:1,0:1", "-o", "world.zarr")
    done_well(wavefold(*arguments))
    array = zarr.open_array(str(tmp_path / "world.zarr"), mode="r")
    world = wf.World(wf.TileSet.load("pipes"), 7, 16)
    assert (array[:] == world.region(-16, 0, 32, 16)).all()
    assert array.chunks == (16, 16)
    assert array.attrs["origin"] == [-16, 0]
    assert "it is there already" in complaint(wavefold(*arguments))


def test_a_store_keeps_the_world_and_opens_it_again(wavefold, tmp_path):
    first = ("world", "pipes", *SMALL, "--store", "my.world", "-o", "one.csv")
    done_well(wavefold(*first))
    with wf.World.open(tmp_path / "my.world") as world:
        world.edit({(3, 3): "cross"})
    told = done_well(wavefold("world", "--store", "my.world", "--region", "0:1,0:1", "-o", "two.csv"))
    assert "pipes, seed 7, 1 x 1 chunks of 16 cells" in told
    assert (tmp_path / "one.csv").read_text() != (tmp_path / "two.csv").read_text()
    assert "leave these flags out" in complaint(wavefold("world", "--store", "my.world", "--seed", 8))
    assert "my.world" in complaint(wavefold("world", "pipes", "--seed", 8, "--store", "my.world"))


def test_files_that_are_read_are_not_overwritten(wavefold, tmp_path):
    wf.TileSet.load("pipes").save(tmp_path / "mine.toml")
    before = sorted(os.listdir(tmp_path))
    for output in ("mine.png", "./mine.png"):
        assert "would be lost" in complaint(wavefold("world", "mine.toml", *SMALL, "-o", output))
    export = ("--export", "{x}{y}.csv", "--region", "1:3,1:3", "-o", "12.csv")
    assert "writes this file, too" in complaint(wavefold("world", "pipes", *SMALL, *export))
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--region", "4"), "write chunks as from:to,from:to"),
        (("pipes", "--region", "4:4,0:1"), "is empty"),
        (("pipes", "--region", "0:9999,0:9999"), "make it smaller"),
        (("pipes", "-o", "world.xyz"), "no format has this ending"),
        (("pipes", "--chunk", "20", "--radius", "12"), "too small for a corner_radius of 12"),
        (("pipes", "--preset", "moon"), "unknown preset 'moon'"),
        (("blocks",), "square or hex tiles"),
        (("pipe",), "did you mean 'pipes'"),
    ],
)
def test_what_makes_no_sense_is_refused(wavefold, tmp_path, arguments, message):
    assert message in complaint(wavefold("world", *arguments))
    assert os.listdir(tmp_path) == []
