"""`wavefold repair` as people run it."""

import json

from running import complaint, done_well


def edited(path, row, column, name):
    """Write another pattern into one cell of a map on file."""
    data = json.loads(path.read_text())
    data["cells"][row][column] = [each["pattern"] for each in data["palette"]].index(name)
    path.write_text(json.dumps(data))


def made(wavefold, tmp_path):
    done_well(wavefold("generate", "pipes", "--size", "8x6", "--seed", 3, "-o", "map.json"))
    text = (tmp_path / "map.json").read_text()
    (tmp_path / "edited.json").write_text(text)
    return json.loads(text)


def test_a_valid_map_needs_no_change(wavefold, tmp_path):
    made(wavefold, tmp_path)
    assert "0 cells did not fit, 0 were changed" in done_well(wavefold("repair", "map.json"))


def test_an_edit_is_kept_and_the_rest_is_mended(wavefold, tmp_path):
    data = made(wavefold, tmp_path)
    before = data["cells"][2][3]
    other = next(number for number in range(len(data["palette"])) if number != before)
    name = data["palette"][other]
    edited(tmp_path / "edited.json", 2, 3, name["pattern"] if isinstance(name, dict) else name)
    done = wavefold(
        "repair", "edited.json", "--original", "map.json", "-o", "mended.json", "-o", "m.png", "--json"
    )
    told = json.loads(done_well(done))
    assert told["outputs"] == ["mended.json", "m.png"]
    mended = json.loads((tmp_path / "mended.json").read_text())
    assert mended["palette"][mended["cells"][2][3]] == data["palette"][other]
    assert "0 cells did not fit" in done_well(wavefold("repair", "mended.json"))
    free = json.loads(done_well(wavefold("repair", "edited.json", "--json")))
    assert len(free["changed"]) <= 1


def test_bad_input_is_one_sentence(wavefold, tmp_path):
    made(wavefold, tmp_path)
    assert "nothing.json" in complaint(wavefold("repair", "nothing.json"))
    assert "write it as X,Y" in complaint(wavefold("repair", "map.json", "--keep", "here"))
    assert "known" in complaint(wavefold("repair", "map.json", "--tiles", "nosuchset"))
    done_well(wavefold("generate", "pipes", "--size", "5x5", "-o", "small.json"))
    assert "another shape" in complaint(wavefold("repair", "map.json", "--original", "small.json"))
