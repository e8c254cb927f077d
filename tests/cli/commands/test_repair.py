"""`wavefold repair` as people run it."""

import json
import re

from running import complaint, done_well

import wavefold as wf
from wavefold.tiles.learning.samples import samples


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


def in_tiled(wavefold, tmp_path, erase=True, more=""):
    """A map for Tiled, and the same with its first cell erased, and more in it."""
    done_well(wavefold("generate", "pipes", "--size", "8x6", "--seed", 3, "-o", "map.tmx"))
    text = (tmp_path / "map.tmx").read_text()
    if erase:
        text = re.sub(r'(csv">\n)[0-9]+', r"\g<1>0", text)
    (tmp_path / "edited.tmx").write_text(text.replace("</map>", f"{more}</map>"))


def test_an_erased_cell_is_filled(wavefold, tmp_path):
    in_tiled(wavefold, tmp_path)
    done = wavefold("repair", "edited.tmx", "--original", "map.tmx", "-o", "mended.tmx")
    told = done_well(done)
    assert "1 cell did not fit, 1 was changed" in told
    assert told.startswith("mended.tmx, mended-tiles.tsx, mended-tiles.png")
    assert done.stderr == ""


def test_what_a_map_has_besides_cells_is_not_lost_in_silence(wavefold, tmp_path):
    more = '<layer id="7" name="roof" width="8" height="6"><data encoding="csv">' + ",".join("0" * 48)
    in_tiled(wavefold, tmp_path, more=f'<objectgroup id="9" name="people"/>{more}</data></layer>')
    before = (tmp_path / "edited.tmx").read_bytes()
    done = wavefold("repair", "edited.tmx", "-o", "mended.tmx")
    done_well(done)
    assert "has 1 object layer, 1 other tile layer, which will not be in mended.tmx" in done.stderr
    assert "choose another name" in complaint(wavefold("repair", "edited.tmx", "-o", "edited.tmx"))
    assert (tmp_path / "edited.tmx").read_bytes() == before
    assert wavefold("repair", "edited.tmx", "-o", "mended.png").stderr == ""


def test_a_map_that_is_only_a_map_is_mended_where_it_is(wavefold, tmp_path):
    in_tiled(wavefold, tmp_path)
    done_well(wavefold("repair", "edited.tmx", "-o", "edited.tmx"))
    assert "0 cells did not fit" in done_well(wavefold("repair", "edited.tmx"))
    message = complaint(wavefold("repair", "edited.tmx", "--original", "map.tmx", "-o", "map.tmx"))
    assert "overwritten" in message


def test_what_cannot_be_kept_is_told(wavefold, tmp_path):
    data = made(wavefold, tmp_path)
    names = [each["pattern"] for each in data["palette"]]
    for column, name in ((3, "lamp@90"), (4, "wall")):
        if name not in names:
            names.append(name)
            data["palette"].append({**data["palette"][0], "pattern": name})
        data["cells"][2][column] = names.index(name)
    (tmp_path / "edited.json").write_text(json.dumps(data))
    done = wavefold("repair", "edited.json", "--keep", "3,2", "--keep", "4,2", "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["kind"] == "impossible"
    assert "the kept cell 'lamp@90' at column 3, row 2" in told["error"]
    assert "mask" not in told["error"]


def test_a_ground_stays_where_it_belongs(wavefold, tmp_path):
    name = next(each for each in samples() if wf.learn(each).ground_pattern is not None)
    done_well(wavefold("generate", name, "--size", "12x10", "-o", "map.json"))
    data = json.loads((tmp_path / "map.json").read_text())
    ground = data["cells"][-1][0]
    data["cells"][3][4] = ground
    (tmp_path / "map.json").write_text(json.dumps(data))
    done_well(wavefold("repair", "map.json", "--tiles", name, "-o", "mended.json"))
    cells = json.loads((tmp_path / "mended.json").read_text())["cells"]
    palette = json.loads((tmp_path / "mended.json").read_text())["palette"]
    bottom = [palette[number] for number in cells[-1]]
    assert all(entry == bottom[0] for entry in bottom)
    assert bottom[0] not in [palette[number] for row in cells[:-1] for number in row]


def test_a_map_that_names_no_tiles_says_which_flag_does(wavefold, tmp_path):
    (tmp_path / "m.csv").write_text("x,y,pattern\n0,0,wall\n")
    assert "pass the tiles with --tiles" in complaint(wavefold("repair", "m.csv"))


def test_a_part_of_a_world_stays_where_it_is(wavefold, tmp_path):
    done_well(wavefold("world", "pipes", "--chunk", 8, "--region", "-2:-1,3:4", "-o", "part.tmj"))
    document = json.loads((tmp_path / "part.tmj").read_text())
    (chunk,) = document["layers"][0]["chunks"]
    assert (chunk["x"], chunk["y"]) == (-16, 16)
    place = 16 * (27 - 16) + 3  # column -13, row 27
    chunk["data"][place] = 1 + chunk["data"][place] % 9
    (tmp_path / "edited.tmj").write_text(json.dumps(document))
    keep = ("--keep", "-13,27", "--json", "-o", "mended.tmj")
    told = json.loads(done_well(wavefold("repair", "edited.tmj", *keep)))
    assert all(-16 <= x < -8 and 24 <= y < 32 for x, y in (each["cell"] for each in told["changed"]))
    drawn, mended = (wf.read_map(tmp_path / name) for name in ("edited.tmj", "mended.tmj"))
    assert mended.origin == drawn.origin == (-16, 24)
    assert mended.array[3, 3] == drawn.array[3, 3]
    told = done_well(wavefold("repair", "edited.tmj", "--original", "part.tmj", "-o", "again.tmj"))
    assert told.count("  (-") == min(12, len(wf.read_map(tmp_path / "again.tmj").differences(drawn)))
    done_well(wavefold("world", "pipes", "--chunk", 8, "-o", "middle.tmj"))
    message = complaint(wavefold("repair", "edited.tmj", "--original", "middle.tmj"))
    assert "is another part of its world" in message
