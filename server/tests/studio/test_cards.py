"""Cards say what went wrong without being in the way of what can be done about it."""

import pytest

PROBLEM = {
    "error": "Contradiction",
    "detail": "nothing fits at (3, 4)",
    "advice": "Draw less.",
    "status": 422,
}
SIZES = {"desktop": (1280, 720), "phone": (390, 844)}


def show_picture(page):
    """The picture view after a seed without a map."""
    page.wait_for_selector(".grown[data-milliseconds]")
    page.route("**/api/v1/sketches", lambda route: route.fulfill(status=422, json=PROBLEM))
    page.keyboard.press("s")


def show_tiles(page):
    page.wait_for_selector(".sample-map canvas[data-milliseconds]")
    page.route("**/api/v1/drafts", lambda route: route.fulfill(status=422, json=PROBLEM))
    page.keyboard.press("s")


def show_comparison(page):
    page.wait_for_selector("canvas[data-pieces='5'][data-busy='false']")
    page.keyboard.press("c")
    page.wait_for_selector(".compare[data-done]")
    page.route("**/api/v1/patchworks/code", lambda route: route.fulfill(status=422, json=PROBLEM))
    page.click("button:has-text('Copy as command')")


@pytest.mark.studio
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("address_of_view", "show"),
    [("#/picture", show_picture), ("#/tiles", show_tiles), ("#/patchwork?tileset=pipes", show_comparison)],
)
def test_a_card_covers_no_control(page, address, refusals, size, address_of_view, show):
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address + address_of_view)
    show(page)
    card = page.locator(".stage > .card")
    card.wait_for()
    box, whole = card.bounding_box(), page.locator(".stage > .page").last.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert whole["y"] + whole["height"] <= box["y"], "the card lies on the page"
    assert whole["height"] >= 150
    controls = page.locator(".stage > .page :is(button, canvas[tabindex]):visible:not([disabled])")
    assert controls.count() > 1
    for control in controls.all():
        control.click(trial=True, timeout=5_000)  # fails if something else is where it would be clicked
