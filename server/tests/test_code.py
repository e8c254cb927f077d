"""What is copied as code is the same, whoever runs it: maps, blocks, drafts, samples, worlds, patchworks."""

import json
import shlex
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

import wavefold as wf
from wavefold.cli import main
from wavefold_server.code.map_code import write_map
from wavefold_server.code.python_text import write_value
from wavefold_server.documents.files import read_saved_map
from wavefold_server.live.session import LiveSession
from wavefold_server.problems import Problem
from wavefold_server.settings import Limits
from wavefold_server.solves.models import SolveRequest

PIN = {"command": "pin", "cell": [1, 1], "tile": "meadow"}
DONE = [{"command": "run", "show": "end"}, {"command": "refine"}]
PAINT = {"command": "paint", "cells": [40, [5, 5]], "tile": "river"}
REGROW = {"command": "regrow", "cells": [60, 61, 62, 73], "seed": 3}
FIELDS = {
    "hills": {"noise": {"scale": 0.2, "seed": 4}},
    "wet": {"expression": "clamp(2 * (0.75 - abs(hills)), 0, 1)"},
}
ON_THE_COMMAND_LINE = {
    "plain": {},
    "sized": {"topology": {"width": 9, "height": 7, "wraps": True}, "refine": 3},
    "pinned": {"pins": [[1, 2, "well"]], "refine": False},
    "constrained": {
        "constraints": [
            {"kind": "count", "tile": "keep", "at_least": 1, "at_most": 2},
            {"kind": "border", "tile": ["meadow", "tree"], "side": "north"},
            {"kind": "separation", "tile": "well", "distance": 3},
        ]
    },
    "ordered": {"heuristics": {"order": "scanline"}, "search": {"ladder": "backjump"}},
    "limited": {"budget": {"decisions": 5_000, "backtracks": 900}, "own_constraints": False},
    "finished": {"commands": DONE},
    "locked": {"locks": [[10, 3], [20, 0]]},
}
ONLY_IN_A_DOCUMENT = {
    "weighted": {"weights": {"river": 3.0, "tree": 0.0}},
    "shared": {"shares": {"river": 0.2}},
    "tuned": {
        "heuristics": {"order": "spiral", "match_neighbours": True, "caps": {"well": 4}},
        "search": {"ladder": "repair", "restarts": 3},
    },
    "half round": {"topology": {"width": 9, "height": 7, "wraps": [True, False]}},
    "masked": {"topology": {"mask": ["####....", "########", "########", "..######"]}},
    "steered": {"commands": [{"command": "step", "count": 9}, PIN, {"command": "undo", "count": 2}]},
    "paused": {"commands": [{"command": "run", "until": 9, "show": "end"}, PIN]},
    "banned": {"commands": [{"command": "ban", "cell": 7, "tile": ["meadow", "court"]}]},
    "painted": {"commands": [PIN, *DONE, PAINT]},
    "regrown": {"commands": [*DONE, PAINT, REGROW]},
    "refined": {"commands": [*DONE, {"command": "refine", "sweeps": 2}, PAINT, {"command": "refine"}]},
    "undone": {"commands": [*DONE, PAINT, REGROW, {"command": "undo", "count": 1}]},
    "painted beside what is kept, in place of a pin": {
        "commands": [PIN, *DONE, PAINT | {"keep": [42], "drop": [[1, 1]]}]
    },
    "locked, then painted": {"locks": [[10, 3]], "commands": [*DONE, PAINT]},
    "driven": {"fields": FIELDS, "terrain": {"limits": {"river": {"hills": [0, 1]}}}},
    "weighted by fields": {
        "fields": FIELDS,
        "weights": {"river": 1.7},
        "terrain": {"weights": {"river": "rescaled(hills, 0.5, 5)", "tree": 0.3}},
    },
    "influenced": {"fields": FIELDS, "heuristics": {"order": "domain", "influence": "wet * 3"}},
    "with a field that is the same everywhere": {
        "fields": {"flat": {"value": 0.5}, "hills": {"expression": "clamp(flat, 0, 0.25) * 2"}},
        "terrain": {"weights": {"tree": "hills"}},
    },
}
ALL = ON_THE_COMMAND_LINE | ONLY_IN_A_DOCUMENT


def ask(options, tileset="castle"):
    usual = {"tileset": tileset, "topology": {"width": 10, "height": 8}, "seed": 5}
    return SolveRequest.model_validate(usual | options)


def show(request, tiles):
    return LiveSession(request, tiles, Limits()).complete().patterns.tolist()


def run_python(text, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(compile(text, "copied.py", "exec"), names)
    assert Path("map.png").stat().st_size > 0
    return names["solution"].patterns.tolist()


def run_command(text, tiles, monkeypatch):
    monkeypatch.setattr("sys.argv", shlex.split(text.replace("map.png", "map.json")))
    with suppress(SystemExit):
        main()
    return wf.read_map("map.json", tiles).patterns.tolist()


@pytest.mark.parametrize("name", ALL)
def test_the_python_program_makes_the_same_map(name, tmp_path, monkeypatch):
    request, tiles = ask(ALL[name]), wf.TileSet.load("castle")
    code = write_map(request, tiles, True, Limits())
    assert code.python_needs is None
    assert run_python(code.python, tmp_path, monkeypatch) == show(request, tiles)


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_the_command_makes_the_same_map(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    request, tiles = ask(ON_THE_COMMAND_LINE[name]), wf.TileSet.load("castle")
    code = write_map(request, tiles, True, Limits())
    assert code.command_needs is None
    assert run_command(code.command, tiles, monkeypatch) == show(request, tiles)


@pytest.mark.parametrize("name", ONLY_IN_A_DOCUMENT)
def test_what_options_cannot_say_is_read_from_the_document(name):
    code = write_map(ask(ONLY_IN_A_DOCUMENT[name]), wf.TileSet.load("castle"), True, Limits())
    assert code.command == "wavefold generate map.wavefold -o map.png"
    assert code.command_needs == "map.wavefold"


@pytest.mark.parametrize(
    "topology", [{"radius": 4}, {"width": 6, "height": 6, "wraps": True}, {"width": 7, "height": 5}]
)
def test_maps_of_hexagons_are_code_too(topology, tmp_path, monkeypatch):
    request, tiles = ask({"topology": topology}, "medieval"), wf.TileSet.load("medieval")
    code = write_map(request, tiles, True, Limits())
    assert run_python(code.python, tmp_path, monkeypatch) == show(request, tiles)
    assert run_command(code.command, tiles, monkeypatch) == show(request, tiles)


CUBES = {"topology": {"width": 6, "height": 5, "depth": 4}}


@pytest.mark.parametrize(
    "options",
    [
        CUBES,
        CUBES | {"constraints": [{"kind": "count", "tile": "air", "at_least": 20}], "refine": 1},
        CUBES | {"commands": [*DONE, {"command": "regrow", "cells": [31, 32], "seed": 3}]},
    ],
)
def test_maps_of_blocks_are_code_too(options, tmp_path, monkeypatch):
    request, tiles = ask(options, "blocks"), wf.TileSet.load("blocks")
    code = write_map(request, tiles, True, Limits())
    assert run_python(code.python, tmp_path, monkeypatch) == show(request, tiles)
    if code.command_needs is None:
        assert run_command(code.command, tiles, monkeypatch) == show(request, tiles)


SAMPLE = {
    "width": 4,
    "height": 4,
    "palette": ["#ffffff", "#145aa0", "#a01414"],
    "pixels": [1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 2, 0, 0, 2],
}


def save_sample(path):
    image = Image.new("RGB", (4, 4))
    image.putdata([tuple(bytes.fromhex(SAMPLE["palette"][each][1:])) for each in SAMPLE["pixels"]])
    image.save(path)


@pytest.fixture
def mine(shared_client, tmp_path):
    """The id of a tile set of one's own; the file that code needs is in the scratch folder."""
    save_sample(tmp_path / "sample.png")
    content, png = (tmp_path / "sample.png").read_bytes(), {"Content-Type": "image/png"}
    made = shared_client.post("/api/v1/tilesets?n=2&name=My 'own'", content=content, headers=png).json()
    archive = shared_client.get(f"/api/v1/tilesets/{made['id']}/tiles.zip")
    (tmp_path / "my-own.zip").write_bytes(archive.content)
    return made["id"]


@pytest.mark.parametrize("more", [{}, {"fields": FIELDS, "weights": {"p1": 2.0}}])
def test_a_tile_set_of_ones_own_is_loaded_from_its_file(shared_client, mine, tmp_path, monkeypatch, more):
    body = {"tileset": mine, "topology": {"width": 9, "height": 9}, "seed": 2} | more
    code = shared_client.post("/api/v1/solves/code", json=body).json()
    assert code["python_needs"] == "my-own.zip"
    solved = shared_client.post("/api/v1/solves", json=body).json()
    assert run_python(code["python"], tmp_path, monkeypatch) == solved["patterns"]
    if not more:
        assert code["command_needs"] == "my-own.zip"
        assert run_command(code["command"], wf.TileSet.load("my-own.zip"), monkeypatch) == solved["patterns"]
    archive, zipped = (tmp_path / "my-own.zip").read_bytes(), {"Content-Type": "application/zip"}
    again = shared_client.post("/api/v1/tilesets", content=archive, headers=zipped)
    assert again.json()["id"] == mine


BLUE = [20, 90, 160]


@pytest.mark.parametrize(
    "more",
    [
        {"commands": [{"command": "pin", "cell": [1, 1], "tile": BLUE}, *DONE]},
        {"commands": [{"command": "ban", "cell": [1, 1], "tile": [BLUE, [160, 20, 20]]}, *DONE]},
        {"commands": [*DONE, {"command": "paint", "cells": [[4, 4]], "tile": BLUE}]},
        {"pins": [[1, 1, BLUE]]},
        {"constraints": [{"kind": "count", "tile": BLUE, "at_least": 3}]},
    ],
)
def test_colours_are_written_as_colours(shared_client, mine, tmp_path, monkeypatch, more):
    body = {"tileset": mine, "topology": {"width": 9, "height": 9}, "seed": 2} | more
    code = shared_client.post("/api/v1/solves/code", json=body).json()
    solved = shared_client.post("/api/v1/solves", json=body).json()
    assert run_python(code["python"], tmp_path, monkeypatch) == solved["patterns"]


def test_a_draft_is_code_once_it_is_stored(shared_client, tmp_path, monkeypatch):
    tables = shared_client.get("/api/v1/drafts/bases/castle").json()["tables"]
    tables["tiles"][0]["weight"] = 7.5
    tables["constraints"] = [{"kind": "count", "tile": "keep", "at_least": 2, "at_most": 3}]
    body = {"tables": tables, "width": 12, "height": 10, "seed": 4}
    drafted = shared_client.post("/api/v1/drafts", json=body).json()
    stored = shared_client.post("/api/v1/drafts/tileset", json={"base": "castle", "tables": tables}).json()
    request = {"tileset": stored["id"], "topology": {"width": 12, "height": 10}, "seed": 4, "refine": False}
    code = shared_client.post("/api/v1/solves/code", json=request).json()
    archive = shared_client.get(f"/api/v1/tilesets/{stored['id']}/tiles.zip")
    (tmp_path / code["python_needs"]).write_bytes(archive.content)
    assert run_python(code["python"], tmp_path, monkeypatch) == drafted["patterns"]
    tiles = wf.TileSet.load(code["command_needs"])
    assert run_command(code["command"], tiles, monkeypatch) == drafted["patterns"]


@pytest.mark.parametrize(
    "options",
    [{}, {"n": 2, "symmetry": 4, "periodic": False, "wraps": True}, {"n": 2, "refine": True}, {"n": 1}],
)
def test_the_map_of_a_sample_is_code(shared_client, tmp_path, monkeypatch, options):
    body = {"sample": SAMPLE, "width": 12, "height": 9, "seed": 3} | options
    answer = shared_client.post("/api/v1/sketches", json=body).json()
    code = shared_client.post("/api/v1/sketches/code", json=body).json()
    save_sample(tmp_path / code["python_needs"])
    assert run_python(code["python"], tmp_path, monkeypatch) == answer["patterns"]
    learning = {name: each for name, each in options.items() if name in ("n", "symmetry", "periodic")}
    tiles = wf.learn("sample.png", **({"periodic": True} | learning))
    assert run_command(code["command"], tiles, monkeypatch) == answer["patterns"]


def test_banned_patterns_are_banned_in_code_too(shared_client, tmp_path, monkeypatch):
    body = {"sample": SAMPLE, "n": 2, "width": 12, "height": 9, "seed": 3}
    banned = shared_client.post("/api/v1/sketches", json=body).json()["cells"][-1]
    body["banned"] = [banned]
    answer = shared_client.post("/api/v1/sketches", json=body).json()
    code = shared_client.post("/api/v1/sketches/code", json=body).json()
    save_sample(tmp_path / "sample.png")
    last = len(answer["cells"]) - 1  # so that others keep their numbers
    assert last not in answer["patterns"]
    assert run_python(code["python"], tmp_path, monkeypatch) == answer["patterns"]
    sample = (tmp_path / "sample.png").read_bytes()
    uploads, headers = f"/api/v1/tilesets?n=2&without={last}", {"Content-Type": "image/png"}
    id = shared_client.post(uploads, content=sample, headers=headers).json()["id"]
    archive = shared_client.get(f"/api/v1/tilesets/{id}/tiles.zip")
    (tmp_path / code["command_needs"]).write_bytes(archive.content)
    tiles = wf.TileSet.load(code["command_needs"])
    assert run_command(code["command"], tiles, monkeypatch) == answer["patterns"]


# --- names and values that look like code ------------------------------------------------------------

ODD_NAMES = ("7", "true", "a,b", "[x]", "np. suppress(")


def build_odd_tiles():
    return wf.TileSet([wf.Tile(name, sockets=["a"] * 4) for name in (*ODD_NAMES, "plain")], name="odd")


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_constraint_about_a_tile_with_an_odd_name_is_the_same_in_code(name, tmp_path, monkeypatch):
    tiles, table = build_odd_tiles(), {"kind": "count", "tile": name, "at_least": 5, "at_most": 5}
    tiles.save(tmp_path / "odd.toml")
    request = ask({"constraints": [table]}, "odd")
    code = write_map(request, tiles, False, Limits())
    assert "import numpy" not in code.python
    assert "import suppress" not in code.python
    program = code.python.replace("odd.zip", "odd.toml")
    assert run_python(program, tmp_path, monkeypatch) == show(request, tiles)
    assert (code.command_needs == "map.wavefold") == (name != "np. suppress(")
    if code.command_needs == "odd.zip":
        command = code.command.replace("odd.zip", "odd.toml")
        assert run_command(command, tiles, monkeypatch) == show(request, tiles)


def test_a_long_program_is_not_parsed(shared_client, monkeypatch):
    monkeypatch.setattr("ast.parse", lambda text: pytest.fail(f"parses {text[:40]}"))
    steps = [{"populate": [[x, y] for x in range(9)]} for y in range(9)]
    answer = shared_client.post("/api/v1/patchworks/code", json={"tileset": "pipes", "steps": steps})
    assert answer.status_code == 200
    pins = [[x, 0, "meadow"] for x in range(9)]
    body = {"tileset": "castle", "pins": pins, "topology": {"width": 10, "height": 8}}
    assert shared_client.post("/api/v1/solves/code", json=body).status_code == 200


def test_what_is_no_python_is_refused_in_words():
    deep = wf.Noise(scale=0.2)
    for _ in range(196):
        deep = abs(deep)
    for value in (deep, object()):
        with pytest.raises(Problem, match="nested too deep") as refused:
            write_value(value)
        assert refused.value.status == 422


# --- worlds and patchworks --------------------------------------------------------------------------

WORLDS = {
    "plain": {},
    "refined": {"refine": 2},
    "driven": {"chunk": 32, "fields": FIELDS, "terrain": {"weights": {"cross": "rescaled(hills, 0.5, 5)"}}},
    "limited": {
        "fields": FIELDS,
        "terrain": {"limits": {"cross": {"hills": [0, 1]}}},
        "weights": {"tee": 2.5},
    },
    "constrained": {"constraints": [{"kind": "separation", "tile": "cross", "distance": 2}]},
    "pinned": {
        "refine": 1,
        "pins": [[3, 4, "cross"]],
        "shares": {"cross": 0.3},
        "radius": 9,
        "half_width": 8,
    },
    "by a preset": {"preset": "terrain"},
}
PART = {"x0": -10, "y0": 5, "width": 20, "height": 12}


def run_world_python(text, folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(compile(text, "copied.py", "exec"), names)
    assert Path("world.png").stat().st_size > 0
    return names["world"].solution(*PART.values()).patterns.tolist()


def make_world(client, body):
    """The world, its code, and the patterns of a part."""
    path = f"/api/v1/worlds/{client.post('/api/v1/worlds', json=body).json()['id']}"
    return path, lambda: (
        client.get(f"{path}/code", params=PART).json(),
        client.get(f"{path}/region.json", params=PART),
    )


def read_region(answer, tiles, folder):
    (folder / "region.json").write_bytes(answer.content)
    return wf.read_map(folder / "region.json", tiles).patterns.tolist()


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_as_code_is_the_same_world(shared_client, name, tmp_path, monkeypatch):
    _, read = make_world(shared_client, {"tileset": "pipes", "seed": 7} | WORLDS[name])
    code, region = read()
    tiles = wf.TileSet.load("pipes")
    expected = read_region(region, tiles, tmp_path)
    assert run_world_python(code["python"], tmp_path, monkeypatch) == expected
    assert (code["command"] is None) == (name in ("driven", "limited", "pinned"))
    if code["command"]:
        assert "--region=-1:1,0:1" in code["command"]
        monkeypatch.setattr("sys.argv", shlex.split(code["command"].replace("world.png", "world.json")))
        with suppress(SystemExit):
            main()
        chunks = wf.read_map("world.json", tiles).patterns.reshape(64, 128)
        assert chunks[5:17, 54:74].reshape(-1).tolist() == expected


def test_edits_of_a_world_of_ones_own_tiles_are_in_its_code(shared_client, mine, tmp_path, monkeypatch):
    path, read = make_world(shared_client, {"tileset": mine, "seed": 3})
    tiles = wf.TileSet.load(tmp_path / "my-own.zip")
    edit = {"cells": [[0, 6, tiles.rules.names[1]], [4, 9, list(tiles.rules.names[:2])]], "reach": 9}
    assert shared_client.post(f"{path}/edits", json=edit).status_code == 200
    code, region = read()
    assert code["python_needs"] == "my-own.zip"
    assert code["command"] is None
    expected = read_region(region, tiles, tmp_path)
    assert run_world_python(code["python"], tmp_path, monkeypatch) == expected


GROWN = [{"populate": [[0, 0], [1, 0]]}, {"populate": [[-1, 0]]}]
PATCHWORKS = {
    "plain": ({}, GROWN),
    "refined": ({"refine": 1, "join": "editable"}, GROWN),
    "whole": ({"join": "whole"}, GROWN[:1]),
    "driven": ({"fields": FIELDS, "terrain": {"weights": {"cross": "rescaled(hills, 0.5, 5)"}}}, GROWN),
    "whole, then grown": ({"join": "whole"}, GROWN),
    "rebuilt": ({}, [*GROWN, {"rebuild": [2, 1], "radius": 1}]),
    "tuned": ({"presets": [[0, 0, "cross"]], "retries": {"drop": 4}, "weights": {"tee": 2.0}}, GROWN),
}


@pytest.mark.parametrize("name", PATCHWORKS)
@pytest.mark.parametrize("is_mine", [False, True])
def test_a_patchwork_as_code_is_the_same_patchwork(shared_client, name, is_mine, tmp_path, monkeypatch):
    tileset, (settings, steps) = "pipes", PATCHWORKS[name]
    if is_mine:
        archive = shared_client.get("/api/v1/tilesets/pipes/tiles.zip").content
        zipped = {"Content-Type": "application/zip"}
        tileset = shared_client.post("/api/v1/tilesets", content=archive, headers=zipped).json()["id"]
        (tmp_path / "pipes.zip").write_bytes(archive)
    body = {"tileset": tileset, "radius": 3, "seed": 5} | settings
    path = f"/api/v1/patchworks/{shared_client.post('/api/v1/patchworks', json=body).json()['id']}"
    for step in steps:
        if "rebuild" in step:
            changed = {"cell": step["rebuild"], "radius": step["radius"]}
            assert shared_client.post(f"{path}/rebuild", json=changed).status_code == 200
        else:
            assert shared_client.post(f"{path}/populate", json={"grids": step["populate"]}).status_code == 200
    code = shared_client.post("/api/v1/patchworks/code", json=body | {"steps": steps}).json()
    assert code["python_needs"] == ("pipes.zip" if is_mine else None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "served.json").write_bytes(shared_client.get(f"{path}/map.json").content)
    tiles, names = wf.TileSet.load("pipes"), {}
    expected = wf.read_map("served.json", tiles).patterns.tolist()
    exec(compile(code["python"], "copied.py", "exec"), names)
    assert names["map"].solution().patterns.tolist() == expected
    served = Image.open(BytesIO(shared_client.get(f"{path}/map.png").content))
    assert served.convert("RGBA").tobytes() == Image.open("map.png").convert("RGBA").tobytes()
    assert (code["command"] is None) == (name not in ("plain", "refined", "whole"))
    if code["command"]:
        assert run_command(code["command"], tiles, monkeypatch) == expected


@pytest.mark.parametrize("step", [{}, {"populate": [[0, 0]], "rebuild": [0, 0]}, {"populate": []}])
def test_a_step_that_is_none_is_refused(shared_client, step):
    answer = shared_client.post("/api/v1/patchworks/code", json={"tileset": "pipes", "steps": [step]})
    assert answer.status_code == 422


def save_document(body, path, **tileset):
    about = {"id": body["tileset"], "name": body["tileset"]} | tileset
    path.write_text(
        json.dumps(
            {"version": 1, "view": "map", "beginning": {}, "commands": [], "solve": body, "tileset": about}
        )
    )


@pytest.mark.parametrize("name", ONLY_IN_A_DOCUMENT)
def test_the_command_makes_the_map_of_a_document(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    request, tiles = ask(ONLY_IN_A_DOCUMENT[name]), wf.TileSet.load("castle")
    save_document(request.model_dump(mode="json"), tmp_path / "map.wavefold")
    found = run_command("wavefold generate map.wavefold -o map.png", tiles, monkeypatch)
    assert found == show(request, tiles)


def test_a_document_with_another_tile_set_or_version_says_so(tmp_path):
    body, path = ask({}).model_dump(mode="json"), tmp_path / "map.wavefold"
    save_document(body, path, digest="0" * 32)
    older = path.read_text().replace('"version": 1', '"version": 1, "content": 1, "wavefold": "0.0.1"')
    path.write_text(older)
    document = read_saved_map(path)
    assert "wavefold 0.0.1" in document.changes[0]
    assert "have changed since" in document.changes[1]
    assert document.make().patterns.tolist() == show(ask({}), wf.TileSet.load("castle"))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"version": 1}', '{"version": 1, "view": "world", "beginning": {}, "commands": []}'],
)
def test_a_damaged_document_is_refused_in_words(tmp_path, text):
    path = tmp_path / "map.wavefold"
    path.write_text(text)
    with pytest.raises(wf.FormatError, match=r"damaged|no map in it"):
        read_saved_map(path)


def test_a_document_cannot_be_steered_by_options(tmp_path, monkeypatch, capsys):
    save_document(ask({}).model_dump(mode="json"), tmp_path / "map.wavefold")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["wavefold", "generate", "map.wavefold", "--seed", "3"])
    with pytest.raises(SystemExit):
        main()
    assert "leave out --seed" in " ".join(capsys.readouterr().err.split())
