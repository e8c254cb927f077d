"""The tiles view: a set is drawn, joined by sockets, checked, and used."""

import io
import json
import zipfile

import numpy as np
import pytest
from PIL import Image

from waiting import wait_in_browser

MAP = ".sample-map canvas[data-milliseconds]"
UNDO = "button[aria-label='Undo']"


def open_tiles(page, address, query=""):
    page.goto(f"{address}#/tiles{query}")
    page.wait_for_selector(MAP)


def wait_for_map(page, change):
    """Do something, and wait until another map is there; what the map looks like."""
    before = page.locator(".sample-map").screenshot()
    change()
    changed = []

    def look():
        changed.append(page.locator(".sample-map").screenshot())
        return changed[-1] != before

    wait_in_browser(page, look, "the map did not change")
    return changed[-1]


def select(page, name):
    page.click(f".tile-list button:has(span:text-is('{name}'))")


def test_a_side_is_clicked_a_tile_is_drawn_and_both_are_undone(page, address):
    open_tiles(page, address)
    select(page, "bend")
    page.click("button.side.north")
    page.click("[role=menu] button:has-text('grass')")
    page.wait_for_selector("button.side.north:has-text('grass')")
    box = page.locator("canvas.tile").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 60, steps=5)
    page.mouse.up()
    for _ in range(2):
        page.keyboard.press("Control+z")
    page.wait_for_selector("button.side.north:has-text('path')")
    assert page.is_disabled(UNDO)


@pytest.mark.studio
def test_a_slider_makes_another_map_and_is_one_step_back(page, address):
    open_tiles(page, address)
    select(page, "path")
    slider = page.locator(".inspector input[type=range]")

    def drag():
        box = slider.bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 4, box["y"] + 10, steps=8)
        page.mouse.up()

    wait_for_map(page, drag)
    page.keyboard.press("Control+z")
    page.wait_for_selector(f"{UNDO}[disabled]")


@pytest.mark.studio
def test_symmetry_is_chosen_by_its_pictures(page, address):
    open_tiles(page, address)
    select(page, "bend")
    wait_for_map(page, lambda: page.click(".choice:has-text('As drawn')"))
    page.wait_for_selector(".choice[aria-pressed=true]:has-text('As drawn')")


@pytest.mark.studio
def test_a_pair_is_forbidden_and_allowed_again_by_its_picture(page, address):
    open_tiles(page, address)
    select(page, "flowers")
    page.click(".tabs button:has-text('Neighbours')")
    page.wait_for_selector("h2:has-text('May stand there: 9')")
    page.click(".pairs button[aria-label='flowers with flowers to the north: forbid']")
    page.wait_for_selector("h2:has-text('May stand there: 8')")
    page.click(".pairs button[aria-label='flowers with flowers to the north: allow']")
    page.wait_for_selector("h2:has-text('May stand there: 9')")


@pytest.mark.studio
def test_a_tile_that_the_check_suggests_is_added_with_one_click(page, address):
    open_tiles(page, address, "?tileset=castle")
    page.click(".tabs button:has-text('Check')")
    page.click(".section:has-text('Tiles that would help') button:has-text('Add')")
    page.wait_for_selector(".tile-list [aria-current]:has-text('new tile')")
    page.wait_for_selector(".choice[aria-pressed=true]:has-text('Turned, 4 ways')")


@pytest.mark.studio
def test_tiles_that_fit_nowhere_are_said_in_words_and_the_view_goes_on(page, address, refusals):
    open_tiles(page, address)
    page.click(".tabs button:has-text('Tile')")
    for name in ("lawn", "flowers", "path", "fork", "crossing", "end"):
        select(page, name)
        page.click(".inspector button:has-text('Delete')")
    page.wait_for_selector(".choice:has-text('As drawn')")
    page.click(".choice:has-text('As drawn')")
    page.wait_for_selector(".card:has-text('No map fits together')")
    page.click(".card button:has-text('Undo')")
    page.wait_for_selector(".card", state="detached")
    page.click(".inspector button:has-text('Delete')")
    page.wait_for_selector(".card:has-text('There are no tiles')")
    page.click(".tile-list button:has-text('New tile')")
    page.wait_for_selector(".card", state="detached")


@pytest.mark.studio
def test_a_reload_and_a_link_show_the_same_set(page, address):
    open_tiles(page, address)
    page.fill("input[aria-label='Name of the set']", "my garden")
    page.keyboard.press("Tab")
    page.click(".tile-list button:has-text('New tile')")
    page.goto(f"{address}#/start")
    page.click("a:has-text('my garden, 8 tiles')")
    page.wait_for_selector(".tile-list button:has-text('new tile')")
    assert page.input_value("input[aria-label='Name of the set']") == "my garden"


@pytest.mark.studio
@pytest.mark.parametrize("base", ["castle", "starter-hex"])
def test_a_set_is_saved_and_opened_in_a_map(page, address, base):
    open_tiles(page, address, f"?tileset={base}")
    page.click(".bar button:has-text('Use')")
    page.click("[role=menu] button:has-text('In a map')")
    page.wait_for_selector(".status .message:has-text('Solved')")


@pytest.mark.studio
def test_a_set_is_exported_as_files(page, address):
    open_tiles(page, address, "?tileset=castle")
    page.click(".bar button:has-text('Share')")
    with page.expect_download() as waiting:
        page.click("[role=menu] button:has-text('Files')")
    assert waiting.value.suggested_filename == "castle-25-tiles.zip"
    with zipfile.ZipFile(waiting.value.path()) as archive:
        assert {"tiles.toml", "tiles.png", "tiles-objects.png"} == set(archive.namelist())


@pytest.mark.studio
def test_a_set_from_nothing_is_drawn_and_used_in_a_map(page, address):
    open_tiles(page, address)
    page.click(".bar button:has-text('Open')")
    page.click("[role=menu] button:has-text('Empty set')")
    page.wait_for_selector(".tile-list button:has-text('ground')")
    page.click(".tile-list button:has-text('New tile')")
    page.locator("canvas.tile").click()
    page.wait_for_selector(".tile-list button:has-text('new tile')")
    page.wait_for_selector(".status .message:has-text('cells in')")
    page.click(".bar button:has-text('Use')")
    page.click("[role=menu] button:has-text('In a map')")
    page.wait_for_selector(".stage > canvas[data-status='solved']", timeout=300_000)


@pytest.mark.studio
def test_a_sheet_is_cut_into_tiles_that_fit(page, address):
    cell = np.full((16, 16, 3), (90, 160, 70), np.uint8)
    road = cell.copy()
    road[5:11] = (200, 180, 120)
    content = io.BytesIO()
    Image.fromarray(np.concatenate([cell, road, road.transpose(1, 0, 2)], axis=1)).save(content, "PNG")
    open_tiles(page, address)
    with page.expect_file_chooser() as waiting:
        page.click(".bar button:has-text('Open')")
        page.click("[role=menu] button:has-text('Pictures or files')")
    waiting.value.set_files({"name": "roads.png", "mimeType": "image/png", "buffer": content.getvalue()})
    page.click(".card button:has-text('Begin a set')")
    page.wait_for_selector(".tile-list button:has-text('roads 3')")
    page.wait_for_selector(".status .message:has-text('cells in')")
    assert page.locator(".tile-list button:not(.button)").count() == 3


@pytest.mark.studio
def test_a_drawn_tile_is_there_after_a_reload_and_keys_alone_choose_a_socket(page, address):
    open_tiles(page, address)
    select(page, "lawn")
    before = page.locator("canvas.tile").screenshot()
    page.click("canvas.tile", position={"x": 40, "y": 40})
    page.wait_for_selector(f"{UNDO}:not([disabled])")
    page.focus("button.side.east")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("button.side.east:focus:has-text('path')")
    page.reload()  # saves
    page.wait_for_selector(MAP)
    select(page, "lawn")
    page.wait_for_selector("button.side.east:has-text('path')")
    assert page.locator("canvas.tile").screenshot() != before


DROP = """(text) => {
  const data = new DataTransfer(), options = { dataTransfer: data, bubbles: true, cancelable: true };
  data.items.add(new File([text], "land.wavefold"));
  document.querySelector(".page.tiles").dispatchEvent(new DragEvent("drop", options));
}"""


@pytest.mark.studio
def test_a_document_that_is_dropped_on_tiles_is_opened_and_nothing_else(page, address):
    beginning = {"request": {"tileset": "pipes", "topology": {"width": 8, "height": 8}, "seed": 7}}
    document = {"version": 1, "view": "map", "beginning": beginning | {"commands": []}, "commands": []}
    open_tiles(page, address)
    sent = []
    page.on("request", lambda each: sent.append(each.url) if each.method == "POST" else None)
    page.evaluate(DROP, json.dumps(document))
    page.wait_for_selector(".status .message:has-text('Solved')")
    assert not any(each.endswith("/tilesets") for each in sent)


@pytest.mark.studio
def test_a_new_socket_is_named_at_once(page, address):
    open_tiles(page, address)
    page.click("button.side.east")
    page.click("[role=menu] button:has-text('New socket')")
    page.wait_for_selector("[aria-label='Name of socket socket']:focus")
    page.wait_for_load_state("networkidle")  # the panel is drawn again when the rules and the check are there
    page.keyboard.type("shore")
    page.keyboard.press("Enter")
    page.wait_for_selector("button.side.east:has-text('shore')")


def test_two_quick_changes_show_the_map_of_the_last_rules(page, address):
    asked = {"rules": [], "drafts": []}

    def count(request):
        if request.method == "POST" and (name := request.url.rsplit("/", 1)[1]) in asked:
            asked[name].append(len(request.post_data_json["tables"]["tiles"]))

    page.on("request", count)
    open_tiles(page, address)
    first = asked["rules"][-1]
    page.route("**/drafts/rules", lambda route: (page.wait_for_timeout(50), route.continue_()))
    with page.expect_response(lambda each: asked["drafts"][-1] == first + 2 and each.url.endswith("/drafts")):
        page.keyboard.press("n")
        page.keyboard.press("n")
    page.wait_for_selector(".message:has-text('cells in')")
    assert asked["rules"][-1] == asked["drafts"][-1] == first + 2
