"""Keys go where the focus is: a canvas, a button, a link or a slider; and what they point at is announced."""

import re

import pytest

from waiting import wait_in_browser

ANNOUNCED = ".status .announcement[aria-live=polite]"
BLOCKS, BUILT = "#/blocks?tileset=blocks&seed=3", ".status .message:has-text('Built')"
PATCHWORK, GROWN = "#/patchwork?tileset=pipes", "canvas[data-pieces='5'][data-busy='false']"
UNDO = "button[aria-label='Undo']"
OPENED = {
    BLOCKS: BUILT,
    PATCHWORK: GROWN,
    "#/map?tileset=pipes": ".status .message:has-text('Solved')",
    "#/world?tileset=pipes": ".palette .swatch",
}
DRAWN = {"#/picture": ".grown[data-milliseconds]", "#/tiles": ".sample-map canvas[data-milliseconds]"}


def focused(page):
    """What the element with the focus is called."""
    return page.evaluate(
        "(({ activeElement: it }) => it.ariaLabel ?? (it.labels?.[0] ?? it).textContent.trim())(document)"
    )


def announced(page):
    return page.text_content(ANNOUNCED)


@pytest.mark.studio
def test_enter_on_a_button_or_link_builds_no_block(page, address):
    page.goto(address + BLOCKS)
    page.wait_for_selector(BUILT)
    page.focus("canvas.blocks")
    page.keyboard.press("ArrowRight")
    for _ in range(6):
        page.keyboard.press("PageUp")
    page.focus("button:has-text('Replace')")
    page.keyboard.press("Enter")
    assert focused(page) == "Replace"
    assert page.get_attribute("button:has-text('Replace')", "aria-pressed") == "true"
    page.keyboard.press("Enter")
    page.focus(".rail a[data-view=start]")
    page.keyboard.press("Enter")
    page.wait_for_selector("a.cover")
    page.go_back()
    page.wait_for_selector(BUILT)
    assert page.is_disabled(UNDO)
    page.focus("canvas.blocks")  # where it does build
    page.keyboard.press("ArrowRight")
    for _ in range(6):
        page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{UNDO}:not([disabled])")


@pytest.mark.studio
def test_enter_on_a_button_or_link_grows_no_piece(page, address):
    page.goto(address + PATCHWORK)
    page.wait_for_selector(GROWN)
    page.focus(".stage canvas")
    page.keyboard.press("ArrowRight")
    for control in ("button[aria-label='Whole map']", "button.join[aria-pressed=true]"):
        page.focus(control)
        page.keyboard.press("Enter")
    page.wait_for_timeout(300)  # a piece would have been announced by now
    assert page.locator(GROWN).count() == 1
    page.focus(".stage canvas")
    page.keyboard.press("Enter")
    page.wait_for_selector("canvas[data-pieces='6'][data-busy='false']")


@pytest.mark.studio
@pytest.mark.parametrize("view", OPENED)
def test_arrows_on_a_slider_move_the_slider_and_nothing_else(page, address, view):
    page.goto(address + view)
    page.wait_for_selector(OPENED[view])
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")
    slider = page.locator(".inspector input[type=range]:visible").first
    slider.focus()
    before, hovered = slider.input_value(), page.text_content(".status .hover")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    wait_in_browser(page, lambda: slider.input_value() != before, "the slider stays where it was")
    assert page.text_content(".status .hover") == hovered
    assert announced(page) == ""


@pytest.mark.studio
@pytest.mark.parametrize(
    ("view", "says"),
    [
        (BLOCKS, r"\d+, \d+, \d+ · .+"),
        ("#/map?tileset=pipes", r"\d+, \d+ · .+"),
        ("#/world?tileset=pipes", r"In the middle: -?\d+, -?\d+"),
        ("#/picture", r"\d+, \d+ · colour \d, #\w{6}"),
        ("#/tiles", r"\d+, \d+ · #\w{6}"),
    ],
)
def test_what_the_keys_point_at_is_announced(page, address, view, says):
    page.goto(address + view)
    page.wait_for_selector((OPENED | DRAWN)[view])
    assert announced(page) == ""
    page.focus("canvas[role=application]")
    found = set()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        wait_in_browser(page, lambda: announced(page) not in {"", *found}, "nothing is announced")
        found.add(announced(page))
    assert all(re.fullmatch(says, each) for each in found)


@pytest.mark.studio
@pytest.mark.parametrize("view", DRAWN)
def test_keys_alone_draw_pixels(page, address, view):
    page.goto(address + view)
    page.wait_for_selector(DRAWN[view])
    page.focus("canvas[role=application]")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector(f"{UNDO}:not([disabled])")


@pytest.mark.studio
def test_the_pointer_announces_nothing(page, address):
    page.goto(address + "#/map?tileset=pipes")
    page.wait_for_selector(".status .message:has-text('Solved')")
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_in_browser(page, lambda: page.text_content(".status .hover"), "the cell is not shown")
    assert announced(page) == ""


@pytest.mark.studio
def test_arrow_keys_take_the_focus_to_the_canvas_if_nothing_has_it(page, address):
    page.goto(address + BLOCKS)
    page.wait_for_selector(BUILT)
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("Enter")  # not yet
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.matches('canvas.blocks')")
    assert page.is_disabled(UNDO)


@pytest.mark.studio
def test_the_link_at_the_top_leads_to_the_canvas(page, address):
    page.goto(address + BLOCKS)
    page.wait_for_selector(BUILT)
    page.focus("a.skip")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.matches('canvas.blocks')")


DRAW_AGAIN = """async () => {
  const { fill, h } = await import("/studio/parts/element.js");
  const box = h("div"), field = h("input", { type: "text", value: "abc" }), other = h("button", {}, "other");
  const look = () => [document.activeElement === field, document.activeElement.value,
    document.activeElement.selectionStart, document.activeElement.selectionEnd];
  document.body.append(box);
  fill(box, field);
  field.focus();
  field.setSelectionRange(1, 1);
  fill(box, other, field);
  const moved = look();
  fill(box, h("button", {}, "other"), h("input", { type: "text", value: "new" }));
  return [moved, look()];
}"""


@pytest.mark.studio
def test_a_text_field_that_is_drawn_again_keeps_its_cursor_or_is_selected(page, address):
    page.goto(address)
    page.wait_for_selector("a.cover")
    moved, new = page.evaluate(DRAW_AGAIN)
    assert moved == [True, "abc", 1, 1]
    assert new == [False, "new", 0, 3]


@pytest.mark.studio
def test_a_control_keeps_the_focus_when_the_page_draws_it_again(page, address):
    page.goto(address + "#/picture")
    page.wait_for_selector(".grown[data-milliseconds]")
    slider = page.get_by_label("Size", exact=True)
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert slider.input_value() == "60"
    assert focused(page) == "Size"
    page.focus("summary:has-text('Patterns')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pattern")
    assert "Patterns" in focused(page)
    page.focus("button:has-text('Another seed')")
    page.keyboard.press("Enter")
    assert focused(page) == "Another seed"
