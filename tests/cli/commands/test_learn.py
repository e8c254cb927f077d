"""`wavefold learn`."""

import json

from PIL import Image
from running import complaint, done_well

import wavefold as wf
from wavefold.tiles.learning.samples import find_sample_path


def test_a_learned_set_is_written_and_used(wavefold, tmp_path):
    assert "patterns learned from kilim" in done_well(
        wavefold("learn", "kilim", "--n", 2, "-o", "kilim.toml")
    )
    done_well(wavefold("generate", "kilim.toml", "--size", "8x8", "-o", "map.png"))
    data = json.loads(done_well(wavefold("learn", "kilim", "--adjacency", "--json")))
    assert data["n"] == 1
    assert data["patterns"] == len(wf.learn_adjacency("kilim"))
    assert "a tile set ends in .toml" in complaint(wavefold("learn", "kilim", "-o", "kilim.png"))
    assert "--n is for windows" in complaint(wavefold("learn", "kilim", "--adjacency", "--n", 3))


def test_a_map_drawn_in_tiled_is_learned_and_written(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "6x6", "-o", "m.tmx"))
    done = wavefold("learn", "m.tmx", "--adjacency", "-o", "x.toml")
    done_well(done)
    assert "not their pictures" in done.stderr
    done_well(wavefold("generate", "x.toml", "--size", "4x4"))


def enlarged_cave(path):
    with Image.open(find_sample_path("cave")) as picture:
        width, height = picture.size
        picture.convert("RGB").resize((4 * width, 4 * height), Image.Resampling.NEAREST).save(path)


def test_an_enlarged_picture_is_named_and_undone(wavefold, tmp_path):
    enlarged_cave(tmp_path / "big.png")
    done = wavefold("learn", "big.png", "--json", "--symmetry", 2)
    assert done.stderr == (
        "wavefold: big.png: blocks of 4 x 4 pixels were read as one; --scale 1 reads each pixel\n"
    )
    for options in ([], ["--scale", "auto"], ["--scale", 4, "--colours", 16]):
        done = wavefold("learn", "big.png", "--json", *options)
        data = json.loads(done_well(done))
        assert (data["patterns"], data["symmetry"]) == (321, 2)
        assert "321 patterns, symmetry 2 (with mirror images: " in done.stderr
    assert "symmetry" not in wavefold("learn", "big.png", "--symmetry", 1, "--scale", 4).stderr
    done = wavefold("learn", "big.png", "--symmetry", 2, "--scale", 1, "--json")
    assert json.loads(done_well(done))["patterns"] > 321
    assert done.stderr == ""


def test_a_picture_that_may_be_enlarged_is_reported_and_learned_unscaled(wavefold, tmp_path):
    enlarged_cave(tmp_path / "big.png")
    with Image.open(tmp_path / "big.png") as picture:
        picture.save(tmp_path / "big.jpg", quality=80)
    said = wavefold("learn", "big.jpg", "--colours", 8, "--json").stderr
    assert "blocks of 4 x 4; undo it with --scale auto" in said
    assert "read as one" not in said


def test_the_scale_that_was_found_is_named_and_so_is_that_none_was(wavefold, tmp_path):
    enlarged_cave(tmp_path / "big.png")
    found = "blocks of 4 x 4 pixels were read as one; --scale"
    for command in ("generate", "learn"):
        assert found in wavefold(command, "big.png", "--n", 2, "--scale", "auto", "--json").stderr
    assert "it is not upscaled; --scale" in wavefold("learn", "cave", "--n", 2, "--scale", "auto").stderr


def test_every_command_that_takes_a_picture_learns_as_it_is_asked(wavefold, tmp_path):
    enlarged_cave(tmp_path / "big.png")
    how = ("--scale", "auto", "--colours", 3, "--symmetry", 8, "--n", 2, "--open", "--no-ground")
    commands = (
        (["generate"], ["--size", "5x5"]),
        (["patchwork", "build"], ["--radius", 2, "--grids", 1]),
        (["world"], ["--chunk", 24]),
    )
    for command, options in commands:
        done = wavefold(*command, "big.png", *options, *how, "--json")
        assert json.loads(done_well(done))
        assert "upscaled" not in done.stderr
        assert "--colours is for pictures" in complaint(wavefold(*command, "castle", "--colours", 3))
    (tmp_path / "wavefold.toml").write_text(
        '[learn]\nscale = "auto"\nsymmetry = 1\n[generate]\ntileset = "big.png"\n'
    )
    said = wavefold("generate", "--size", "5x5", "--json").stderr
    assert said.startswith("wavefold: big.png: blocks of 4 x 4 pixels")
    assert said.count("\n") == 1
    assert (
        "upscaled"
        not in wavefold("patchwork", "build", "big.png", "--radius", 2, "--grids", 1, "--json").stderr
    )
    assert "--scale" in complaint(wavefold("generate", "big.png", "--scale", "x"))
