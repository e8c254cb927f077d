"""What is around every view: how it opens, small and low screens, the inspector, and palettes by keys."""

import pytest

SCREENS = {
    "laptop": (1280, 720, 1),
    "tablet": (1024, 768, 1),
    "zoomed": (640, 360, 2),
    "phone": (390, 844, 1),
}
CUT_OFF = """[...document.querySelectorAll('.bar :is(button, select, input), .fold')].filter((each) => {
  const { left, right, bottom } = each.getBoundingClientRect();
  return left < 0 || right > innerWidth || bottom > innerHeight;
}).map((each) => each.ariaLabel ?? each.textContent)"""
LONG_NAME = """for (const each of document.querySelectorAll('.bar select'))
  each.append(new Option('a tile set with a long name', '', true, true))"""
VIEWS = ("picture", "tiles", "map?tileset=pipes", "world?tileset=pipes", "patchwork?tileset=pipes", "blocks")


@pytest.fixture
def screen(browser, request):
    """A page of another size, and what went wrong in it."""
    width, height, scale = SCREENS[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=scale)
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.set_default_timeout(300_000)
    yield page
    context.close()
    assert faults == []


@pytest.mark.studio
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("screen", SCREENS, indirect=True)
def test_the_map_has_room_and_no_button_is_cut_off(screen, address, view):
    screen.goto(f"{address}#/{view}")
    screen.wait_for_selector(".bar button[aria-haspopup=menu]")
    screen.wait_for_selector(".opening", state="detached")
    assert screen.locator(".stage").bounding_box()["height"] >= 200
    screen.evaluate(LONG_NAME)
    assert screen.evaluate(CUT_OFF) == []


@pytest.mark.studio
def test_the_inspector_folds_away_by_button_and_key_and_stays_so(page, address):
    page.goto(f"{address}#/map?tileset=pipes")
    page.wait_for_selector(".swatches button")
    wide = page.locator(".stage > canvas").bounding_box()["width"]
    page.click(".status button:has-text('Tools')")
    page.wait_for_selector(".inspector", state="hidden")
    assert page.locator(".stage > canvas").bounding_box()["width"] > wide
    page.reload()
    page.wait_for_selector(".status button[aria-expanded=false]")
    page.wait_for_selector(".message:has-text('Solved')")
    assert not page.locator(".inspector").is_visible()
    page.keyboard.press("h")
    page.wait_for_selector(".inspector")


@pytest.mark.studio
def test_a_palette_is_one_stop_of_the_tab_key(page, address):
    page.goto(f"{address}#/map?tileset=terrain")
    page.wait_for_selector(".palette .swatch >> nth=60", state="attached")
    assert page.locator(".palette .swatch[tabindex='0']").count() == 1
    page.focus(".palette .swatch >> nth=0")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    tops = page.evaluate("[...document.querySelectorAll('.palette .swatch')].map((each) => each.offsetTop)")
    columns = tops.count(tops[0])
    at = page.evaluate("[...document.querySelectorAll('.palette .swatch')].indexOf(document.activeElement)")
    assert at == columns + 1
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.palette')") is None


@pytest.mark.studio
def test_tiles_are_found_by_name_and_what_comes_after_the_palette_is_seen(page, address):
    page.goto(f"{address}#/map?tileset=terrain")
    page.wait_for_selector(".message:has-text('Solved')")
    refine = page.get_by_label("Refine", exact=True).bounding_box()
    assert refine["y"] + refine["height"] < 720
    name = page.locator(".palette .swatch").nth(40).get_attribute("title")
    page.fill("input[type=search]", name)
    assert all(name in each.get_attribute("title") for each in page.locator(".palette .swatch:visible").all())
    page.fill("input[type=search]", "no such tile")
    page.wait_for_selector("text=No tile is called that")


@pytest.mark.studio
def test_a_view_that_opens_slowly_says_so(page, address):
    held = []

    def hold(route):
        held.append(route)

    page.route("**/views/map.js", hold)
    page.goto(f"{address}#/map?tileset=pipes")
    page.wait_for_selector(".opening:has-text('Opening Map')")
    held[0].continue_()
    page.wait_for_selector(".opening", state="detached")
    page.wait_for_selector(".message:has-text('Solved')")


@pytest.mark.studio
@pytest.mark.parametrize("view", ["map", "blocks"])
def test_a_tile_set_that_is_not_here_is_named(page, address, view):
    page.goto(f"{address}#/{view}?tileset=nope")
    page.wait_for_selector(".card:has-text('There is no tile set “nope”')")
    page.wait_for_selector(".bar button:has-text('Again')")
    assert page.locator(".card:has-text('nope')").count() == 1


@pytest.mark.studio
def test_a_view_that_does_not_exist_is_named(page, address):
    page.goto(f"{address}#/nowhere")
    page.wait_for_selector(".card:has-text('nowhere')")
    page.wait_for_selector("a.cover")


@pytest.mark.studio
def test_a_damaged_link_offers_a_way_on(page, address, refusals):
    page.goto(f"{address}#/map?open=damaged")
    page.click(".card button:has-text('Open Map without it')")
    page.wait_for_selector(".message:has-text('Solved')")


@pytest.mark.studio
def test_the_keys_are_shown_from_the_first_on(page, address):
    page.goto(f"{address}#/map?tileset=pipes")
    page.wait_for_selector(".message:has-text('Solved')")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    assert page.evaluate("document.querySelector('dialog').scrollTop") == 0
    assert page.evaluate("document.activeElement.textContent") == "Close"
