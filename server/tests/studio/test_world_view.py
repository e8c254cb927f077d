"""The world view: wander, paint with undo, overlays, land, places, several tabs, keys, and restarts."""

import re

import pytest

from running_server import run_server
from wavefold_server import ServiceSettings
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys

PIPES = "#/world?tileset=pipes"
READY = ".swatches button"


@pytest.fixture
def tolerant_page(browser):
    """A page for answers that browsers write into the console, such as 409."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.set_default_timeout(300_000)
    yield page
    page.context.close()


def open_world(page, address, path=PIPES):
    page.goto(address + path)
    page.wait_for_selector(READY)


def unfold(page, title):
    page.click(f"summary:has-text('{title}')")


def paint(page, dx=0, tile=1):
    """Paint a cell near the middle, and wait for what becomes of it: its revision, or None with a card."""
    page.click(f"{READY} >> nth={tile}")
    box = page.locator(".stage canvas").bounding_box()
    before = page.locator(".stage").get_attribute("data-revision") or "0"
    page.mouse.click(box["x"] + box["width"] / 2 + dx, box["y"] + box["height"] / 2)
    page.keyboard.press("Escape")
    page.wait_for_selector(f".stage[data-revision]:not([data-revision='{before}']), .card")
    return page.locator(".stage").get_attribute("data-revision")


def test_a_world_is_shown_painted_and_restored_by_undo_and_redo(page, address):
    open_world(page, address)
    assert paint(page) == "1"
    assert page.is_disabled("button[aria-label='Redo']")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".stage[data-revision='2']")
    assert page.is_enabled("button[aria-label='Redo']")
    page.keyboard.press("Control+Shift+Z")
    page.wait_for_selector(".stage[data-revision='3']")
    assert "Done again" in page.inner_text(".status .message")
    assert page.is_enabled("button[aria-label='Undo']")


@pytest.mark.studio
def test_what_was_painted_is_restored_to_what_was_generated(page, address):
    open_world(page, address, PIPES + "&seed=21")
    page.wait_for_timeout(1_500)  # until all tiles are drawn
    before = page.locator(".stage canvas").screenshot()
    paint(page)
    box = page.locator(".stage canvas").bounding_box()
    page.click("button:has-text('Restore')")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x - 40, y - 40)
    page.mouse.down()
    for row in range(6):
        page.mouse.move(x - 40 + 80 * ((row + 1) % 2), y - 40 + 16 * row, steps=8)
        page.mouse.move(x - 40 + 80 * ((row + 1) % 2), y - 24 + 16 * row, steps=3)
    page.mouse.up()
    page.wait_for_selector(".stage[data-revision='2']")
    page.wait_for_selector(".message:has-text('Restored')")
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)
    page.wait_for_timeout(1_500)
    assert page.locator(".stage canvas").screenshot() == before


@pytest.mark.studio
def test_where_nothing_was_painted_there_is_nothing_to_restore(page, address):
    open_world(page, address, PIPES + "&seed=22")
    page.click("button:has-text('Restore')")
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(".message:has-text('There is nothing to restore')")
    assert page.is_disabled("button[aria-label='Undo']")


@pytest.mark.studio
def test_the_palette_stays_where_it_is_and_finds_exact_names_first(page, address):
    open_world(page, address, "#/world?tileset=meadow&seed=12")
    page.click(".swatch[title=house]")
    page.wait_for_selector(".swatch[title=house][aria-pressed=true]")
    assert page.evaluate("document.querySelector('.swatches').scrollTop") > 0
    page.fill("input[type=search]", "water")
    assert page.get_attribute(".swatches button:visible >> nth=0", "title") == "water"
    page.fill("input[type=search]", "")
    assert page.get_attribute(".swatches button >> nth=0", "title") == "grass"
    # As beside a scrollbar, which headless browsers do not have.
    fits = "((each) => { each.style.width = '305px'; return each.scrollWidth <= each.clientWidth; })"
    assert page.evaluate(fits + "(document.querySelector('.inspector'))")


@pytest.mark.studio
def test_two_tabs_on_one_world_follow_each_other(page, address):
    open_world(page, address, PIPES + "&seed=22")
    page.wait_for_url("**id=*")
    other = page.context.new_page()
    other.goto(address + "#/world?id=" + re.search(r"[?&]id=(\w+)", page.url)[1])
    other.wait_for_selector(READY)
    paint(page)
    other.wait_for_selector(".stage[data-revision='1']")
    other.keyboard.press("Control+z")
    page.wait_for_selector(".stage[data-revision='2']")
    assert "Undone" in page.inner_text(".status .message")


@pytest.mark.studio
def test_an_edit_that_cannot_be_says_why_and_what_to_do(tolerant_page, address):
    page = tolerant_page
    open_world(page, address, PIPES + "&seed=23")
    # Two tiles that can never touch, painted side by side.
    names = page.evaluate("[...document.querySelectorAll('.swatch')].map((each) => each.dataset.tile)")
    paint(page, 0, names.index("cross"))
    paint(page, 16, names.index("wall"))
    page.wait_for_selector(".card:has-text('does not fit here')")
    page.click("button:has-text('Never mind')")
    page.wait_for_selector(".card", state="detached")
    paint(page, 16, names.index("wall"))
    page.click("button:has-text('Make room')")
    page.wait_for_selector(".stage[data-revision='2']")


@pytest.mark.studio
def test_overlays_have_a_legend_and_say_what_there_is_of_chunks(page, address):
    open_world(page, address, PIPES + "&scale=4")
    unfold(page, "Show")
    with page.expect_response("**/chunks?*") as answer:
        page.check("text=What is there")
    assert {"final", "stored"} & {each["state"] for each in answer.value.json()["chunks"]}
    page.check("text=Stages")
    assert "Corners" in page.inner_text(".legend >> nth=0")
    assert "provisional" in page.inner_text(".legend >> nth=0")


@pytest.mark.studio
def test_land_is_made_in_drafts_of_which_few_stay(page, address):
    open_world(page, address, PIPES + "&seed=24")
    page.keyboard.press("m")
    unfold(page, "Land")
    page.select_option("label:has-text('The land') select", "more")
    for strength in ("0.5", "1.5", "2"):
        page.locator(".slider:has-text('Strength') input").fill(strength)
        page.wait_for_timeout(300)
    page.wait_for_selector(".status .message:has-text('Another land')")
    page.select_option("label:has-text('Show over') select", "hills")
    page.wait_for_selector(".ramp")
    page.wait_for_timeout(500)
    worlds = page.request.get(address.replace("/studio/", "/api/v1/worlds")).json()["worlds"]
    assert sum(each["draft"] for each in worlds) <= 2
    assert page.locator(".place").count() == 1  # where something is does not depend on what it is
    page.click("button[aria-label='Undo']")
    page.click("button[aria-label='Undo']")
    page.wait_for_selector(".status .message:has-text('Back in the world before')")


@pytest.mark.studio
def test_places_are_remembered_across_a_reload_and_forgotten_with_undo(page, address):
    open_world(page, address, PIPES + "&seed=25")
    page.fill(".coordinates", "120, -40")
    page.keyboard.press("Enter")
    page.keyboard.press("m")
    page.wait_for_selector(".place img")
    page.keyboard.press("0")
    page.wait_for_url("**at=0,0**")
    page.reload()
    page.wait_for_selector(READY)
    unfold(page, "Places")
    page.click("button[aria-label='Go to Place 1']")
    page.wait_for_url("**at=120,-40**")
    page.click("button[aria-label='Remove Place 1']")
    page.wait_for_selector(".place", state="detached")
    page.click("button[aria-label='Undo']")
    page.wait_for_selector(".place")


@pytest.mark.studio
def test_a_place_gets_another_name_in_one_step_but_not_that_of_another_place(page, address):
    open_world(page, address, PIPES + "&seed=27")
    for _ in range(2):
        page.keyboard.press("m")
    page.wait_for_selector("button[aria-label='Go to Place 2']")
    names = page.locator(".place input")
    for name in ("Place 2", "Harbour"):
        names.first.fill(name)
        page.keyboard.press("Enter")
        if name == "Place 2":
            page.wait_for_selector(".message:has-text('Another place is called “Place 2”')")
            assert [each.input_value() for each in names.all()] == ["Place 1", "Place 2"]
    page.wait_for_selector("button[aria-label='Go to Harbour']")
    page.click("button[aria-label='Undo']")
    page.wait_for_selector("button[aria-label='Go to Place 1']")
    assert [each.input_value() for each in names.all()] == ["Place 1", "Place 2"]


@pytest.mark.studio
def test_a_time_budget_shows_provisional_chunks_and_the_share_in_time(page, address):
    open_world(page, address, "#/world?tileset=castle&seed=26")
    unfold(page, "Time and figures")
    page.locator(".slider:has-text('Time for a chunk') input").fill("0")
    page.fill(".coordinates", "5000, 5000")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-figure='in-time']:has-text('were there in time')")
    assert "%" in page.inner_text("[data-figure='in-time']")


@pytest.mark.studio
def test_a_region_is_exported_and_the_world_copied_as_code(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_world(page, address, PIPES + "&seed=27")
    paint(page)
    with page.expect_download() as picture:
        page.click("button:has-text('Export')")
        page.click(".menu button:has-text('Cells')")
        page.click(".menu button:has-text('64 × 64 from 0, 0')")
        page.click(".menu button:has-text('Picture') >> nth=0")
    assert picture.value.suggested_filename == "pipes-64x64-seed27-at_0_0.png"
    page.click("button:has-text('Share')")
    assert page.locator(".menu button:has-text('Copy as command')").count() == 0  # it has edits
    page.click(".menu button:has-text('Python')")
    page.wait_for_selector(".status .message:has-text('Copied')")
    code = page.evaluate("navigator.clipboard.readText()")
    compile(code, "world.py", "exec")
    assert "world.edit({" in code
    page.evaluate("navigator.clipboard.writeText('')")
    page.click("button:has-text('Share')")
    page.click(".menu button >> nth=0")
    page.wait_for_selector(".status .message:has-text('Link copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto(address + "#/start")
    page.goto(link)
    page.wait_for_selector(READY)
    assert len(page.request.get(address.replace("/studio/", "/api/v1/worlds")).json()["worlds"]) >= 2


@pytest.mark.studio
def test_a_world_is_deleted_from_the_start_page_unless_that_is_undone(page, address):
    open_world(page, address, PIPES + "&seed=28")
    page.goto(address + "#/start")
    delete = "button[aria-label='Delete the world of pipes, seed 28']"
    page.hover(f".cover:has({delete})")
    page.click(delete)
    page.click(".cover.gone button")
    page.wait_for_selector(delete, state="attached")


@pytest.mark.studio
def test_a_slow_network_shows_words_first_and_coarse_tiles_meanwhile(page, address):
    throttle = page.context.new_cdp_session(page)
    page.goto(address)
    page.wait_for_selector("a.cover")
    throttle.send("Network.enable")
    slow = {"offline": False, "latency": 400, "downloadThroughput": 60_000, "uploadThroughput": 60_000}
    throttle.send("Network.emulateNetworkConditions", slow)
    page.evaluate(f"location.hash = '{PIPES}&seed=29'")
    page.wait_for_selector(".world-wait:has-text('Opening the world')")
    page.wait_for_selector(READY)
    page.wait_for_selector(".world-wait", state="detached")


@pytest.mark.studio
def test_a_world_goes_on_after_the_server_was_restarted(tolerant_page, tmp_path):
    settings, page = ServiceSettings(data=tmp_path, workers=2), tolerant_page
    with run_server(settings) as address:
        open_world(page, f"{address}/studio/")
        assert paint(page) == "1"
    page.wait_for_selector(".status .message:has-text('does not answer')")
    with run_server(settings, int(address.rpartition(":")[2])):
        page.wait_for_selector(".status .message:has-text('Connected again')")
        page.keyboard.press("Control+z")
        page.wait_for_selector(".stage[data-revision='2']")


@pytest.mark.studio
def test_a_server_with_keys_asks_for_one_and_a_read_only_key_cannot_paint(tolerant_page, tmp_path):
    database = Database(tmp_path)
    keys = {scope: ApiKeys(database).create(scope, scope) for scope in ("read", "write")}
    database.close()
    page, faults = tolerant_page, []
    page.on("pageerror", lambda error: faults.append(str(error)))
    with run_server(ServiceSettings(data=tmp_path, workers=2)) as address:

        def enter(key):
            page.wait_for_selector(".key-form")
            page.fill("input[type=password]", key)
            page.keyboard.press("Enter")

        page.goto(f"{address}/studio/{PIPES}")
        enter("wf_wrong")
        page.wait_for_selector(".fault:not(:empty)")
        enter(keys["write"])
        page.wait_for_selector(READY)
        assert paint(page) == "1"  # the feed and the tiles have the key, too
        page.goto(f"{address}/studio/#/map?tileset=pipes")
        page.wait_for_selector(".status .message:has-text('Solved')")  # and the WebSocket
        page.click(".sign-out")
        page.click(".menu button >> nth=0")
        enter(keys["read"])
        page.goto(f"{address}/studio/{PIPES}")
        page.wait_for_selector(".read-only")
        assert page.is_disabled("button[aria-label='Undo']")
        assert page.locator(READY).count() == 0
        page.goto(f"{address}/studio/{PIPES}&seed=98")
        page.wait_for_selector(".card.error:has-text('Nobody has made this world')")
        assert page.locator(".world-wait").count() == 0
        assert faults == []


def delay(page, pattern, milliseconds):
    """Requests take so long."""

    def wait(route):
        page.wait_for_timeout(milliseconds)
        route.continue_()

    page.route(pattern, wait)


@pytest.mark.studio
def test_from_far_away_tiles_to_come_are_counted_and_there_is_a_farthest_scale(page, address):
    delay(page, "**/tiles/-1/**", 60)
    open_world(page, address, PIPES + "&seed=31&scale=0.016")
    page.wait_for_selector(".message:has-text('Making what is in view'):has-text('%')")
    page.wait_for_selector(".message:has-text('Drag to move')")
    page.wait_for_url("**scale=1")
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.wheel(0, 100)
    page.wait_for_selector(".message:has-text('as far out as it goes')")
    assert len(set(page.locator(".stage canvas").screenshot()[-2_000:])) > 100  # not one colour


@pytest.mark.studio
def test_a_land_with_seas_opens_at_a_coast_and_is_seen_from_far_away(page, address):
    open_world(page, address, "#/world?tileset=terrain&seed=7")
    unfold(page, "Land")
    page.select_option("label:has-text('The land') select", "own")
    page.wait_for_selector(".message:has-text('Another land')")
    page.wait_for_url(lambda url: "at=0,0" not in url)
    first = re.search(r"at=(-?\d+,-?\d+)", page.url)[1]
    page.click("button[aria-label='Undo']")
    page.wait_for_selector(".message:has-text('Back in the world before')")
    page.keyboard.press("0")
    page.wait_for_url("**at=0,0**")
    page.click("button[aria-label='Redo']")
    page.wait_for_url(f"**at={first}**")  # the same for everybody
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    for _ in range(8):
        page.mouse.wheel(0, 100)
    page.wait_for_url("**scale=0.063")
    for _ in range(4):
        page.mouse.wheel(0, 100)
    page.wait_for_selector(".message:has-text('as far out as it goes')")
    assert "hills" not in page.inner_text(".status .message")


@pytest.mark.studio
def test_leaving_while_a_land_is_made_leaves_nothing_behind(page, address):
    feeds = []

    def note(request):
        if "/events" in request.url:
            feeds.append(request.url)

    open_world(page, address, PIPES + "&seed=32")
    unfold(page, "Land")
    delay(page, "**/api/v1/worlds", 1_000)
    page.on("request", note)
    with page.expect_request(lambda request: request.method == "POST"):
        page.select_option("label:has-text('The land') select", "more")
    page.click(".rail a[data-view=start]")
    page.wait_for_selector("a.cover")
    page.wait_for_timeout(2_000)  # until the land would have been made
    assert feeds == []
    assert "#/start" in page.url
    assert "land" not in page.inner_text(".status .message")


@pytest.mark.studio
def test_undo_and_redo_are_on_offer_where_the_log_of_the_world_has_a_step(page, address):
    open_world(page, address, PIPES + "&seed=41")
    page.wait_for_url("**id=*")
    paint(page)
    page.wait_for_selector(".stage[data-revision='1']")
    page.keyboard.press("Control+z")
    page.wait_for_selector(".stage[data-revision='2']")
    page.goto(address + "#/start")
    world = re.search(r"[?&]id=(\w+)", page.evaluate("sessionStorage['wavefold:address:world']"))[1]
    other = page.context.browser.new_page()
    other.goto(f"{address}#/world?id={world}")
    other.wait_for_selector("button[aria-label='Undo'][disabled]")
    other.wait_for_selector("button[aria-label='Redo']:not([disabled])")
    other.click("button[aria-label='Redo']")
    other.wait_for_selector(".stage[data-revision='3']")
    other.wait_for_selector("button[aria-label='Undo']:not([disabled])")
    assert other.is_disabled("button[aria-label='Redo']")
    other.close()


@pytest.mark.studio
def test_a_world_that_does_not_exist_is_not_replaced_by_another(page, address, refusals):
    def count_worlds():
        return len(page.request.get(address.replace("/studio/", "/api/v1/worlds")).json()["worlds"])

    before = count_worlds()
    page.goto(address + "#/world?id=no-such-world")
    page.wait_for_selector(".card:has-text('There is no such world')")
    assert "no world with the id “no-such-world”" in page.inner_text(".card")
    assert page.locator(".stage canvas").count() == 0
    assert count_worlds() == before
    page.click(".card button:has-text('Back to Start')")
    page.wait_for_selector("a.cover")


@pytest.mark.studio
def test_a_world_that_was_deleted_says_that_it_was_made_again_without_its_edits(page, address, refusals):
    open_world(page, address, PIPES + "&seed=42")
    paint(page)
    page.wait_for_selector(".stage[data-revision='1']")
    page.wait_for_url("**document=*")
    page.goto(address + "#/start")
    saved = page.evaluate("sessionStorage['wavefold:address:world']")
    world = re.search(r"[?&]id=(\w+)", saved)[1]
    assert page.request.delete(address.replace("/studio/", f"/api/v1/worlds/{world}")).ok
    page.goto(address + saved)
    page.wait_for_selector(".card:has-text('This world was made again')")
    assert "with its edits" in page.inner_text(".card")
