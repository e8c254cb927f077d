"""Views come and go: while they open, with keys that may not write, and with documents that are damaged."""

import pytest

from running_server import run_server
from waiting import wait_in_browser
from wavefold_server import ServiceSettings
from wavefold_server.database import Database
from wavefold_server.keys import ApiKeys

GROWN = ".grown[data-milliseconds]"
SOLVED = ".status .message:has-text('Solved')"
CAN_UNDO = "button[aria-label='Undo']:not([disabled])"


@pytest.fixture
def locked(tmp_path):
    """The address of a studio that asks for a key, and a key that may only read."""
    database = Database(tmp_path)
    key = ApiKeys(database).create("read", "read")
    database.close()
    with run_server(ServiceSettings(data=tmp_path, workers=2)) as address:
        yield f"{address}/studio/", key


@pytest.mark.studio
def test_a_view_that_opens_slowly_disturbs_no_other(page, address):
    waiting = []

    def hold(route):
        waiting.append(route)

    page.route("**/api/v1/tilesets", hold)
    page.goto(address + "#/map?tileset=pipes")
    wait_in_browser(page, lambda: waiting, "tile sets were not asked for")
    page.click(".rail a[data-view=picture]")
    page.wait_for_selector(GROWN)
    for route in waiting:
        route.continue_()
    page.unroute("**/api/v1/tilesets")
    page.wait_for_timeout(500)  # the map could be built now
    assert page.locator(".stage > canvas").count() == 0
    assert page.locator(".bar >> text=Import a picture").count() == 1
    assert page.locator(".bar").count() == page.locator(".stage").count() == 1


@pytest.mark.studio
def test_leaving_a_world_while_its_tiles_load_leaves_the_address_alone(page, address):
    page.goto(address + "#/world?tileset=pipes")
    page.wait_for_selector(".stage > canvas[role=application]")
    page.click(".rail a[data-view=picture]")
    page.wait_for_selector(GROWN)
    page.wait_for_timeout(800)  # twice as long as the world waits for quiet
    assert page.url.endswith("#/picture")


@pytest.mark.studio
def test_the_form_for_a_key_stays_until_there_is_one(page, locked, refusals):
    address, key = locked
    page.goto(address)
    page.wait_for_selector(".key-form")
    page.evaluate("location.hash = '#/world'")
    page.keyboard.press("Escape")
    page.wait_for_selector(".rail a[data-view=world][aria-current]")
    page.fill(".key-form input", key)
    page.keyboard.press("Enter")
    page.wait_for_selector(".key-form", state="detached")
    assert page.locator(".sign-out").count() == 1


def count_recent(page):
    return page.evaluate(
        "Object.keys(localStorage).filter((each) => each.startsWith('wavefold:document:')).length"
    )


@pytest.mark.studio
@pytest.mark.parametrize(
    ("view", "ready", "key"),
    [
        ("map?tileset=pipes", SOLVED, "s"),
        ("picture", GROWN, "s"),
        ("tiles", ".sample-map canvas[data-milliseconds]", "s"),
        ("patchwork?tileset=pipes", "canvas[data-pieces='1']", "s"),
        ("blocks", ".status .message:has-text('Built')", "s"),
    ],
)
def test_a_reload_keeps_edits(page, address, view, ready, key):
    page.goto(f"{address}#/{view}")
    page.wait_for_selector(ready)
    page.keyboard.press(key)
    page.wait_for_selector(CAN_UNDO)
    for _ in range(2):  # at once, and after everything has been saved
        page.reload()
        page.wait_for_selector(CAN_UNDO)
        page.wait_for_selector(ready.replace("='1'", ""))
    assert "document=" in page.url
    assert count_recent(page) == 1
    page.click(".rail a[data-view=start]")
    page.wait_for_selector(".cover:has-text('seed'), .cover:has-text('tiles')")
    assert page.locator(".cover:has(.cover-tools) img[src^='data:']").count() == 1


@pytest.mark.studio
def test_the_rail_leads_back_to_what_was_open_in_a_view(page, address):
    page.goto(f"{address}#/map?tileset=pipes&seed=3")
    page.wait_for_selector(SOLVED)
    page.click(".rail a[data-view=picture]")
    page.wait_for_selector(GROWN)
    page.click(".rail a[data-view=map]")
    page.wait_for_selector(SOLVED)
    assert page.url.endswith("#/map?tileset=pipes&seed=3")
    page.keyboard.press("s")
    page.wait_for_selector(CAN_UNDO)
    edited = page.url
    page.click(".rail a[data-view=start]")
    page.wait_for_selector("a.cover")
    page.reload()
    page.click(".rail a[data-view=map]")
    page.wait_for_selector(CAN_UNDO)
    assert page.url == edited
    assert page.input_value(".bar input[type=number] >> nth=0") == "4"


@pytest.mark.studio
def test_what_views_begin_with_is_no_recent_work(page, address):
    for view, ready in (
        ("patchwork?tileset=pipes", "canvas[data-pieces='7'], canvas[data-pieces='5']"),
        ("map?tileset=pipes", SOLVED),
        ("world?tileset=pipes", ".palette .swatch"),
        ("blocks", ".status .message:has-text('Built')"),
        ("tiles", ".sample-map canvas[data-milliseconds]"),
        ("picture", GROWN),
    ):
        page.goto(f"{address}#/{view}")
        page.wait_for_selector(ready)
        page.wait_for_timeout(1_000)  # longer than views wait before they save
    page.click(".rail a[data-view=start]")
    page.wait_for_selector("a.cover")
    assert count_recent(page) == 0


def sign_in_with_recent_work(page, locked):
    address, key = locked
    page.goto(address)
    page.fill(".key-form input", key)
    page.keyboard.press("Enter")
    page.wait_for_selector(".sign-out")
    page.evaluate("localStorage.setItem('wavefold:document:a', JSON.stringify({ id: 'a', view: 'map' }))")


@pytest.mark.studio
@pytest.mark.parametrize("is_removed", [False, True])
def test_whoever_signs_out_decides_what_becomes_of_recent_work(page, locked, refusals, is_removed):
    sign_in_with_recent_work(page, locked)
    page.click(".sign-out")
    page.click(f".menu button:has-text('{'remove recent work' if is_removed else 'stays in this browser'}')")
    page.wait_for_selector(".key-form")
    page.wait_for_selector(".page.start", state="attached")
    assert count_recent(page) == (0 if is_removed else 1)


@pytest.mark.studio
def test_signing_out_in_vain_is_said_and_removes_nothing(page, locked, refusals):
    sign_in_with_recent_work(page, locked)
    page.route("**/session", lambda route: route.abort())
    page.click(".sign-out")
    page.click(".menu button:has-text('remove recent work')")
    page.wait_for_selector(".card:has-text('You are still signed in')")
    page.wait_for_selector(".cover a[href*='document=a']")


@pytest.mark.studio
def test_a_link_is_recent_work_once(page, address):
    page.goto(address)
    request = {"tileset": "pipes", "topology": {"width": 8, "height": 8}, "seed": 7}
    beginning, commands = {"request": request, "commands": []}, [{"do": "seed", "seed": 5}]
    document = {"version": 1, "view": "map", "beginning": beginning, "commands": commands}
    api = address.replace("/studio/", "/api/v1/documents")
    link = page.request.post(api, data={"document": document, "tileset": "pipes"}).json()["link"]
    page.goto(f"{address}#/map?open={link}")
    for _ in range(2):
        page.wait_for_selector(SOLVED)
        page.reload()
    page.wait_for_selector(CAN_UNDO)
    assert count_recent(page) == 1


@pytest.mark.studio
@pytest.mark.parametrize("view", ["map", "picture", "tiles", "patchwork", "blocks", "world"])
@pytest.mark.parametrize("damage", ["beginning", "command"])
def test_a_damaged_document_is_refused_in_words(page, address, refusals, view, damage):
    commands = [] if damage == "beginning" else [{"do": "constructor"}]
    document = {"version": 1, "view": view, "beginning": {}, "commands": commands}
    entry = {"id": "damaged", "view": view, "title": "Damaged", "when": 1, "document": document}
    page.goto(address)
    page.evaluate(
        "(entry) => localStorage.setItem('wavefold:document:damaged', JSON.stringify(entry))", entry
    )
    page.goto(f"{address}#/{view}?document=damaged")
    page.wait_for_selector(".card.error:has-text('This document is')")


@pytest.mark.studio
def test_a_view_that_could_not_be_opened_keeps_no_connection(page, address):
    sockets, document = [], {"version": 1, "view": "picture", "beginning": {}, "commands": []}

    def note(socket):
        sockets.append(socket)

    page.on("websocket", note)
    page.goto(address)
    entry = {"id": "foreign", "view": "map", "title": "Foreign", "when": 1, "document": document}
    page.evaluate(
        "(entry) => localStorage.setItem('wavefold:document:foreign', JSON.stringify(entry))", entry
    )
    page.goto(f"{address}#/map?document=foreign")
    page.wait_for_selector(".card.error")
    wait_in_browser(page, lambda: all(each.is_closed() for each in sockets), "a socket stays open")


@pytest.mark.studio
def test_a_key_that_may_only_read_is_named_as_the_reason(page, locked, refusals):
    address, key = locked
    page.goto(address)
    page.fill(".key-form input", key)
    page.keyboard.press("Enter")
    page.wait_for_selector(".key-form", state="detached")
    for view in ("map", "picture", "tiles", "patchwork", "blocks"):
        page.click(f".rail a[data-view={view}]")
        page.wait_for_selector(f".rail a[data-view={view}][aria-current]")
        page.wait_for_selector(".card.error:has-text('Your key may only read')")
        assert page.locator(".card").count() == 1


@pytest.mark.studio
@pytest.mark.parametrize(("view", "key"), [("picture", "s"), ("tiles", "s")])
def test_why_a_link_may_look_different_stays_until_it_is_read(page, address, view, key):
    def answer(route):
        told = route.fetch().json() | {"changes": ["It was made with another version."]}
        route.fulfill(json=told)

    page.route("**/api/v1/documents/open", answer)
    page.goto(f"{address}#/{view}")
    page.wait_for_selector("canvas[data-milliseconds]")
    page.keyboard.press(key)
    page.wait_for_selector(CAN_UNDO)
    page.reload()  # saves
    page.wait_for_selector("canvas[data-milliseconds]")
    entry = page.evaluate(
        "JSON.parse(Object.values(localStorage).find((each) => each.includes('beginning')))"
    )
    api = address.replace("/studio/", "/api/v1/documents")
    link = page.request.post(api, data={"document": entry["document"]}).json()["link"]
    page.goto(f"{address}#/{view}?open={link}")
    page.wait_for_selector("[data-owner=notice]:has-text('another version')")
    page.wait_for_selector("canvas[data-milliseconds]")
    assert page.locator("[data-owner=notice]").count() == 1
