"""Each view of the studio does in a real browser what it is for."""

import pytest

from waiting import wait_in_browser

PIPES = "#/map?tileset=pipes"


@pytest.mark.studio
def test_the_start_shows_tile_sets_to_choose_from(page, address):
    page.goto(address)
    page.wait_for_selector("a.cover >> text=castle")
    page.click("a.cover:has-text('pipes')")
    page.wait_for_selector(".status .message:has-text('Solved')")
    assert "tileset=pipes" in page.url


def test_a_map_is_solved_painted_and_restored_by_undo(page, address):
    page.goto(address + PIPES)
    page.wait_for_selector(".status .message:has-text('Solved')")
    assert page.is_disabled("button[aria-label='Undo']")
    page.click(".swatches button >> nth=1")
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector("button[aria-label='Undo']:not([disabled])")
    page.keyboard.press("Control+z")
    page.wait_for_selector("button[aria-label='Undo'][disabled]")


def test_every_stroke_on_a_sample_gives_another_map(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(".grown[data-milliseconds]")
    before = page.locator(".grown").screenshot()
    box = page.locator("canvas.sample").bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 60, steps=4)
    page.mouse.up()
    page.wait_for_selector("button[aria-label='Undo']:not([disabled])")
    wait_in_browser(page, lambda: page.locator(".grown").screenshot() != before, "the map stays what it was")


@pytest.mark.studio
def test_an_address_shows_the_same_map_after_a_reload(page, address):
    def look():
        page.wait_for_selector(".status .message:has-text('Solved')")
        page.wait_for_timeout(1_000)
        return page.locator(".stage canvas").screenshot()

    page.goto(address + PIPES + "&seed=3")
    first = look()
    page.reload()
    assert look() == first
