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


ICONS = """() => [...document.querySelectorAll("button:has(svg)")].filter((each) => each.checkVisibility())
  .map((each) => [each.querySelector("path").getAttribute("d"), each.ariaLabel ?? each.textContent])"""


@pytest.mark.studio
@pytest.mark.parametrize("view", VIEWS)
def test_buttons_that_do_different_things_have_different_icons(page, address, view):
    path, selector = VIEWS[view]
    page.goto(address + path)
    page.wait_for_selector(selector)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    names = {}
    for drawn, name in page.evaluate(ICONS):
        names.setdefault(drawn, set()).add(name)
    assert names
    assert [each for each in names.values() if len(each) > 1] == []


LOOKS = {"light": (1280, 720), "dark": (1280, 720), "light phone": (390, 844)}


@pytest.mark.studio
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing(page, address, view, look):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="not checked: no axe-core")
    path, selector = VIEWS[view]
    width, height = LOOKS[look]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=look.split()[0])
    page.goto(address + path)
    page.wait_for_selector(selector)
    found = axe.Axe().run(page).response["violations"]
    described = [f"{each['id']}: {node['html']}" for each in found for node in each["nodes"]]
    assert not described, "\n".join(described)
