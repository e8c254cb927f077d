"""Files: pipes are refused, and what is larger than a limit."""

import os

import pytest

import wavefold as wf
from wavefold.common.files import read_limited


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("name", ["set.toml", "set.xml", "map.tmx", "set.tsj"])
def test_a_pipe_is_refused_and_not_waited_for(tmp_path, name):
    os.mkfifo(tmp_path / name)
    with pytest.raises(wf.FormatError, match="it is not a file"):
        wf.TileSet.load(tmp_path / name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_sample_may_not_be_a_pipe_either(tmp_path):
    os.mkfifo(tmp_path / "sample.png")
    with pytest.raises(wf.FormatError, match="is not a file"):
        wf.learn(tmp_path / "sample.png")


def test_a_file_may_hold_so_much_and_no_more(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_limited(path, 5, "write less") == b"12345"
    with pytest.raises(wf.FormatError, match="is larger than 4 bytes; write less"):
        read_limited(path, 4, "write less")
