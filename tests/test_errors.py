"""Errors say what to do: in Python with arguments, on the command line with flags."""

import pickle

import pytest

import wavefold as wf


@pytest.mark.parametrize(
    ("error", "in_python", "in_flags"),
    [
        (wf.ConfigError("too large"), "too large", "too large"),
        (wf.ConfigError("too large", advice="make it smaller"), *["too large; make it smaller"] * 2),
        (
            wf.TileSetWarning("too large", advice="try size=4", flag_advice="try --size 4"),
            "too large; try size=4",
            "too large; try --size 4",
        ),
        (
            wf.ConfigError("too large", advice="try size=4", flag_advice=""),
            "too large; try size=4",
            "too large",
        ),
        (
            wf.ConfigError("must be 1", argument="tile_size"),
            "tile_size must be 1",
            "--tile-size must be 1",
        ),
    ],
)
def test_a_message_has_words_for_both(error, in_python, in_flags):
    for each in (error, pickle.loads(pickle.dumps(error))):
        assert (str(each), each.in_flags) == (in_python, in_flags)
    behind = wf.FormatError().put_behind("line 3: ", error)
    assert (str(behind), behind.in_flags) == (f"line 3: {in_python}", f"line 3: {in_flags}")
