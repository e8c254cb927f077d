"""The picture view: strokes, patterns, pictures from elsewhere, and what becomes of a sample."""

import base64
import json
import shlex
from contextlib import suppress
from io import BytesIO
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image

from waiting import wait_in_browser
from wavefold.cli import main

DRAWN = ".grown[data-milliseconds]"
UNREFINED, REFINED = ".grown[data-refined='false']", ".grown[data-refined='true']"


def encode(image):
    content = BytesIO()
    image.save(content, "PNG")
    return {"name": "own.png", "mimeType": "image/png", "buffer": content.getvalue()}


def open_picture(page, address, image):
    """Drop a picture on the start."""
    page.goto(address)
    page.wait_for_selector(".drop")
    page.set_input_files("input[type=file]", encode(image))


def test_a_pattern_is_shown_where_it_occurs_and_banned_by_a_click(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("summary:has-text('Patterns')")
    before = page.locator("canvas.sample").screenshot()
    page.hover(".pattern >> nth=3")
    sample = page.locator("canvas.sample")
    wait_in_browser(page, lambda: sample.screenshot() != before, "the pattern is not shown")
    page.click(".pattern >> nth=20")
    page.wait_for_selector(".pattern[aria-pressed='true']")
    page.wait_for_selector(".message:has-text('The pattern is banned')")
    page.wait_for_selector("figcaption:has-text('181 of 182 patterns')")
    page.keyboard.press("Control+z")
    page.wait_for_selector("button[aria-label='Undo'][disabled]")


@pytest.mark.studio
def test_a_ban_that_leaves_no_map_does_not_promise_one(page, address, refusals):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("summary:has-text('Patterns')")
    problem = {"error": "Contradiction", "detail": "nothing fits", "status": 422}
    page.route("**/api/v1/sketches", lambda route: route.fulfill(status=422, json=problem))
    page.click(".pattern >> nth=20")
    page.wait_for_selector(".card:has-text('There is no such map')")
    assert page.inner_text(".status .message span") == "The pattern is banned."
    page.unroute("**/api/v1/sketches")
    page.click(".status .message button:has-text('Undo')")
    page.wait_for_selector(".card", state="detached")
    page.wait_for_selector("figcaption:has-text('182 patterns')")


@pytest.mark.studio
def test_an_enlarged_picture_becomes_as_small_as_it_was(page, address):
    small = Image.new("RGB", (12, 10), "#204080")
    small.paste("#80c040", (3, 2, 8, 7))
    open_picture(page, address, small.resize((12 * 7, 10 * 7), Image.Resampling.NEAREST))
    page.wait_for_selector(".message:has-text('7 × 7')")
    page.wait_for_selector(DRAWN)
    assert page.locator(".swatch.colour").count() == 2
    page.click("summary:has-text('Sample')")
    assert page.locator(".slider:has-text('Width') output").text_content() == "12"


@pytest.mark.studio
def test_a_photograph_is_cut_and_reduced_with_sliders(page, address):
    photograph = Image.radial_gradient("L").resize((300, 200)).convert("RGB")
    photograph.paste(
        Image.linear_gradient("L").resize((100, 100)).convert("RGB").point(lambda each: 255 - each // 3)
    )
    photograph.putpixel((0, 0), (255, 0, 0))
    noisy = Image.merge(
        "RGB",
        (photograph.getchannel(0), photograph.getchannel(1).rotate(40), photograph.getchannel(2).rotate(80)),
    )
    open_picture(page, address, noisy)
    page.wait_for_selector(".import")
    page.locator(".import .slider:has-text('Colours') input").fill("3")
    page.wait_for_selector("figcaption:has-text('3 colours')")
    page.click("text=Use this sample")
    page.wait_for_selector(DRAWN)
    assert page.locator(".swatch.colour").count() == 3


@pytest.mark.studio
def test_a_sample_is_drawn_with_keys_alone(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.focus("canvas.sample")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[aria-label='Undo']:not([disabled])")


@pytest.mark.studio
@pytest.mark.parametrize(
    ("view", "selector"), [("Map", ".message:has-text('Solved')"), ("Patchwork", "canvas[data-pieces='5']")]
)
def test_a_sample_becomes_a_tile_set_of_another_view(page, address, view, selector):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    page.click("text=Save as tile set")
    page.fill(".card input", "My meadow")
    page.keyboard.press("Enter")
    page.click(f"text=Open in {view}")
    page.wait_for_selector(selector)
    assert "My meadow" in page.text_content(".bar option:checked")


@pytest.mark.studio
def test_a_name_that_no_tile_set_has_is_suggested_and_equal_names_can_be_told_apart(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    suggested = []
    for name in ("My picture", "Twins", "Twins"):
        page.click(".bar button:has-text('Save as tile set')")
        suggested.append(page.input_value(".card:has-text('Name') input"))
        page.fill(".card input", name)
        page.click(".card button:has-text('Save')")
        page.wait_for_selector(f".card:has-text('“{name}” is saved')")
        page.locator(".slider:has-text('N:') input").fill(str(1 + len(suggested) % 2))
        page.wait_for_selector(UNREFINED)
        page.wait_for_selector(REFINED)
    assert suggested == ["My picture", "My picture 2", "My picture 2"]
    page.goto(address + "#/map")
    page.wait_for_selector(".message:has-text('Solved')")
    twins = [each for each in page.locator(".bar option").all_text_contents() if each.startswith("Twins")]
    assert len(twins) == len(set(twins)) == 2


@pytest.mark.studio
def test_strokes_keep_the_document_small_and_each_change_is_a_step_back(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    box = page.locator("canvas.sample").bounding_box()
    for stroke in range(12):
        page.mouse.move(box["x"] + 30, box["y"] + 20 + 30 * stroke)
        page.mouse.down()
        page.mouse.move(box["x"] + 200, box["y"] + 20 + 30 * stroke, steps=3)
        page.mouse.up()
    page.keyboard.press("f")
    page.mouse.click(box["x"] + 30, box["y"] + 20)
    page.keyboard.press("s")
    page.keyboard.press("s")
    page.click("button:has-text('Share')")
    with page.expect_download() as download:
        page.click("[role=menu] button:has-text('file')")
    assert download.value.suggested_filename == "my-picture-48x48-seed9.wavefold"
    with open(download.value.path(), encoding="utf-8") as file:
        commands = json.load(file)["commands"]
    assert [each["do"] for each in commands] == ["paint"] * 12 + ["fill", "set", "set"]
    assert max(len(json.dumps(each)) for each in commands) < 200  # one sample is 700 letters
    for _ in commands:
        page.keyboard.press("Control+z")
    assert page.is_disabled("button[aria-label='Undo']")


@pytest.mark.studio
def test_the_map_is_refined_when_the_hand_rests_unless_that_is_switched_off(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(UNREFINED)
    page.wait_for_selector(REFINED)
    page.click(".check:has-text('Refine when idle') input")
    page.wait_for_selector(UNREFINED)
    page.wait_for_timeout(1_500)
    assert page.locator(UNREFINED).count() == 1
    page.keyboard.press("Control+z")
    page.wait_for_selector(REFINED)


def read_canvas(page, selector):
    """The pixels of a canvas."""
    data = page.evaluate(f"document.querySelector('{selector}').toDataURL()")
    return read_picture(base64.b64decode(data.split(",")[1]))


def read_picture(content):
    return np.asarray(Image.open(BytesIO(content)).convert("RGB"))


def save(page, menu, item):
    page.click(f".bar button:has-text('{menu}')")
    with page.expect_download() as waiting:
        page.click(f".menu button:has-text('{item}')")
    return waiting.value


def show_map(page, address, bans, refines):
    """Grow a map: its pixels, and those of a window that is banned from it."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address + "#/picture")
    page.wait_for_selector(REFINED)
    window = None
    if bans:
        page.click(".grown", position={"x": 150, "y": 120})
        window = read_canvas(page, ".card .spot")
        page.click("text=Ban this pattern")
        page.wait_for_selector(UNREFINED)
        page.wait_for_selector(REFINED)
    if not refines:
        page.click(".check:has-text('Refine when idle') input")
        page.wait_for_selector(UNREFINED)
    page.wait_for_timeout(800)  # until the map is shown whole
    return read_canvas(page, ".grown"), window


def find_windows(picture, window):
    """How often a window is in a picture."""
    rows, columns = window.shape[:2]
    around = np.lib.stride_tricks.sliding_window_view(picture, (rows, columns, 3))[:, :, 0]
    return int((around == window).all(axis=(2, 3, 4)).sum())


@pytest.mark.studio
@pytest.mark.parametrize(("bans", "refines"), [(False, False), (False, True), (True, False), (True, True)])
def test_files_code_and_other_views_have_the_very_map_that_is_shown(
    page, address, tmp_path, monkeypatch, bans, refines
):
    monkeypatch.chdir(tmp_path)
    shown, window = show_map(page, address, bans, refines)
    assert window is None or not find_windows(shown, window)
    exported = read_picture(save(page, "Export", "Picture").path().read_bytes())
    assert np.array_equal(exported[::16, ::16], shown)

    sample = save(page, "Share", "Copy as Python")
    sample.save_as(tmp_path / sample.suggested_filename)
    page.wait_for_selector(".card:has-text('downloads')")
    names = {}
    exec(page.evaluate("navigator.clipboard.readText()"), names)
    assert np.array_equal(np.asarray(names["solution"].image().convert("RGB")), shown)

    page.evaluate("navigator.clipboard.writeText('')")
    needed = save(page, "Share", "Copy as command")
    needed.save_as(tmp_path / needed.suggested_filename)
    page.wait_for_selector(".message:has-text('Copied')")
    page.wait_for_timeout(300)
    command = page.evaluate("navigator.clipboard.readText()") + " --tile-size 2"
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with suppress(SystemExit):
        main()
    assert np.array_equal(read_picture((tmp_path / "map.png").read_bytes())[::2, ::2], shown), command

    page.click("button:has-text('Edit this map')")
    page.wait_for_selector(".message:has-text('Solved')")
    numbers = page.locator(".bar input[type='number']").all()
    assert [each.input_value() for each in numbers] == ["7", "48", "48"]
    assert ("refine=false" in page.url) != refines
    edited = read_picture(save(page, "Export", "Picture").path().read_bytes())
    assert np.array_equal(edited[::16, ::16], shown)


@pytest.mark.studio
def test_a_saved_tile_set_does_not_have_banned_patterns(page, address):
    show_map(page, address, bans=True, refines=False)
    page.click("text=Save as tile set")
    page.fill(".card input", "Without it")
    page.keyboard.press("Enter")
    page.wait_for_selector(".card:has-text('181 patterns')")
    assert page.text_content("summary:has-text('Patterns')") == "Patterns (182)"


@pytest.mark.studio
def test_tiles_for_editors_are_as_large_as_is_chosen(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(DRAWN)
    for size, choose in ((16, False), (32, True)):
        if choose:
            page.click(".bar button:has-text('Export')")
            page.click("text=Pixels across a tile")
            page.click(f"text={size} × {size}")
            page.keyboard.press("Escape")
        with ZipFile(save(page, "Export", "Tiled map").path()) as archive:
            assert f'tilewidth="{size}"'.encode() in archive.read("map.tmx")


DROP = """([name, type]) => {
  const data = new DataTransfer();
  data.items.add(new File(["some words"], name, { type }));
  const options = { bubbles: true, cancelable: true, dataTransfer: data };
  document.querySelector(".stage").firstElementChild.dispatchEvent(new DragEvent("drop", options));
}"""


@pytest.mark.studio
@pytest.mark.parametrize("view", ["start", "picture", "map?tileset=pipes"])
def test_a_dropped_file_that_is_not_read_is_answered_with_those_that_are(page, address, view):
    page.goto(f"{address}#/{view}")
    page.wait_for_selector(".stage .page, .status .message:has-text('Solved')")
    page.evaluate(DROP, ["notes.txt", "text/plain"])
    page.wait_for_selector(".card:has-text('notes.txt cannot be read'):has-text('PNG'):has-text('ZIP')")


def open_flower(page, address):
    """A picture with ground at its bottom."""
    flower = Image.new("RGB", (12, 10), "#80c0f0")
    flower.paste("#604020", (0, 8, 12, 10))
    flower.paste("#208020", (5, 3, 6, 8))
    open_picture(page, address, flower)
    page.wait_for_selector(".message:has-text('taken for ground')")


@pytest.mark.studio
def test_ground_is_recognized_in_a_picture_from_elsewhere(page, address):
    open_flower(page, address)
    page.click("summary:has-text('Sample')")
    assert page.is_checked(".check:has-text('The bottom row is ground') input")
    page.wait_for_selector(REFINED)
    page.wait_for_timeout(600)
    assert (read_canvas(page, ".grown")[-1] == (0x60, 0x40, 0x20)).all()


@pytest.mark.studio
@pytest.mark.parametrize("way", ["Learn without ground", "Allow all patterns"])
def test_banning_the_ground_is_no_dead_end(page, address, refusals, way):
    open_flower(page, address)
    page.wait_for_selector(REFINED)
    box = page.locator(".grown").bounding_box()
    page.click(".grown", position={"x": 150, "y": box["height"] - 2})
    page.click("text=Ban this pattern")
    page.wait_for_selector(".card:has-text('Not all of these patterns can be banned')")
    page.click(f".card button:has-text('{way}')")
    page.wait_for_selector(".card", state="detached")
    page.wait_for_selector(REFINED)


def list_sets(page):
    return page.evaluate("fetch('/api/v1/tilesets').then((answer) => answer.json())")["tilesets"]


@pytest.mark.studio
@pytest.mark.parametrize(
    ("menu", "item", "route"),
    [("Export", "Picture", "**/api/v1/solves"), ("Share", "Copy as command", "**/tiles.zip")],
)
def test_a_failed_export_leaves_no_tile_set_behind(page, address, refusals, menu, item, route):
    show_map(page, address, bans=False, refines=False)
    page.click("summary:has-text('Patterns')")
    with page.expect_response("**/api/v1/sketches"):  # a set that no other test has stored
        page.click(".pattern >> nth=20")
    page.wait_for_selector(".pattern[aria-pressed='true']")
    before = list_sets(page)
    problem = {"error": "Contradiction", "title": "There is no solution", "detail": "no", "status": 409}
    page.route(route, lambda request: request.fulfill(status=409, json=problem))
    page.click(f".bar button:has-text('{menu}')")
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.click(f".menu button:has-text('{item}')")
    page.wait_for_selector(".card:has-text('There is no solution')")
    assert list_sets(page) == before


@pytest.mark.studio
def test_an_enlarged_picture_with_noise_becomes_as_small_as_it_was(page, address):
    random = np.random.default_rng(1)
    small = np.array([[200, 60, 60], [60, 160, 80], [70, 80, 190]])[random.integers(0, 3, (20, 24))]
    large = small.repeat(3, axis=0).repeat(3, axis=1) + random.normal(0, 26, (60, 72, 3))
    open_picture(page, address, Image.fromarray(large.clip(0, 255).astype(np.uint8)))
    page.wait_for_selector(".import:has-text('3, as found')")
    page.wait_for_selector("figcaption:has-text('Your sample: 24 × 20')")
