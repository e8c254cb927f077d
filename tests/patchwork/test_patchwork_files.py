"""Maps in files: everything comes back, and nothing else is taken for a map."""

import json
from dataclasses import replace

import pytest
from small_maps import JOINS, full_map, small_map

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.patchwork import file_parts
from wavefold.patchwork.files import digest_document
from wavefold.patchwork.joins import Editable, Overlap, Whole


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
    with pytest.raises(wf.FormatError, match="does not contain the tiles"):
        wf.Patchwork.load(tmp_path / "map.json")
    with pytest.raises(wf.FormatError, match="does not contain the fields"):
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


def rewrite(path, change):
    """The file with something changed in it, as if it had been saved like that."""
    data = json.loads(path.read_text())
    del data["checksum"]
    change(data)
    path.write_text(json.dumps(data | {"checksum": digest_document(data)}))


def test_a_file_whose_cells_do_not_fit_is_refused_with_two_of_them(tmp_path):
    full_map("pipes").save(tmp_path / "map.json")

    def exchange(data):
        grid = data["grids"][0]
        grid["patterns"] = [(each + 1) % len(PIPES) for each in grid["patterns"]]

    rewrite(tmp_path / "map.json", exchange)
    with pytest.raises(wf.FormatError, match=r"\d+ sides between its cells do not fit, such as '.' at \("):
        wf.Patchwork.load(tmp_path / "map.json")


def in_report(**values):
    return lambda data: data["grids"][1]["report"].update(values)


def test_a_file_without_its_checksum_is_refused(tmp_path):
    full_map("pipes").save(tmp_path / "map.json")
    data = json.loads((tmp_path / "map.json").read_text())
    del data["checksum"]
    data["grids"][0]["patterns"] = [0] * len(data["grids"][0]["patterns"])
    (tmp_path / "map.json").write_text(json.dumps(data))
    with pytest.raises(wf.FormatError, match="'checksum' is missing"):
        wf.Patchwork.load(tmp_path / "map.json")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format="x"), "is not a patchwork file"),
        (lambda data: data.update(version=99), "format version 99"),
        (lambda data: data.pop("grids"), "field 'grids' is missing"),
        (lambda data: data["grids"][0]["patterns"].pop(), "is not a valid patchwork file"),
        (
            lambda data: data["grids"][0]["patterns"].__setitem__(0, 10**6),
            "has a pattern that its tiles",
        ),
        (
            lambda data: data["grids"][0]["patterns"].__setitem__(0, True),
            "has a pattern that its tiles",
        ),
        (lambda data: data["join"]["options"].update(x=1), "is not a valid patchwork file"),
        (lambda data: data.update(tiles={"tiles.toml": "!!"}), "not a valid|cannot read"),
        (lambda data: data.update(tiles={"tiles.toml": ""}), "not a valid|cannot read"),
        (lambda data: data.update(dropped=[[500, 500]]), r"dropped: cell \(500, 500\) is in no grid"),
        (lambda data: data.update(changed=[[500, 500]]), r"changed: cell \(500, 500\) is in no grid"),
        (lambda data: data.update(rebuilt=[[0.5, 0]]), "rebuilt: a cell must be"),
        (lambda data: data.update(rebuilds=-3), "rebuilds must be a whole number"),
        (lambda data: data.update(rebuilds="5"), "rebuilds must be a whole number"),
        (lambda data: data.update(presets=[[0, 0, "?"]]), "no tile"),
        (lambda data: data.update(seed=1.5), "a seed is a whole number"),
        (lambda data: data["grids"].append(data["grids"][0]), "listed twice"),
        (in_report(key=[10**30, 0]), "out of reach"),
        (in_report(key=[500, 0]), "touches no populated grid"),
        (in_report(key=[1.7, 0]), "a key must be"),
        (in_report(attempts="many"), "attempts must be a whole number"),
        (in_report(dropped=-5), "dropped must be a whole number"),
        (in_report(seconds=float("nan")), "NaN is not a number"),
        (in_report(seconds="1"), "'1' seconds"),
        (in_report(join=5), "not the name of a join"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, change, message):
    full_map("pipes").save(tmp_path / "map.json")
    rewrite(tmp_path / "map.json", change)
    with pytest.raises(wf.FormatError, match=message):
        wf.Patchwork.load(tmp_path / "map.json")


def test_one_valid_pattern_in_place_of_another_is_noticed(tmp_path):
    made = full_map("pipes")
    made.save(tmp_path / "map.json")
    data = json.loads((tmp_path / "map.json").read_text())
    data["grids"][0]["patterns"][4] = (data["grids"][0]["patterns"][4] + 1) % len(made.rules)
    (tmp_path / "map.json").write_text(json.dumps(data))
    with pytest.raises(wf.FormatError, match="checksum differs"):
        wf.Patchwork.load(tmp_path / "map.json")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"3", b"[" * 10**5])
def test_what_is_no_map_is_refused(tmp_path, content):
    (tmp_path / "map.json").write_bytes(content)
    with pytest.raises(wf.FormatError, match="is not a patchwork file"):
        wf.Patchwork.load(tmp_path / "map.json")


def test_no_file_no_folder(tmp_path):
    with pytest.raises(wf.FormatError, match="cannot read"):
        wf.Patchwork.load(tmp_path / "none.json")
    with pytest.raises(wf.ConfigError, match=r"cannot write|folder"):
        full_map("pipes").save(tmp_path / "nowhere" / "map.json")


def test_a_world_of_another_version_cannot_be_cut_from(tmp_path):
    made = full_map("rivers", "witness")
    made.save(tmp_path / "map.json")
    rewrite(tmp_path / "map.json", lambda data: data.update(content_version=data["content_version"] - 1))
    with pytest.raises(wf.FormatError, match="grids cut from them would not fit"):
        wf.Patchwork.load(tmp_path / "map.json")


class Shy(Overlap):
    name = "shy"


class Nameless(Overlap):
    """Called what its parent is called."""


@pytest.mark.parametrize("join", [Shy(), Nameless(), Whole(grow=Shy())])
def test_a_join_of_ones_own_must_be_given(tmp_path, join):
    made = wf.Patchwork(PIPES, 2, join=join)
    made.populate((0, 0))
    made.save(tmp_path / "map.json")
    with pytest.raises(wf.FormatError, match=r"a join of your own, .* pass it"):
        wf.Patchwork.load(tmp_path / "map.json")
    again = wf.Patchwork.load(tmp_path / "map.json", join=join)
    assert (again.join, again.patterns) == (join, made.patterns)
    for other in (Overlap(), Editable()):
        with pytest.raises(wf.ConfigError, match="made with another join"):
            wf.Patchwork.load(tmp_path / "map.json", join=other)


def test_a_join_that_is_not_installed_is_an_error(tmp_path):
    full_map("pipes").save(tmp_path / "map.json")
    rewrite(tmp_path / "map.json", lambda data: data["join"].update(name="gone"))
    with pytest.raises(wf.PluginError, match="unknown join 'gone'"):
        wf.Patchwork.load(tmp_path / "map.json")


def test_other_fields_are_refused(tmp_path):
    fields = wf.Fields(altitude=wf.Noise(0.1, seed=3))
    small_map(fields=fields).save(tmp_path / "driven.json")
    same = wf.Fields(altitude=wf.Noise(0.1, seed=3))
    assert wf.Patchwork.load(tmp_path / "driven.json", fields=same).fields == fields
    for other in (wf.Fields(altitude=wf.Noise(0.1, seed=4)), wf.Fields(altitude=lambda x, y: x * 0)):
        with pytest.raises(wf.ConfigError, match="made with other fields"):
            wf.Patchwork.load(tmp_path / "driven.json", fields=other)
    small_map().save(tmp_path / "plain.json")
    with pytest.raises(wf.ConfigError, match="made without fields"):
        wf.Patchwork.load(tmp_path / "plain.json", fields=fields)


def test_tiles_with_other_limits_are_another_tile_set(tmp_path):
    def tiles(high):
        first, *rest = PIPES.tiles
        return wf.TileSet([replace(first, limits={"altitude": (0, high)}), *rest])

    made = wf.Patchwork(tiles(0.5), 2, fields=wf.Fields(altitude=wf.Noise(0.1)))
    made.save(tmp_path / "map.json")
    assert wf.Patchwork.load(tmp_path / "map.json", tiles(0.5)).grids == ()
    with pytest.raises(wf.TileSetError, match="have other limits for fields"):
        wf.Patchwork.load(tmp_path / "map.json", tiles(0.6))


def test_tiles_are_encoded_once_and_a_missing_folder_is_refused_before(tmp_path, monkeypatch):
    calls = []
    encode = file_parts.encode_tiles
    monkeypatch.setattr(file_parts, "encode_tiles", lambda tiles: calls.append(tiles) or encode(tiles))
    made = wf.Patchwork(wf.TileSet(PIPES.tiles), 2)
    with pytest.raises(wf.ConfigError, match="create it first"):
        made.save(tmp_path / "nowhere" / "map.json")
    assert not calls
    made.save(tmp_path / "one.json")
    made.save(tmp_path / "two.json")
    assert len(calls) == 1
