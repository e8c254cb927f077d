"""A map that is copied as code is the same map, whoever runs the code."""

import json
import shlex
from contextlib import suppress
from pathlib import Path

import pytest
from PIL import Image

import wavefold as wf
from wavefold.cli import main
from wavefold.service.documents.files import read_saved_map
from wavefold.service.live.session import LiveSession
from wavefold.service.settings import Limits
from wavefold.service.solves.code import write_code
from wavefold.service.solves.models import SolveRequest

PIN = {"command": "pin", "cell": [1, 1], "tile": "meadow"}
DONE = [{"command": "run", "show": "end"}, {"command": "refine"}]
PAINT = {"command": "paint", "cells": [40, [5, 5]], "tile": "river"}
REGROW = {"command": "regrow", "cells": [60, 61, 62, 73], "seed": 3}
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
    "locked, then painted": {"locks": [[10, 3]], "commands": [*DONE, PAINT]},
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
    code = write_code(request, tiles, True, Limits())
    assert code.python_needs is None
    assert run_python(code.python, tmp_path, monkeypatch) == show(request, tiles)


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_the_command_makes_the_same_map(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    request, tiles = ask(ON_THE_COMMAND_LINE[name]), wf.TileSet.load("castle")
    code = write_code(request, tiles, True, Limits())
    assert code.command_needs is None
    assert run_command(code.command, tiles, monkeypatch) == show(request, tiles)


@pytest.mark.parametrize("name", ONLY_IN_A_DOCUMENT)
def test_what_options_cannot_say_is_read_from_the_document(name):
    code = write_code(ask(ONLY_IN_A_DOCUMENT[name]), wf.TileSet.load("castle"), True, Limits())
    assert code.command == "wavefold generate map.wavefold -o map.png"
    assert code.command_needs == "map.wavefold"


@pytest.mark.parametrize(
    "topology", [{"radius": 4}, {"width": 6, "height": 6, "wraps": True}, {"width": 7, "height": 5}]
)
def test_maps_of_hexagons_are_code_too(topology, tmp_path, monkeypatch):
    request, tiles = ask({"topology": topology}, "medieval"), wf.TileSet.load("medieval")
    code = write_code(request, tiles, True, Limits())
    assert run_python(code.python, tmp_path, monkeypatch) == show(request, tiles)
    assert run_command(code.command, tiles, monkeypatch) == show(request, tiles)


def test_a_tile_set_of_ones_own_is_loaded_from_its_file(shared_client, tmp_path, monkeypatch):
    image = Image.new("RGB", (4, 4), "white")
    for place in [(0, 0), (3, 0), (1, 2), (2, 2)]:
        image.putpixel(place, (20, 90, 160))
    image.save(tmp_path / "sample.png")
    png, content = {"Content-Type": "image/png"}, (tmp_path / "sample.png").read_bytes()
    address = "/api/v1/tilesets?n=2&name=My picture"
    made = shared_client.post(address, content=content, headers=png).json()
    body = {"tileset": made["id"], "topology": {"width": 9, "height": 9}, "seed": 2}
    code = shared_client.post("/api/v1/solves/code", json=body).json()
    assert code["python_needs"] == "my-picture.zip"
    archive = shared_client.get(f"/api/v1/tilesets/{made['id']}/tiles.zip")
    (tmp_path / "my-picture.zip").write_bytes(archive.content)
    solved = shared_client.post("/api/v1/solves", json=body).json()
    assert run_python(code["python"], tmp_path, monkeypatch) == solved["patterns"]
    zipped = {"Content-Type": "application/zip"}
    again = shared_client.post("/api/v1/tilesets", content=archive.content, headers=zipped)
    assert again.json()["id"] == made["id"]


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
