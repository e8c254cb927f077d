"""What is on the screen can be passed on: by links, files and code; whoever opens it sees the same."""

import json
import shlex
import zipfile
from contextlib import suppress
from io import BytesIO

import pytest

import wavefold as wf
from wavefold.cli import main

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
    page.keyboard.press("r")
    page.wait_for_timeout(800)


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
    """A page that may copy."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return page


def test_a_link_shows_the_painted_map_again(page, address, tmp_path):
    open_map(page, address)
    paint(page)
    before = export(page, "wavefold map")
    choose(page, "Share", "Copy link")
    link = read_copied(page)
    assert len(link) < 8_192
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(SOLVED)
    page.wait_for_timeout(500)
    assert read_map(export(page, "wavefold map"), tmp_path) == read_map(before, tmp_path)


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
    page.wait_for_selector(".card:has-text('downloads')")
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
        ("Picture", b"\x89PNG"), ("Vector picture", b"<"), ("Tiled map", b"PK"), ("Godot scene", b"PK"),
        ("LDtk project", b"PK"), ("Table of numbers", b""), ("Animation of the solve", b"GIF8"),
        ("Smaller animation", b"RIFF"),
    ],
)  # fmt: skip
def test_the_map_is_exported_in_every_format(page, address, item, begins):
    open_map(page, address, "#/map?tileset=castle")
    content = export(page, item)
    assert content.startswith(begins)
    if begins == b"PK":
        assert len(zipfile.ZipFile(BytesIO(content)).namelist()) > 1
    page.wait_for_selector(".status .message:has-text('in your downloads')")


@pytest.mark.studio
def test_a_saved_file_is_opened_by_choosing_and_by_dropping_it(page, address, tmp_path):
    open_map(page, address)
    paint(page)
    shown = read_map(export(page, "wavefold map"), tmp_path)
    saved = save(page, "Share", "Save as file")
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
    page.wait_for_selector(".grown[data-milliseconds]")
    choose(page, "Share", "Copy link")
    link = read_copied(page)
    picture = page.locator(".grown").screenshot()
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".grown[data-milliseconds]")
    page.wait_for_timeout(300)
    assert page.locator(".grown").screenshot() == picture
