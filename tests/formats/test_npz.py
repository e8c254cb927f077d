"""Maps as NumPy arrays."""

import io
import os
import zipfile

import numpy as np
import pytest
from map_solutions import LATTICES, TILES, anything, on, read

import wavefold as wf
from wavefold.formats import npz


def test_arrays_open_without_pickles(tmp_path):
    solution = on(LATTICES["disk"])
    solution.save(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz", allow_pickle=False) as found:
        assert set(found) == {"patterns", "names", "array", "coordinates", "metadata"}
        assert (found["patterns"] == solution.patterns).all()
        assert (found["array"] == solution.array).all()
        assert (found["coordinates"] == LATTICES["disk"].coordinates).all()
        assert found["names"].tolist() == list(solution.problem.rules.names)
        assert '"radius": 2' in str(found["metadata"])


def test_arrays_of_learned_sets_have_colours(tmp_path):
    tiles = wf.learn_adjacency(np.array([[[1, 2, 3], [4, 5, 6]]], np.uint8))
    anything(tiles, wf.SquareGrid(3, 3)).save(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz") as found:
        assert found["values"].tolist() == [[1, 2, 3], [4, 5, 6]]
    anything(wf.learn_adjacency([["a", "b"]]), wf.SquareGrid(3, 3)).save(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz") as found:
        assert "values" not in found


def test_arrays_saved_again_by_numpy_are_read(tmp_path):
    solution = on(LATTICES["square"])
    solution.save(tmp_path / "map.npz")
    with np.load(tmp_path / "map.npz") as found:
        arrays = dict(found)
    arrays["patterns"] = arrays["patterns"].astype(np.uint8)
    arrays["patterns"][0] = 2
    np.savez_compressed(tmp_path / "again.npz", **arrays)
    drawn = read(tmp_path / "again.npz", TILES["square"])
    assert drawn.patterns[0] == 2
    assert (drawn.patterns[1:] == solution.patterns[1:]).all()


def with_arrays(folder, **changes):
    on(LATTICES["square"]).save(folder / "map.npz")
    with np.load(folder / "map.npz") as found:
        arrays = dict(found) | changes
    np.savez(folder / "map.npz", **{name: array for name, array in arrays.items() if array is not None})
    return folder / "map.npz"


ARRAYS = {
    "no patterns": ({"patterns": None}, "is not a wavefold map: array 'patterns' is missing"),
    "no metadata": ({"metadata": None}, "array 'metadata' is missing"),
    "floats": ({"patterns": np.zeros(20)}, r"patterns: must be whole numbers in 1 dimensions; found float64"),
    "rows": ({"patterns": np.zeros((4, 5), int)}, r"must be whole numbers in 1 dimensions; found int64 \(4"),
    "few": ({"patterns": np.zeros(3, int)}, "patterns: holds 3 cells; the topology has 20"),
    "outside": ({"patterns": np.full(20, 99)}, r"patterns: holds numbers outside -1 to 10"),
    "below": ({"patterns": np.full(20, -2)}, "patterns: holds numbers outside"),
    "objects": ({"patterns": np.array([{}] * 20)}, "patterns: "),
    "no names": ({"names": np.zeros(9)}, "names: must be text in 1 dimensions"),
    "no JSON": ({"metadata": np.array("hello")}, "not valid JSON"),
    "another": (
        {"metadata": np.array("{}")},
        "metadata: .* is not a wavefold map: field 'format' is missing",
    ),
    "half": ({"metadata": np.array("\ud800")}, "metadata: holds half a character"),
}


@pytest.mark.parametrize(("changes", "message"), ARRAYS.values(), ids=ARRAYS.keys())
def test_arrays_that_are_not_a_map_are_refused(tmp_path, changes, message):
    path = with_arrays(tmp_path, **changes)
    with pytest.raises(wf.FormatError, match=message):
        read(path, TILES["square"])


def test_a_header_that_claims_too_much_makes_no_array(tmp_path):
    octets = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        octets, {"descr": "<i8", "fortran_order": False, "shape": (1 << 50,)}
    )
    on(LATTICES["square"]).save(tmp_path / "map.npz")
    with zipfile.ZipFile(tmp_path / "map.npz") as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | {
            "patterns.npy": octets.getvalue()
        }
    with zipfile.ZipFile(tmp_path / "map.npz", "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(wf.FormatError, match="patterns: not a valid NumPy array: its size is not"):
        read(tmp_path / "map.npz", TILES["square"])


def test_an_array_that_unpacks_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(npz, "MOST_BYTES", 1 << 20)
    path = with_arrays(tmp_path)
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("patterns.npy", bytes(np.lib.format.magic(1, 0)) + bytes(50_000_000))
    with pytest.raises(wf.FormatError, match="patterns: "):
        read(path, TILES["square"])


def test_what_is_not_an_archive_is_refused(tmp_path):
    (tmp_path / "map.npz").write_bytes(b"hello")
    with pytest.raises(
        wf.FormatError, match=r"ends in \.npz but is not a NumPy archive: file is not a zip file"
    ):
        read(tmp_path / "map.npz", TILES["square"])
    with pytest.raises(wf.FormatError, match=r"cannot read .*no such file"):
        read(tmp_path / "nothing.npz", TILES["square"])
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(wf.FormatError, match="it is not a file"):
        read(tmp_path / "pipe.npz", TILES["square"])
