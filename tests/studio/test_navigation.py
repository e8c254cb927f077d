"""Views come and go: while they open, with keys that may not write, and with documents that are damaged."""

import pytest

from running_server import run_server
from wavefold.service import ServiceSettings
from wavefold.service.database import Database
from wavefold.service.keys import ApiKeys

GROWN = ".grown[data-milliseconds]"


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
    page.route("**/api/v1/tilesets", waiting.append)
    page.goto(address + "#/map?tileset=pipes")
    while not waiting:
        page.wait_for_timeout(20)
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
