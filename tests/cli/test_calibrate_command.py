"""`wavefold calibrate`: a copy of a tile set with its activities."""

import json

import wavefold as wf

SMALL = ("--size", "12x12", "--seeds", "1", "--rounds", "2", "--sweeps", "2")


def test_a_copy_with_activities_is_written(wavefold, tmp_path, monkeypatch):
    done = wavefold("calibrate", "pipes", *SMALL, "-o", "set.toml", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["sweeps"] == 2
    assert 0 <= found["distance"] <= 1
    tiles = wf.TileSet.load(tmp_path / "set.toml")
    assert dict(tiles.activities) == found["activities"]


def test_a_table_lists_what_is_furthest_from_what_was_asked(wavefold):
    done = wavefold("calibrate", "pipes", *SMALL)
    assert done.returncode == 0
    assert "furthest from what was asked" in done.stdout
    assert "of the cells differ from what was asked after 2 sweeps" in done.stdout


def test_bad_input_is_one_line(wavefold):
    for arguments in (("--size", "12"), ("-o", "set.png")):
        done = wavefold("calibrate", "pipes", *arguments)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
