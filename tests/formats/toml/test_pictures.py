"""Objects in tile set files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from wavefold.formats.sections import decode_tiles, encode_tiles

HEAD = """format = 1

[tiles.forest]
sockets = "a"

[tiles.lawn]
sockets = "a"

[groups]
ground = ["forest", "lawn"]
"""


def write_file(folder: Path, objects: str) -> Path:
    path = folder / "set.toml"
    path.write_text(f"{HEAD}\n{objects}\n")
    return path


def drawn_objects() -> list[wf.MapObject]:
    oak, hut = np.zeros((12, 8, 4), np.uint8), np.full((5, 6, 3), 90, np.uint8)
    oak[:8] = (30, 100, 30, 255)
    return [
        wf.MapObject("oak", "forest", 0.3, 2, picture=oak, size=1.5, anchor=(0.5, 1), jitter=0.25),
        wf.MapObject("hut", ["forest", "la*"], 0.05, 5, picture=hut),
        wf.MapObject("old stone", "ground", colour="#808080"),
    ]


def plain_tiles() -> wf.TileSet:
    tiles = [wf.Tile(name, ("a",) * 4) for name in ("forest", "lawn")]
    return wf.TileSet(tiles, groups={"ground": ["forest", "lawn"]}, objects=drawn_objects())


def test_a_file_holds_rules_for_objects(tmp_path: Path) -> None:
    Image.new("RGBA", (20, 10), "green").save(tmp_path / "things.png")
    text = """
[objects.oak]
on = ["forest"]
density = 0.3
apart = 2
picture = "things.png"
cut = [4, 0, 8, 10]
anchor = [0.5, 1]

[objects.stone]
on = "ground"
"""
    oak, stone = wf.TileSet.load(write_file(tmp_path, text)).objects
    assert oak == wf.MapObject("oak", "forest", 0.3, 2, anchor=(0.5, 1))
    assert oak.picture is not None
    assert oak.picture.shape == (10, 8, 4)
    assert stone == wf.MapObject("stone", "ground")


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    tiles = plain_tiles()
    tiles.save(tmp_path / "set.toml")
    read = wf.TileSet.load(tmp_path / "set.toml")
    assert read.objects == tiles.objects
    for mine, theirs in zip(tiles.objects, read.objects, strict=True):
        if mine.picture is None:
            assert theirs.picture is None
        else:
            assert theirs.picture is not None
            assert (theirs.picture[..., :3] == mine.picture[..., :3]).all()
    read.save(tmp_path / "again.toml")
    text = (tmp_path / "again.toml").read_text().replace("again-objects", "set-objects")
    assert text == (tmp_path / "set.toml").read_text()


def test_saved_worlds_and_patchworks_have_their_objects(tmp_path: Path) -> None:
    tiles = plain_tiles()
    with wf.World(tiles, seed=3, chunk=16) as world:
        objects = world.objects(0, 0, 30, 30)
        world.save(tmp_path / "a.world")
    with wf.World.open(tmp_path / "a.world") as again:
        assert again.objects(0, 0, 30, 30) == objects != []
    map = wf.Patchwork(tiles, radius=4, seed=3)
    map.populate((0, 0))
    map.save(tmp_path / "map.patchwork")
    assert wf.Patchwork.load(tmp_path / "map.patchwork").objects == map.objects != []


def test_objects_without_their_pictures_are_read() -> None:
    entries = encode_tiles(plain_tiles())
    del entries["tiles-objects.png"]
    found = decode_tiles(entries).objects
    assert found == plain_tiles().objects
    assert all(each.picture is None for each in found)


@pytest.mark.parametrize(
    ("objects", "message"),
    [
        ('[objects.oak]\non = "forrest"', "[objects.oak], line 13: object 'oak': there is no tile 'forrest'"),
        ('[objects.oak]\non = "forest"\ndensty = 1', "unknown key 'densty'; did you mean 'density'?"),
        ("[objects.oak]\ndensity = 1", "[objects.oak], line 12: needs a key 'on'"),
        ('[objects.oak]\non = "forest"\ndensity = 2', "density"),
        ('[objects.oak]\non = "forest"\napart = 0', "apart=0; it must be a whole number of steps"),
        ('[objects.oak]\non = "forest"\ncolour = "blurple"', "colour must be a colour"),
        ('[objects.oak]\non = "forest"\npicture = "no.png"', "does not exist"),
        (
            '[objects.oak]\non = "forest"\npicture = "../a.png"',
            "a picture must be a PNG file in the same folder",
        ),
        ('[objects.oak]\non = "forest"\ncut = [0, 0, 4, 4]', "cut needs a picture"),
        ('[objects.oak]\non = "forest"\npicture = "p.png"\ncut = [0, 0, 9, 4]', "of 8 x 8 pixels"),
        ('[objects.oak]\non = "forest"\ncut = [0, 0]', "[left, top, width, height] in pixels"),
        ("objects = 3", "objects"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, objects: str, message: str) -> None:
    Image.new("RGBA", (8, 8), "green").save(tmp_path / "p.png")
    with pytest.raises(wf.FormatError) as error:
        wf.TileSet.load(write_file(tmp_path, objects))
    assert message in str(error.value)
