"""The panels of the map view: every setting is a control, changes are live, and undo takes one step back."""

import re

import pytest

from waiting import wait_in_browser

CASTLE = "#/map?tileset=castle"
SOLVED = ".status .message:has-text('Solved')"


def open_map(page, address, where=CASTLE):
    page.goto(address + where)
    page.wait_for_selector(SOLVED)


def open_panel(page, title):
    page.click(f".inspector > details > summary:has-text('{title}')")
    return page.locator(f".inspector > details:has(> summary:has-text('{title}'))")


def last_part(page):
    """What the last command of the document sets that the browser has saved, if it has saved one."""
    script = """() => Object.keys(localStorage).filter((key) => key.startsWith("wavefold:document:"))
        .map((key) => JSON.parse(localStorage.getItem(key)).document.commands.at(-1)?.part)[0]"""
    return page.evaluate(script)


def drag_slider(page, slider, share):
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()


@pytest.mark.studio
def test_a_weight_is_live_and_one_step_back(page, address):
    open_map(page, address)
    panel = open_panel(page, "Weights")
    drag_slider(page, panel.locator("input[type=range]").nth(14), 0.9)
    page.wait_for_selector("summary:has-text('Weights'):has-text('changed')")
    page.wait_for_selector(SOLVED)
    assert panel.locator("output").nth(14).inner_text().startswith("× 3")
    page.keyboard.press("Control+z")
    page.wait_for_selector("button[aria-label='Undo'][disabled]")
    panel.locator(".tile-row").nth(14).locator("output:text-is('× 1')").wait_for()


@pytest.mark.studio
def test_every_setting_of_the_service_has_a_control(page, address):
    open_map(page, address)
    forms = page.request.get(address.replace("/studio/", "/api/v1/solves/forms")).json()
    for form in forms["settings"]:
        panel = open_panel(page, form["title"])
        for key in form["keys"]:
            setting = panel.locator(f"[data-setting={key['name']}]")
            setting.locator("input, select, summary").first.wait_for(state="attached")
            assert key["help"] in setting.inner_text() or not key["main"]
    rules = open_panel(page, "Rules of the map")
    rules.locator("select option").nth(1).wait_for(state="attached")
    kinds = rules.locator("select option").evaluate_all("options => options.map((each) => each.value)")
    assert kinds[1:] == [each["kind"] for each in forms["constraints"]]


@pytest.mark.studio
def test_a_setting_is_applied_and_reset(page, address):
    open_map(page, address)
    panel = open_panel(page, "Order and choice")
    panel.locator("[data-setting=order] select").select_option("scanline")
    page.wait_for_selector("summary:has-text('Order and choice'):has-text('changed')")
    page.wait_for_selector(SOLVED)
    panel.locator("text=Reset").click()
    page.wait_for_selector("summary:has-text('Order and choice'):not(:has-text('changed'))")
    panel.locator("button:has-text('Reset')").wait_for(state="hidden")
    assert panel.locator("[data-setting=order] select").input_value() == "auto"


@pytest.mark.studio
def test_a_rule_is_added_changed_and_removed(page, address):
    open_map(page, address)
    panel = open_panel(page, "Rules of the map")
    panel.locator("select").last.select_option("count")
    panel.locator("fieldset").wait_for()
    panel.locator("fieldset summary").first.click()
    panel.locator("fieldset .swatch[aria-label=keep]").click()
    panel.locator("fieldset .swatch[aria-label=meadow]").click()
    panel.locator("fieldset input").last.fill("1")
    panel.locator("fieldset input").last.press("Enter")
    page.wait_for_selector(SOLVED)
    rule = {"kind": "count", "tile": "keep", "at_least": 1, "at_most": 1}
    part = {"constraints": [rule]}
    wait_in_browser(page, lambda: last_part(page) == part, "the rule was not saved")
    panel.locator("text=Remove").click()
    panel.locator("fieldset").wait_for(state="detached")


@pytest.mark.studio
def test_an_impossible_rule_is_explained(page, address):
    open_map(page, address)
    panel = open_panel(page, "Rules of the map")
    panel.locator("select").last.select_option("count")
    panel.locator("fieldset input").first.fill("9000")
    panel.locator("fieldset input").first.press("Enter")
    page.wait_for_selector(".card.error")
    assert "9000" in page.inner_text(".card.error").replace(",", "")


@pytest.mark.studio
def test_shares_say_what_was_reached(page, address):
    open_map(page, address)
    panel = open_panel(page, "Shares")
    drag_slider(page, panel.locator("input[type=range]").first, 0.6)
    reached = re.compile(r"asked (5|6)\d.*has (5|6)\d")
    panel.locator("output", has_text=reached).wait_for()


@pytest.mark.studio
def test_edges_of_squares_meet_and_hexagons_have_outlines(page, address):
    open_map(page, address)
    open_panel(page, "Grid").locator("text=Left and right").click()
    page.wait_for_selector("summary:has-text('Grid'):has-text('changed')")
    page.wait_for_selector(SOLVED)
    open_map(page, address, "#/map?tileset=medieval")
    open_panel(page, "Grid").locator("select").select_option("disk")
    page.wait_for_selector(".bar label:has-text('Radius')")
    page.wait_for_selector(".status .message:has-text('469 of 469')")


@pytest.mark.studio
def test_statistics_are_shown_in_words(page, address):
    open_map(page, address)
    panel = open_panel(page, "Statistics")
    panel.locator("dt:has-text('steps back')").wait_for()
    assert "1536 of 1536" in panel.inner_text()
