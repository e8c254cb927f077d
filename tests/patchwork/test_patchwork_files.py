"""Maps in files: everything comes back, and nothing else is taken for a map."""

import json

import pytest
from small_maps import JOINS, full_map, small_map

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.patchwork.joins import Overlap


@pytest.mark.parametrize(("tiles", "join"), [*(("rivers", join) for join in JOINS), ("castle", "fixed")])
def test_a_map_comes_back_and_grows_on_alike(tmp_path, tiles, join):
    presets = {(40, 40): {"rivers": "land", "castle": "abca"}[tiles]}
    made = full_map(tiles, join, radius=2, presets=presets, retries={"drop": 3})
    made.rebuild(made.centre_of((0, 0)), 3)
    made.save(tmp_path / "map.json")
    again = wf.Patchwork.load(tmp_path / "map.json")
    for name in (
        "patterns",
        "grids",
        "dropped",
        "changed",
        "seed",
        "radius",
        "join",
        "retries",
        "pins",
        "report",
    ):
        assert getattr(again, name) == getattr(made, name)
    key = made.expandable()[2]
    made.populate(key)
    again.populate(key)
    made.rebuild(made.centre_of(key), 2)
    again.rebuild(made.centre_of(key), 2)
    assert again.patterns == made.patterns


def test_a_map_driven_by_noise_comes_back(tmp_path):
    fields = wf.Fields(altitude=wf.Noise(0.1, seed=3))
    made = small_map(fields=fields)
    made.populate((0, 0))
    made.save(tmp_path / "map.json")
    assert wf.Patchwork.load(tmp_path / "map.json").fields == fields


def test_what_a_file_cannot_hold_must_be_given(tmp_path):
    tiles = wf.TileSet(HEX_RIVERS.tiles, "hex", allowed_at=lambda pattern, fields: fields["a"] > -1)
    fields = wf.Fields(a=lambda x, y: x * 0)
    made = wf.Patchwork(tiles, 2, fields=fields)
    made.populate((0, 0))
    made.save(tmp_path / "map.json")
    with pytest.raises(wf.FormatError, match="holds no tiles"):
        wf.Patchwork.load(tmp_path / "map.json")
    with pytest.raises(wf.FormatError, match="does not hold the fields"):
        wf.Patchwork.load(tmp_path / "map.json", tiles)
    assert wf.Patchwork.load(tmp_path / "map.json", tiles, fields).patterns == made.patterns


def test_another_tile_set_is_refused(tmp_path):
    made = full_map("pipes")
    made.save(tmp_path / "map.json")
    renamed = wf.TileSet([wf.Tile(f"new {tile.name}", tile.sockets, tile.weight) for tile in PIPES.tiles])
    for tiles in (HEX_RIVERS, renamed):
        with pytest.raises(wf.TileSetError, match="was made with another tile set"):
            wf.Patchwork.load(tmp_path / "map.json", tiles)
    with pytest.raises(wf.TileSetError, match="must be a TileSet"):
        wf.Patchwork.load(tmp_path / "map.json", 3)
    assert wf.Patchwork.load(tmp_path / "map.json", PIPES).patterns == made.patterns


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda told: told.update(format="x"), "is no patchwork"),
        (lambda told: told.update(version=99), "format version 99"),
        (lambda told: told.pop("grids"), "does not tell all of its map"),
        (lambda told: told["grids"][0]["patterns"].pop(), "does not tell all of its map"),
        (lambda told: told["grids"][0]["patterns"].__setitem__(0, 10**6), "is no pattern of its tiles"),
        (lambda told: told["join"]["options"].update(x=1), "does not tell all of its map"),
        (lambda told: told.update(tiles={"tiles.toml": "!!"}), "does not tell|cannot read"),
        (lambda told: told.update(tiles={"tiles.toml": ""}), "does not tell|cannot read"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change, message):
    made = full_map("pipes")
    made.save(tmp_path / "map.json")
    told = json.loads((tmp_path / "map.json").read_text())
    change(told)
    (tmp_path / "map.json").write_text(json.dumps(told))
    with pytest.raises(wf.FormatError, match=message):
        wf.Patchwork.load(tmp_path / "map.json")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"3", b"[" * 10**5])
def test_what_is_no_map_is_refused(tmp_path, content):
    (tmp_path / "map.json").write_bytes(content)
    with pytest.raises(wf.FormatError, match="is no patchwork"):
        wf.Patchwork.load(tmp_path / "map.json")


def test_no_file_no_folder(tmp_path):
    with pytest.raises(wf.FormatError, match="cannot read"):
        wf.Patchwork.load(tmp_path / "none.json")
    with pytest.raises(wf.ConfigError, match=r"cannot write|folder"):
        full_map("pipes").save(tmp_path / "nowhere" / "map.json")


def test_a_world_of_another_version_cannot_be_cut_from(tmp_path):
    made = full_map("rivers", "witness")
    made.save(tmp_path / "map.json")
    told = json.loads((tmp_path / "map.json").read_text())
    told["content_version"] -= 1
    (tmp_path / "map.json").write_text(json.dumps(told))
    with pytest.raises(wf.FormatError, match="grids cut from them would not fit"):
        wf.Patchwork.load(tmp_path / "map.json")


def test_a_join_of_ones_own_must_be_installed(tmp_path):
    class Shy(Overlap):
        name = "shy"

    made = wf.Patchwork(PIPES, 2, join=Shy())
    made.save(tmp_path / "map.json")
    with pytest.raises(wf.PluginError, match="unknown join 'shy'"):
        wf.Patchwork.load(tmp_path / "map.json")
