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


def test_a_table_lists_the_tiles_furthest_off_target(wavefold):
    done = wavefold("calibrate", "pipes", *SMALL)
    assert done.returncode == 0
    assert "furthest off target" in done.stdout
    assert "of the cells are off target after 2 sweeps" in done.stdout


def test_a_note_says_at_once_that_the_result_is_only_shown(wavefold, monkeypatch):
    def fail(*_, **__):
        raise wf.ConfigError("stopped before the work")

    monkeypatch.setattr(wf, "calibrate", fail)
    said = wavefold("calibrate", "pipes").stderr.splitlines()
    assert said[0] == ("wavefold: the result is only shown; to keep it, stop and add -o my-set.toml")
    assert said[1] == "wavefold: stopped before the work"
    for kept in (("-o", "set.toml"), ("--json",)):
        assert "nothing is kept" not in wavefold("calibrate", "pipes", *kept).stderr


def test_bad_input_is_one_line(wavefold):
    for arguments in (("--size", "12"), ("-o", "set.png")):
        done = wavefold("calibrate", "pipes", *arguments)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
