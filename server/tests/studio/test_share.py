"""What is on the screen can be passed on: by links, files and code; whoever opens it sees the same."""

import base64
import json
import re
import shlex
import zipfile
from contextlib import suppress
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import wavefold as wf
from running_server import run_server
from waiting import wait_in_browser
from wavefold.cli import main
from wavefold_server import ServiceSettings

SOLVED = ".status .message:has-text('Solved')"
PIPES = "#/map?tileset=pipes&seed=3"


def open_map(page, address, where=PIPES):
    page.goto(address + where)
    page.wait_for_selector(SOLVED)


def paint(page):
    """Paint a cell in the middle, and regrow an area."""
    page.wait_for_selector(".status .message:has-text('refined'), .status .message:has-text('Solved')")
    page.click(".swatches button >> nth=1")
    box = page.locator(".stage canvas").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x, y)
    page.wait_for_selector("button[aria-label='Undo']:not([disabled])")
    page.keyboard.press("a")
    page.mouse.move(x + 40, y + 40)
    page.mouse.down()
    page.mouse.move(x + 120, y + 100, steps=3)
    page.mouse.up()
    before = read_screen(page)
    page.keyboard.press("r")
    wait_in_browser(page, lambda: not np.array_equal(read_screen(page), before), "nothing was regrown")
    page.keyboard.press("Escape")
    page.mouse.move(1, 1)


def read_screen(page):
    """The pixels of the board."""
    data = page.evaluate("document.querySelector('.stage canvas').toDataURL()")
    return read_picture(base64.b64decode(data.split(",")[1]))


def read_picture(content):
    return np.asarray(Image.open(BytesIO(content)).convert("RGB"))


def wait_until_shown(page, content, tile=24):
    """Wait until the board shows the exported picture; it is in the middle, at a whole scale.

    tile : pixels of a tile in the set's own pictures
    """
    wanted = Image.fromarray(read_picture(content)).resize((48 * tile, 32 * tile), Image.Resampling.NEAREST)

    def is_shown():
        screen = read_screen(page)
        height, width = screen.shape[:2]
        scale = min((width - 48) // wanted.width, (height - 48) // wanted.height)
        assert scale >= 1, "the window is too small for this test"
        size = (wanted.width * scale, wanted.height * scale)
        left, top = round((width - size[0]) / 2), round((height - size[1]) / 2)
        shown = screen[top : top + size[1], left : left + size[0]]
        return np.array_equal(shown, np.asarray(wanted.resize(size, Image.Resampling.NEAREST)))

    wait_in_browser(page, is_shown, "the board does not show what was exported")


def choose(page, menu, item):
    page.click(f".bar button:has-text('{menu}')")
    page.click(f".menu button:has-text('{item}')")


def read_copied(page):
    page.wait_for_selector(".status .message:has-text('opied')")
    return page.evaluate("navigator.clipboard.readText()")


def save(page, menu, item):
    with page.expect_download() as waiting:
        choose(page, menu, item)
    return waiting.value


def export(page, item):
    path = save(page, "Export", item).path()
    return path.read_bytes()


def read_map(content, tmp_path, name="exported.json"):
    path = tmp_path / name
    path.write_bytes(content)
    return wf.read_map(path, wf.TileSet.load("pipes")).patterns.tolist()


@pytest.fixture
def page(page):
    """A page that may copy, with room for a map."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.set_viewport_size({"width": 1800, "height": 1000})  # all of a map in its own size
    return page


def test_a_link_shows_the_painted_map_again(page, address):
    open_map(page, address)
    paint(page)
    before = export(page, "Picture")
    wait_until_shown(page, before)
    choose(page, "Share", "Copy link")
    link = read_copied(page)
    assert len(link) < 8_192
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(SOLVED)
    wait_until_shown(page, before)
    assert np.array_equal(read_picture(export(page, "Picture")), read_picture(before))


@pytest.mark.studio
def test_copied_code_makes_the_map_on_the_screen(page, address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    open_map(page, address)
    paint(page)
    shown = read_map(export(page, "wavefold map"), tmp_path)
    choose(page, "Share", "Copy as Python")
    names = {}
    exec(read_copied(page), names)
    assert names["solution"].patterns.tolist() == shown
    page.evaluate("navigator.clipboard.writeText('')")
    document = save(page, "Share", "Copy as command")
    document.save_as(tmp_path / document.suggested_filename)
    page.wait_for_selector(
        ".card:has-text('map.wavefold, which was saved in your downloads: run it in that folder')"
    )
    command = page.evaluate("navigator.clipboard.readText()").replace("map.png", "map.json")
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with suppress(SystemExit):
        main()
    assert wf.read_map("map.json", wf.TileSet.load("pipes")).patterns.tolist() == shown


@pytest.mark.studio
def test_a_plain_map_is_a_plain_command(page, address):
    open_map(page, address)
    choose(page, "Share", "Copy as command")
    assert read_copied(page) == "wavefold generate pipes --size 48x32 --seed 3 -o map.png"


@pytest.mark.studio
@pytest.mark.parametrize(
    ("item", "begins"),
    [
        ("Picture", rb"\x89PNG"), ("Vector picture", b"<"), ("Tiled map", b"PK"), ("Godot scene", b"PK"),
        ("LDtk project", b"PK"), ("Table of numbers", b'"x","y"'), ("Animation of the solve", b"GIF8"),
        ("Smaller animation", b"RIFF"),
    ],
)  # fmt: skip
def test_the_map_is_exported_in_every_format(page, address, item, begins):
    open_map(page, address, "#/map?tileset=castle")
    content = export(page, item)
    assert re.match(begins, content)
    if begins == b"PK":
        assert len(zipfile.ZipFile(BytesIO(content)).namelist()) > 1
    page.wait_for_selector(".status .message:has-text('in your downloads')")


@pytest.mark.studio
def test_a_saved_file_is_opened_by_choosing_and_by_dropping_it(page, address, tmp_path):
    open_map(page, address)
    paint(page)
    shown = read_map(export(page, "wavefold map"), tmp_path)
    saved = save(page, "Share", "Save as file")
    assert saved.suggested_filename == "pipes-48x32-seed3.wavefold"
    path = tmp_path / "mine.wavefold"
    saved.save_as(path)
    page.goto(address)
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(SOLVED)
    assert read_map(export(page, "wavefold map"), tmp_path) == shown
    page.goto(address + "#/picture")
    page.wait_for_selector(".grown")
    drop = """(text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "mine.wavefold"));
        dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(drop, path.read_text())
    page.wait_for_selector(SOLVED)
    assert read_map(export(page, "wavefold map"), tmp_path) == shown


@pytest.mark.studio
def test_damaged_links_and_other_versions_are_explained(page, address, tmp_path, refusals):
    page.goto(address + "#/map?open=broken")
    page.wait_for_selector(".card.error:has-text('damaged')")
    open_map(page, address)
    saved = save(page, "Share", "Save as file")
    document = json.loads(saved.path().read_text()) | {"content": 1, "wavefold": "0.0.1"}
    path = tmp_path / "older.wavefold"
    path.write_text(json.dumps(document))
    page.goto(address)
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(".card.warn:has-text('wavefold 0.0.1')")
    page.wait_for_selector(SOLVED)
    path.write_text("{")
    page.goto(address)
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(".card.error:has-text('damaged')")


@pytest.mark.studio
def test_a_picture_is_passed_on_with_its_sample(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(".grown[data-refined='true']")
    choose(page, "Share", "Copy link")
    link = read_copied(page)
    page.wait_for_timeout(600)  # until the refined map is shown whole
    picture = page.locator(".grown").screenshot()
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".grown[data-refined='true']")
    page.wait_for_timeout(600)
    assert page.locator(".grown").screenshot() == picture


# --- other servers, other browsers ----------------------------------------------------------------------


@pytest.fixture
def elsewhere(tmp_path):
    """The address of another studio, without tile sets of one's own; larger maps are jobs there."""
    limits = ServiceSettings(data=tmp_path / "elsewhere").limits.model_copy(update={"quick_cells": 100})
    with run_server(ServiceSettings(data=tmp_path / "elsewhere", workers=2, limits=limits)) as address:
        yield f"{address}/studio/"


def upload(page, address, base="pipes"):
    """A tile set of one's own, a copy of a bundled one: its id."""
    api = address.replace("/studio/", "/api/v1")
    tables = page.request.get(f"{api}/drafts/bases/{base}").json()["tables"]
    answer = page.request.post(
        f"{api}/drafts/tileset", data={"base": base, "tables": tables | {"name": "My own"}}
    )
    assert answer.ok, answer.text()
    return answer.json()["id"]


def move_document(page, elsewhere, tmp_path):
    """Save what is on the screen as a file, and open it on another server."""
    path = tmp_path / "moved.wavefold"
    save(page, "Share", "Save as file").save_as(path)
    page.goto(elsewhere)
    page.set_input_files("input[type=file]", path)
    return json.loads(path.read_text())


@pytest.mark.studio
@pytest.mark.parametrize(
    ("view", "ready"),
    [
        ("tiles", ".sample-map canvas[data-milliseconds]"),
        ("patchwork", ".message:has-text('pieces have grown')"),
        ("world", ".swatches button"),
        ("map", SOLVED),
    ],
)
def test_a_tile_set_of_ones_own_travels_along(page, address, elsewhere, tmp_path, refusals, view, ready):
    mine = upload(page, address)
    page.goto(f"{address}#/{view}?tileset={mine}")
    page.wait_for_selector(ready)
    assert move_document(page, elsewhere, tmp_path)["tileset"]["id"] == mine
    page.wait_for_selector(ready)
    page.wait_for_selector("text=My own" if view != "tiles" else "input[value='My own']", state="attached")
    assert page.locator(".card.error").count() == 0


@pytest.mark.studio
def test_a_patchwork_that_goes_on_from_one_of_the_server_says_so_and_keeps_its_pieces(page, address):
    api = address.replace("/studio/", "/api/v1")
    made = page.request.post(f"{api}/patchworks", data={"tileset": "pipes", "radius": 3}).json()
    page.request.post(f"{api}/patchworks/{made['id']}/populate", data={"grids": [[0, 0], [1, 0]]})
    page.goto(f"{address}#/patchwork?id={made['id']}")
    page.wait_for_selector("canvas[data-pieces='2']")
    choose(page, "Share", "Copy link")
    page.wait_for_selector(".status .message:has-text('for this server only')")
    choose(page, "Share", "Copy as Python")
    page.wait_for_selector(".card:has-text('There is no code for this')")
    page.keyboard.press("s")
    page.wait_for_selector(".message:has-text('2 pieces have grown again')")
    choose(page, "Share", "Copy as Python")
    assert "[(0, 0), (1, 0)]" in read_copied(page)


@pytest.mark.studio
def test_a_link_of_a_world_without_edits_does_not_open_one_with_edits(page, address):
    api = address.replace("/studio/", "/api/v1")
    page.goto(address + "#/world?tileset=pipes&seed=91")
    page.wait_for_selector(".swatches button")
    choose(page, "Share", "Copy link")
    link = read_copied(page)
    page.wait_for_selector("canvas")
    worlds = [each["id"] for each in page.request.get(f"{api}/worlds").json()["worlds"] if each["seed"] == 91]
    page.request.post(f"{api}/worlds/{worlds[0]}/edits", data={"cells": [[0, 0, "cross"]]})
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".swatches button")
    wait_in_browser(page, lambda: "id=" in page.url, "the address does not name the world")
    assert f"id={worlds[0]}" not in page.url


FIELDS = {
    "hills": {"noise": {"scale": 0.05, "seed": 4}},
    "far": {"expression": "clamp(1 * (0.75 * hills), 0, 1)"},
}
DRIVEN = {
    "seed": 92,
    "chunk": 32,
    "refine": 2,
    "fields": FIELDS,
    "terrain": {"weights": {"cross": "rescaled(hills, 0.5, 5)"}},
}


@pytest.mark.studio
def test_a_world_with_settings_of_its_own_is_written_as_python(page, address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine, api = upload(page, address), address.replace("/studio/", "/api/v1")
    made = page.request.post(f"{api}/worlds", data={"tileset": mine, **DRIVEN}).json()
    page.request.post(f"{api}/worlds/{made['id']}/edits", data={"cells": [[0, 0, "cross"]]})
    page.goto(f"{address}#/world?id={made['id']}&scale=32")
    page.wait_for_selector(".swatches button")
    tiles = save(page, "Share", "Copy as Python")
    tiles.save_as(tmp_path / tiles.suggested_filename)
    page.wait_for_selector(f".card:has-text('{tiles.suggested_filename}')")
    exec(page.evaluate("navigator.clipboard.readText()"), {})
    assert np.array_equal(
        read_picture((tmp_path / "world.png").read_bytes()), read_picture(export(page, "Picture"))
    )


@pytest.mark.studio
def test_what_no_command_can_say_is_refused_in_words(page, address):
    api = address.replace("/studio/", "/api/v1")
    made = page.request.post(
        f"{api}/worlds", data={"tileset": "pipes", "seed": 93, "pins": [[0, 0, "cross"]]}
    )
    page.goto(f"{address}#/world?id={made.json()['id']}")
    page.wait_for_selector(".swatches button")
    choose(page, "Share", "Copy as command")
    page.wait_for_selector(".card:has-text('There is no command for this')")
    choose(page, "Share", "Copy as Python")
    assert 'pins={(0, 0): "cross"}' in read_copied(page)


@pytest.mark.studio
def test_large_blocks_are_waited_for_and_code_of_them_comes_with_what_it_reads(page, elsewhere, tmp_path):
    page.goto(elsewhere + "#/blocks?tileset=blocks&seed=3")
    page.wait_for_selector(".status .message:has-text('Built')")
    assert export(page, "3D model").startswith(b"glTF")
    api = elsewhere.replace("/studio/", "/api/v1")
    tiles = page.request.get(f"{api}/tilesets/blocks/tiles.zip").body()
    mine = page.request.post(
        f"{api}/tilesets", data=tiles, headers={"Content-Type": "application/zip"}
    ).json()
    page.goto(f"{elsewhere}#/blocks?tileset={mine['id']}")
    page.wait_for_selector(f"option[value='{mine['id']}']", state="attached")
    page.wait_for_selector(".status .message:has-text('Built')")
    with page.expect_download() as waiting:
        choose(page, "Share", "Copy as command")
    page.wait_for_selector(f".card:has-text('{waiting.value.suggested_filename}')")
    said = page.inner_text(".status .message")
    assert said == f"Copied. {waiting.value.suggested_filename} was saved in your downloads."
    assert waiting.value.suggested_filename in page.evaluate("navigator.clipboard.readText()")


@pytest.mark.studio
@pytest.mark.parametrize(
    ("where", "ready", "item"),
    [
        ("#/tiles", ".sample-map canvas[data-milliseconds]", "Copy as Python"),
        ("#/world?tileset=pipes", ".swatches button", "Copy as Python"),
        ("#/picture", ".grown[data-milliseconds]", "Copy link"),
    ],
)
def test_what_cannot_be_copied_is_shown(page, address, where, ready, item):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.goto(address + where)
    page.wait_for_selector(ready)
    choose(page, "Share", item)
    assert len(page.input_value("textarea[aria-label='Text to copy']")) > 50
