"""`wavefold world`, run as people run it."""

import json
import os
import sys

import numpy as np
import pytest
from PIL import Image
from running import complaint, done_well

import wavefold as wf

SMALL = ("--chunk", 16, "--seed", 7)


def test_a_region_is_written_in_every_format_asked_for(wavefold, tmp_path):
    names = ["world.png", "world.npz", "world.json", "world.gif"]
    outputs = [part for name in names for part in ("-o", name)]
    arguments = (
        "world",
        "pipes",
        *SMALL,
        "--refine",
        "off",
        "--region",
        "-1:1,0:1",
        "--seams",
        "--stages",
        "--stats",
    )
    told = done_well(wavefold(*arguments, *outputs))
    assert told.startswith(f"{', '.join(names)} — pipes, seed 7, 2 x 1 chunks of 16 cells")
    assert "interior          2          0          0" in told
    assert sorted(os.listdir(tmp_path)) == sorted(names)
    drawn = wf.read_map(tmp_path / "world.npz", wf.TileSet.load("pipes"))
    world = wf.World(wf.TileSet.load("pipes"), 7, 16, refine=False)
    assert (drawn.patterns.reshape(16, 32) == world.region(-16, 0, 32, 16)).all()
    with Image.open(tmp_path / "world.gif") as moving:
        assert moving.n_frames > 10


def test_json_tells_everything(wavefold):
    data = json.loads(
        done_well(wavefold("world", "pipes", *SMALL, "--refine", "off", "--region", "2:4,-3:-2", "--json"))
    )
    assert data["region"] == [2, 4, -3, -2]
    assert (data["chunk"], data["radius"], data["half_width"]) == (16, 7, 6)
    assert data["report"]["interior"]["solved"] == 2
    assert data["outputs"] == []


def test_chunks_become_files_of_their_own(wavefold, tmp_path):
    done_well(wavefold("world", "pipes", *SMALL, "--region", "0:2,-1:0", "--export", "c{x},{y}.csv"))
    assert sorted(os.listdir(tmp_path)) == ["c0,-1.csv", "c1,-1.csv"]
    assert "{x} and {y}" in complaint(wavefold("world", "pipes", "--export", "chunk.csv"))


def test_chunks_for_tiled_share_a_tile_set_in_a_new_folder(wavefold, tmp_path):
    arguments = ("world", "pipes", *SMALL, "--region", "-1:1,0:1", "--json")
    told = json.loads(done_well(wavefold(*arguments, "--export", "chunks/land_{x}_{y}.tmj")))
    names = ["land-tiles.png", "land-tiles.tsj", "land_-1_0.tmj", "land_0_0.tmj"]
    assert sorted(os.listdir(tmp_path / "chunks")) == names
    assert sorted(told["outputs"]) == [f"chunks/{name}" for name in names]
    drawn = wf.read_map(tmp_path / "chunks" / "land_-1_0.tmj")
    assert drawn.origin == (-16, 0)
    assert (drawn.array == wf.World(wf.TileSet.load("pipes"), 7, 16).chunk(-1, 0)).all()
    assert json.loads((tmp_path / "chunks" / "land_0_0.tmj").read_text())["infinite"] is False
    (tmp_path / "each").mkdir()
    done_well(wavefold(*arguments, "--export", "each/{x}/{y}.tmx"))
    assert sorted(os.listdir(tmp_path / "each")) == ["-1", "0", "tiles.png", "tiles.tsx"]
    assert wf.read_map(tmp_path / "each" / "0" / "0.tmx").origin == (0, 0)
    assert "there is no folder" in complaint(wavefold(*arguments[:-1], "--export", "no/folder/{x}_{y}.csv"))


def test_every_file_says_where_the_region_lies(wavefold, tmp_path):
    names = ["a.json", "a.npz", "a.csv", "a.tmj", "b.tmx", "a.ldtk"]
    outputs = [part for name in names for part in ("-o", name)]
    done_well(wavefold("world", "pipes", *SMALL, "--region", "-1:2,-1:1", *outputs))
    expected = wf.World(wf.TileSet.load("pipes"), 7, 16).region(-16, -16, 48, 32)
    for name in names:
        drawn = wf.read_map(tmp_path / name, wf.TileSet.load("pipes"))
        assert drawn.origin == (-16, -16)
        assert (drawn.array == expected).all()
    layer = json.loads((tmp_path / "a.tmj").read_text())["layers"][0]
    assert (layer["startx"], layer["starty"]) == (-16, -16)


def test_hexagons_in_tiled_keep_their_stagger_at_odd_rows(wavefold, tmp_path):
    arguments = ("world", "medieval", "--chunk", 13, "--region", "-1:0,1:2", "-o", "land.tmj")
    done_well(wavefold(*arguments))
    drawn = wf.read_map(tmp_path / "land.tmj")
    assert drawn.origin == (-13, 13)
    assert drawn.topology == wf.HexGrid.rhombus(13, 13)
    assert (drawn.patterns >= 0).all()


def test_the_middle_and_the_end_of_a_world_are_within_reach(wavefold, tmp_path):
    last = (1 << 40) // 64
    done_well(
        wavefold("world", "pipes", "--region", f"{last - 1}:{last},{-last}:{1 - last}", "-o", "end.json")
    )
    assert wf.read_map(tmp_path / "end.json").origin == ((last - 1) * 64, -last * 64)
    message = complaint(wavefold("world", "pipes", "--region", f"{last}:{last + 1},0:1"))
    assert "--region is too far away" in message
    assert "17,179,869,184 chunks of 64" in message


def test_names_may_have_the_seed_in_them(wavefold, tmp_path):
    done_well(wavefold("world", "pipes", *SMALL, "-o", "w-{seed}.png", "-o", "w-{seed}.csv"))
    assert sorted(os.listdir(tmp_path)) == ["w-7.csv", "w-7.png"]


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


def test_a_network_and_constraints_by_flags_and_by_the_configuration(wavefold, tmp_path):
    seed = ("--seed", 4, "--refine", "off")
    by_flags = ("--network", "mm=", "--network", "cc=", "--spacing", 24)
    done_well(wavefold("world", "castle", *seed, *by_flags, "-o", "flags.npz"))
    (tmp_path / "wavefold.toml").write_text('[world]\nnetwork = {sides = ["mm=", "cc="], spacing = 24}\n')
    done_well(wavefold("world", "castle", *seed, "-o", "file.npz"))
    tiles = wf.TileSet.load("castle")
    one, other = (wf.read_map(tmp_path / name, tiles).patterns for name in ("flags.npz", "file.npz"))
    assert (one == other).all()
    (tmp_path / "wavefold.toml").write_text(
        '[world]\nconstraints = [{kind = "separation", tile = "gate", distance = 3}]\n'
    )
    data = json.loads(done_well(wavefold("world", "castle", *seed, "--max-run", "bridge=3", "--json")))
    assert data["half_width"] == data["radius"] - 4
    (tmp_path / "wavefold.toml").write_text('[world]\nnetwork = {side = "mm="}\n')
    assert "a network has no key 'side'; did you mean 'sides'" in complaint(wavefold("world", "castle"))
    (tmp_path / "wavefold.toml").unlink()
    assert "constraint on a whole map" in complaint(wavefold("world", "castle", "--count", "gate=2"))


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--connected", "tee"), ("--count", "lamp=3"), ("--border", "wall"), ("--mirror", "vertical"),
        ("--rotational", "4"), ("--separation", "lamp=2"), ("--max-run", "bridge=2"),
        ("--parallel", "bridge=3"), ("--room", "lamp=1.."),
        ("--constraint", "pair_separation first=lamp second=valve distance=2"),
    ],
)  # fmt: skip
def test_the_help_lists_the_constraints_that_a_world_can_have(wavefold, flag, value):
    is_listed = f" {flag} " in done_well(wavefold("world", "--help"))
    done = wavefold("world", "pipes", "--chunk", "24", flag, value, "-o", "world.npz")
    assert is_listed == (done.returncode == 0), done.stderr
    assert is_listed != ("constraint on a whole map" in done.stderr)


def test_hexagons_with_fields(wavefold):
    data = json.loads(done_well(wavefold("world", "medieval", "--chunk", 12, "--preset", "hex", "--json")))
    assert data["topology"] == "hex"


def test_the_bias_is_told_as_a_table_and_as_data(wavefold):
    told = done_well(wavefold("world", "pipes", "--chunk", 8, "--bias"))
    assert "seams – interiors" in told
    assert told.count("x)") == 12


def test_zarr_is_an_extra(wavefold, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zarr", None)
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
    assert "it exists already" in complaint(wavefold(*arguments))
    done_well(wavefold(*arguments[:-1], "both.zarr", "-o", "both.csv"))
    assert (zarr.open_array(str(tmp_path / "both.zarr"), mode="r")[:] == array[:]).all()


def test_arrays_are_written_piece_by_piece(tmp_path, monkeypatch):
    """With a Zarr of our own, so that it is tested where the library is not installed."""
    from wavefold.formats import zarr

    made = {}

    def create_array(store, shape, chunks, dtype):
        os.mkdir(store)
        made[store] = Pieces(np.full(shape, -1, dtype))
        return made[store]

    monkeypatch.setattr(zarr, "load_zarr", lambda: type("zarr", (), {"create_array": create_array}))
    world = wf.World(wf.TileSet.load("pipes"), 7, 16)
    seen = []
    zarr.write_zarr(world, -5, 3, 40, 18, tmp_path / "a.zarr", lambda done, total: seen.append((done, total)))
    (pieces,) = made.values()
    assert (pieces.array == world.region(-5, 3, 40, 18)).all()
    assert max(size for size in pieces.sizes) == 256
    assert seen == [(done, 6) for done in range(6)]
    assert pieces.attrs["origin"] == [-5, 3]
    assert os.listdir(tmp_path) == ["a.zarr"]
    with pytest.raises(wf.ConfigError, match="already exists"):
        zarr.write_zarr(world, 0, 0, 1, 1, tmp_path / "a.zarr")


class Pieces:
    """An array that notes how much is written at once."""

    def __init__(self, array):
        self.array, self.sizes, self.attrs = array, [], {}

    def __setitem__(self, where, piece):
        self.array[where] = piece
        self.sizes.append(piece.size)


def test_a_store_keeps_the_world_and_opens_it_again(wavefold, tmp_path):
    first = ("world", "pipes", *SMALL, "--store", "my.world", "-o", "one.csv")
    done_well(wavefold(*first))
    with wf.World.open(tmp_path / "my.world") as world:
        world.edit({(3, 3): "cross"})
    told = done_well(wavefold("world", "--store", "my.world", "--region", "0:1,0:1", "-o", "two.csv"))
    assert "pipes, seed 7, 1 x 1 chunks of 16 cells" in told
    assert (tmp_path / "one.csv").read_text() != (tmp_path / "two.csv").read_text()
    assert "leave out these flags" in complaint(wavefold("world", "--store", "my.world", "--seed", 8))
    assert "my.world" in complaint(wavefold("world", "pipes", "--seed", 8, "--store", "my.world"))


def test_a_missing_store_is_named_and_a_tile_set_would_create_it(wavefold, tmp_path):
    message = complaint(wavefold("world", "--store", "missing.world"))
    assert "no file 'missing.world'; name a tile set, too, to create it" in message
    assert os.listdir(tmp_path) == []
    (tmp_path / "wavefold.toml").write_text('[generate]\ntileset = "pipes"\n')
    done_well(wavefold("world", "--store", "new.world", *SMALL, "-o", "part.csv"))
    assert (tmp_path / "new.world").exists()


def test_a_store_that_may_not_be_written_is_shown(wavefold, tmp_path, monkeypatch):
    store = tmp_path / "kept.world"
    done_well(wavefold("world", "pipes", *SMALL, "--store", "kept.world", "-o", "before.csv"))
    before = store.read_bytes()
    store.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # for root, who may write anything
    shown = done_well(wavefold("world", "--store", "kept.world", "--region", "0:2,0:1"))
    assert len(shown.splitlines()) == 16
    assert store.read_bytes() == before


def test_files_that_are_read_are_not_overwritten(wavefold, tmp_path):
    wf.TileSet.load("pipes").save(tmp_path / "mine.toml")
    before = sorted(os.listdir(tmp_path))
    for output in ("mine.png", "./mine.png"):
        assert "overwritten" in complaint(wavefold("world", "mine.toml", *SMALL, "-o", output))
    export = ("--export", "{x}{y}.csv", "--region", "1:3,1:3", "-o", "12.csv")
    assert "writes the same file" in complaint(wavefold("world", "pipes", *SMALL, *export))
    assert sorted(os.listdir(tmp_path)) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pipes", "--region", "4"), "write chunks as from:to,from:to"),
        (("pipes", "--region", "4:4,0:1"), "is empty"),
        (("pipes", "--region", "0:9999,0:9999"), "make it smaller, or write only a .zarr"),
        (("pipes", "-o", "a.glb"), "hex and cube maps, not square maps"),
        (("pipes", "--export", "{x}{y}.glb"), "hex and cube maps, not square maps"),
        (("pipes", "-o", "a.png", "--tile-size", "10000"), "the picture would be"),
        (("pipes", "-o", "a.tmj", "--tile-size", "10000"), "smaller --tile-size"),
        (("pipes", "--region", "0:64,0:64", "-o", "a.tmj"), "a map for Tiled has at most"),
        (("pipes", "--region", "9999999:10000000,0:1", "-o", "a.tmj"), "out of Tiled's range"),
        (("pipes", "--region", "0:64,0:64", "-o", "a.svg"), "save the map as .png"),
        (("pipes", "--radius", "50"), "--radius: a chunk of 64 cells is too small for corners of radius 50"),
        (("pipes", "-o", "world.xyz"), "no format has this ending"),
        (("pipes", "--chunk", "20", "--radius", "12"), "too small for corners of radius 12"),
        (("pipes", "--preset", "moon"), "unknown preset 'moon'"),
        (("blocks",), "square or hex tiles"),
        (("pipe",), "did you mean 'pipes'"),
    ],
)
def test_invalid_arguments_are_refused(wavefold, tmp_path, arguments, message):
    assert message in complaint(wavefold("world", *arguments))
    assert os.listdir(tmp_path) == []
