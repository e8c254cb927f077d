"""Maps in files: everything comes back, and nothing else is taken for a map."""

import json
import zipfile
from dataclasses import dataclass, replace
from io import BytesIO

import numpy as np
import pytest
from small_maps import JOINS, full_map, small_map

import wavefold as wf
from support import HEX_RIVERS, PIPES
from wavefold.formats import sections
from wavefold.patchwork.files import PATCHWORK
from wavefold.patchwork.joins import Editable, Overlap, Whole
from wavefold.storage.archive import HEADER
from wavefold.storage.parsing import encode_array, encode_integers, parse_integers


@pytest.mark.parametrize(("tiles", "join"), [*(("rivers", join) for join in JOINS), ("castle", "fixed")])
def test_a_map_comes_back_and_grows_on_alike(tmp_path, tiles, join):
    presets = {(40, 40): {"rivers": "land", "castle": "abca"}[tiles]}
    made = full_map(tiles, join, radius=2, presets=presets, retries={"drop": 3})
    made.rebuild(made.centre_of((0, 0)), 3)
    made.save(tmp_path / "map.patchwork")
    again = wf.Patchwork.load(tmp_path / "map.patchwork")
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
    made.save(tmp_path / "map.patchwork")
    assert wf.Patchwork.load(tmp_path / "map.patchwork").fields == fields


def test_what_a_file_cannot_hold_must_be_given(tmp_path):
    tiles = wf.TileSet(HEX_RIVERS.tiles, "hex", allowed_at=lambda pattern, fields: fields["a"] > -1)
    fields = wf.Fields(a=lambda x, y: x * 0)
    made = wf.Patchwork(tiles, 2, fields=fields)
    made.populate((0, 0))
    made.save(tmp_path / "map.patchwork")
    with pytest.raises(wf.FormatError, match="does not contain the tiles"):
        wf.Patchwork.load(tmp_path / "map.patchwork")
    with pytest.raises(wf.FormatError, match="does not contain the fields"):
        wf.Patchwork.load(tmp_path / "map.patchwork", tiles)
    assert wf.Patchwork.load(tmp_path / "map.patchwork", tiles, fields).patterns == made.patterns


def test_another_tile_set_is_refused(tmp_path):
    made = full_map("pipes")
    made.save(tmp_path / "map.patchwork")
    renamed = wf.TileSet([wf.Tile(f"new {tile.name}", tile.sockets, tile.weight) for tile in PIPES.tiles])
    for tiles in (HEX_RIVERS, renamed):
        with pytest.raises(wf.TileSetError, match="was made with another tile set"):
            wf.Patchwork.load(tmp_path / "map.patchwork", tiles)
    with pytest.raises(wf.TileSetError, match="must be a TileSet"):
        wf.Patchwork.load(tmp_path / "map.patchwork", 3)
    assert wf.Patchwork.load(tmp_path / "map.patchwork", PIPES).patterns == made.patterns


ARRAYS = {"patterns": (-1,), "dropped": (-1, 2), "changed": (-1, 2), "rebuilt": (-1, 2)}


def rewrite(path, change):
    """The file with something changed in its header, grids or arrays, as if it had been saved like that."""
    archive = PATCHWORK.unpack(path.read_bytes(), path)
    entries = {name: content for name, content in archive.entries.items() if name != HEADER}
    data = {**archive.header, "grids": json.loads(entries.pop("grids"))}
    data |= {name: parse_integers(entries.pop(name), *shape).tolist() for name, shape in ARRAYS.items()}
    change(data)
    for name, shape in ARRAYS.items():
        found = np.array(data.pop(name), int)
        entries[name] = encode_integers(found if found.size else found.reshape(0, *shape[1:]))
    if "grids" in data:
        entries["grids"] = json.dumps(data.pop("grids")).encode()
    entries |= data.pop("entries", {})
    path.write_bytes(PATCHWORK.create(data | {"sections": []}, entries).pack())


def test_a_file_whose_cells_do_not_fit_is_refused_with_two_of_them(tmp_path):
    full_map("pipes").save(tmp_path / "map.patchwork")

    def exchange(data):
        data["patterns"][:40] = [(each + 1) % len(PIPES) for each in data["patterns"][:40]]

    rewrite(tmp_path / "map.patchwork", exchange)
    with pytest.raises(wf.FormatError, match=r"\d+ sides between its cells do not fit, such as '.' at \("):
        wf.Patchwork.load(tmp_path / "map.patchwork")


def in_report(**values):
    return lambda data: data["grids"][1].update(values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(format="x"), "is not a wavefold patchwork: another program made it"),
        (lambda data: data.update(version=99), "has format 99"),
        (lambda data: data.update(entries={"plan": b""}), "has a section 'plan'"),
        (lambda data: data.pop("grids"), "'grids' is missing"),
        (lambda data: data.pop("tiles"), "'tiles' is missing"),
        (lambda data: data.pop("join"), "'join'"),
        (lambda data: data.pop("radius"), "'radius' is missing"),
        (lambda data: data["patterns"].pop(), "is not a valid wavefold patchwork"),
        (lambda data: data["patterns"].__setitem__(0, 10**6), "has a pattern that its tiles"),
        (lambda data: data["patterns"].__setitem__(0, -1), "has a pattern that its tiles"),
        (lambda data: data.update(entries={"patterns": encode_array(np.ones(9, bool))}), "array of whole"),
        (lambda data: data["join"]["options"].update(x=1), "is not a valid wavefold patchwork"),
        (lambda data: data.update(entries={"tiles.toml": b"\xff"}), "not a valid|cannot read"),
        (lambda data: data.update(entries={"tiles.toml": b""}), "not a valid|cannot read"),
        (lambda data: data.update(dropped=[[500, 500]]), r"dropped: cell \(500, 500\) is in no grid"),
        (lambda data: data.update(changed=[[500, 500]]), r"changed: cell \(500, 500\) is in no grid"),
        (lambda data: data.update(rebuilt=[[0, 0, 0]]), "an array of shape"),
        (lambda data: data.update(entries={"rebuilt": b"[[0, 0]]"}), "is not a valid wavefold patchwork"),
        (lambda data: data.update(rebuilds=-3), "rebuilds must be a whole number"),
        (lambda data: data.update(rebuilds="5"), "rebuilds must be a whole number"),
        (lambda data: data.update(pins=[[0, 0, "?"]]), "no tile"),
        (lambda data: data.update(seed=1.5), "a seed is a whole number"),
        (lambda data: data.update(refine={"sweeps": 2, "activities": [0]}), "and 1 activities"),
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
def test_a_file_that_is_not_a_patchwork_is_refused(tmp_path, change, message):
    full_map("pipes").save(tmp_path / "map.patchwork")
    rewrite(tmp_path / "map.patchwork", change)
    with pytest.raises(wf.FormatError, match=message):
        wf.Patchwork.load(tmp_path / "map.patchwork")


def test_one_valid_pattern_in_place_of_another_is_noticed(tmp_path):
    made = full_map("pipes")
    made.save(path := tmp_path / "map.patchwork")
    archive = PATCHWORK.unpack(path.read_bytes(), path)
    patterns = parse_integers(archive.entries["patterns"], -1)
    patterns[4] = (patterns[4] + 1) % len(made.rules)
    replace_entry(path, "patterns", encode_integers(patterns))
    with pytest.raises(wf.FormatError, match="is damaged: its 'patterns' is not what was written"):
        wf.Patchwork.load(path)


def replace_entry(path, name, content):
    """The file with another content of an entry, under the checksum of the old one."""
    written = BytesIO(path.read_bytes())
    with zipfile.ZipFile(written) as old, zipfile.ZipFile(path, "w") as new:
        for each in old.infolist():
            new.writestr(each, content if each.filename == name else old.read(each))


def test_damaged_pictures_cost_only_the_pictures_and_tiles_can_be_given_again(tmp_path):
    picture = np.full((4, 4, 3), 9, np.uint8)
    tiles = wf.TileSet([replace(tile, picture=picture) for tile in PIPES.tiles])
    made = wf.Patchwork(tiles, 2)
    made.populate((0, 0))
    made.save(path := tmp_path / "map.patchwork")
    replace_entry(path, "tiles.png", b"")
    with pytest.warns(wf.TileSetWarning, match="the pictures of its tiles are damaged") as caught:
        again = wf.Patchwork.load(path)
    assert caught[0].filename == __file__
    assert again.patterns == made.patterns
    assert again.tiles.tiles[0].picture is None
    replace_entry(path, "tiles.toml", b"")
    with pytest.raises(wf.FormatError, match=r"is damaged: its 'tiles\.toml' is not"):
        wf.Patchwork.load(path)
    assert wf.Patchwork.load(path, tiles).patterns == made.patterns


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"3", b"[" * 10**5])
def test_what_is_no_map_is_refused(tmp_path, content):
    (tmp_path / "map.patchwork").write_bytes(content)
    with pytest.raises(wf.FormatError, match="is not a wavefold patchwork"):
        wf.Patchwork.load(tmp_path / "map.patchwork")


def test_no_file_no_folder(tmp_path):
    with pytest.raises(wf.FormatError, match="cannot read"):
        wf.Patchwork.load(tmp_path / "none.patchwork")
    with pytest.raises(wf.ConfigError, match=r"cannot write|folder"):
        full_map("pipes").save(tmp_path / "nowhere" / "map.patchwork")


def test_a_world_of_another_version_cannot_be_cut_from(tmp_path):
    made = full_map("rivers", "witness")
    made.save(tmp_path / "map.patchwork")
    rewrite(tmp_path / "map.patchwork", lambda data: data.update(content_version=data["content_version"] - 1))
    with pytest.raises(wf.FormatError, match=r"made by an older wavefold: .* Grids cut from them"):
        wf.Patchwork.load(tmp_path / "map.patchwork")


class Shy(Overlap):
    name = "shy"


class Nameless(Overlap):
    """Called what its parent is called."""


@pytest.mark.parametrize("join", [Shy(), Nameless(), Whole(grow=Shy())])
def test_a_join_of_ones_own_must_be_given(tmp_path, join):
    made = wf.Patchwork(PIPES, 2, join=join)
    made.populate((0, 0))
    made.save(tmp_path / "map.patchwork")
    with pytest.raises(wf.FormatError, match=r"a join of your own, .* pass it"):
        wf.Patchwork.load(tmp_path / "map.patchwork")
    again = wf.Patchwork.load(tmp_path / "map.patchwork", join=join)
    assert (again.join, again.patterns) == (join, made.patterns)
    for other in (Overlap(), Editable()):
        with pytest.raises(wf.ConfigError, match="made with another join"):
            wf.Patchwork.load(tmp_path / "map.patchwork", join=other)


def test_a_join_that_is_not_installed_is_an_error(tmp_path):
    full_map("pipes").save(tmp_path / "map.patchwork")
    rewrite(tmp_path / "map.patchwork", lambda data: data["join"].update(name="gone"))
    with pytest.raises(wf.PluginError, match="unknown join 'gone'"):
        wf.Patchwork.load(tmp_path / "map.patchwork")


@dataclass(frozen=True)
class Wide(Overlap):
    name = "wide"
    width: int = 2


def test_a_join_that_is_no_longer_installed_can_be_given(tmp_path, monkeypatch):
    made = wf.Patchwork(PIPES, 2, join=Wide(width=3))
    monkeypatch.setattr("wavefold.patchwork.files.is_installed", lambda join: True)
    made.save(tmp_path / "map.patchwork")
    monkeypatch.undo()
    with pytest.raises(wf.PluginError, match="unknown join 'wide'"):
        wf.Patchwork.load(tmp_path / "map.patchwork")
    assert wf.Patchwork.load(tmp_path / "map.patchwork", join=Wide(width=3)).join == Wide(width=3)
    with pytest.raises(wf.ConfigError, match="made with another join"):
        wf.Patchwork.load(tmp_path / "map.patchwork", join=Wide(width=2))


def test_other_fields_are_refused(tmp_path):
    fields = wf.Fields(altitude=wf.Noise(0.1, seed=3))
    small_map(fields=fields).save(tmp_path / "driven.patchwork")
    same = wf.Fields(altitude=wf.Noise(0.1, seed=3))
    assert wf.Patchwork.load(tmp_path / "driven.patchwork", fields=same).fields == fields
    for other in (wf.Fields(altitude=wf.Noise(0.1, seed=4)), wf.Fields(altitude=lambda x, y: x * 0)):
        with pytest.raises(wf.ConfigError, match="made with other fields"):
            wf.Patchwork.load(tmp_path / "driven.patchwork", fields=other)
    small_map().save(tmp_path / "plain.patchwork")
    with pytest.raises(wf.ConfigError, match="made without fields"):
        wf.Patchwork.load(tmp_path / "plain.patchwork", fields=fields)


def test_tiles_with_other_limits_are_another_tile_set(tmp_path):
    def tiles(high):
        first, *rest = PIPES.tiles
        return wf.TileSet([replace(first, limits={"altitude": (0, high)}), *rest])

    made = wf.Patchwork(tiles(0.5), 2, fields=wf.Fields(altitude=wf.Noise(0.1)))
    made.save(tmp_path / "map.patchwork")
    assert wf.Patchwork.load(tmp_path / "map.patchwork", tiles(0.5)).grids == ()
    with pytest.raises(wf.TileSetError, match="have other rules, names or limits for fields"):
        wf.Patchwork.load(tmp_path / "map.patchwork", tiles(0.6))


def test_tiles_are_encoded_once_and_a_missing_folder_is_refused_before(tmp_path, monkeypatch):
    calls = []
    encode = sections.encode_tiles
    monkeypatch.setattr(sections, "encode_tiles", lambda tiles: calls.append(tiles) or encode(tiles))
    made = wf.Patchwork(wf.TileSet(PIPES.tiles), 2)
    with pytest.raises(wf.ConfigError, match="create it first"):
        made.save(tmp_path / "nowhere" / "map.patchwork")
    assert not calls
    made.save(tmp_path / "one.patchwork")
    made.save(tmp_path / "two.patchwork")
    assert len(calls) == 1
