"""The blocks view: cube maps are built, looked into, changed and taken along."""

import json
import re
import shutil
from math import prod
from pathlib import Path

import pytest

from waiting import wait_in_browser
from wavefold_server.studio import PAGES
from wavefold_server.studio.routes import BUNDLE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
BUILT = ".status .message:has-text('Built')"
UNDO = "button[aria-label='Undo']"
SOFTWARE_WEBGL = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
STALL = "() => { const end = performance.now() + 100; while (performance.now() < end); }"  # a slow frame
READ_CORNER = """async (image) => {
  await image.decode();
  const ink = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
  ink.drawImage(image, 0, 0);
  return [...ink.getImageData(4, 4, 1, 1).data].slice(0, 3);
}"""
SMALL = "#/blocks?tileset=blocks&seed=3"


def wait_for_picture(page):
    page.wait_for_selector(BUILT)
    page.wait_for_selector("canvas.blocks[data-blocks]:not([data-blocks=appearing])")


def click_middle(page):
    box = page.locator("canvas.blocks").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_town_is_built_and_a_block_added_and_taken_back(page, address):
    page.goto(address + SMALL)
    wait_for_picture(page)
    assert page.is_disabled(UNDO)
    click_middle(page)
    page.wait_for_selector(f"{UNDO}:not([disabled])")
    page.wait_for_selector(".message:has-text('changed')")
    page.keyboard.press("Control+z")
    page.wait_for_selector(f"{UNDO}[disabled]")
    page.wait_for_selector(".message:has-text('Undone: ')")


@pytest.mark.studio
def test_cutting_away_is_part_of_the_link_and_can_be_undone(page, address):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address + SMALL)
    wait_for_picture(page)
    whole = page.locator("canvas.blocks").screenshot()
    for _ in range(10):
        page.keyboard.press("<")
    page.wait_for_selector("output:has-text('2 of 12')")
    page.click("button:has-text('Share')")
    page.click("[role=menuitem]:has-text('Copy link')")
    page.wait_for_selector(".status .message:has-text('Copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    wait_for_picture(page)
    page.wait_for_selector("output:has-text('2 of 12')")
    assert page.locator("canvas.blocks").screenshot() != whole
    page.click(UNDO)
    page.wait_for_selector(f"{UNDO}[disabled]")
    assert page.locator("output:has-text('2 of 12')").count() == 0


@pytest.mark.studio
def test_the_exported_map_is_the_one_on_the_screen(page, address):
    page.goto(address + SMALL)
    wait_for_picture(page)
    page.keyboard.press("p")
    click_middle(page)
    page.wait_for_selector(f"{UNDO}:not([disabled])")
    where = page.inner_text(".status .hover")
    page.click("button:has-text('Export')")
    with page.expect_download() as download:
        page.click("[role=menuitem]:has-text('wavefold map')")
    x, y, z = map(int, where.split(" · ")[0].split(","))
    assert re.fullmatch(r"blocks-\d+x\d+x\d+-seed\d+\.json", download.value.suggested_filename)
    found = json.loads(Path(download.value.path()).read_text())
    assert found["palette"][found["cells"][z][y][x]]["pattern"] == where.split(" · ")[1]


@pytest.mark.studio
def test_blocks_are_shown_in_space_where_three_was_built(browser, address):
    if not (PAGES / BUNDLE).exists():
        pytest.skip("blocks in space are not tested: run `make bundles` first")
    spatial = browser.browser_type.launch(executable_path=CHROMIUM, args=SOFTWARE_WEBGL)
    page = spatial.new_page(viewport={"width": 640, "height": 480})
    page.set_default_timeout(300_000)
    page.goto(address + SMALL)
    wait_for_picture(page)

    def count_triangles():
        found = page.get_attribute("canvas.blocks", "data-blocks")
        return int(found) if found.isdigit() else 0

    wait_in_browser(page, lambda: count_triangles() > 1_000, "blocks were not placed")
    assert count_triangles() < 30_000, "a plain wall is one rectangle, not one for each of its voxels"
    width = page.evaluate("document.querySelector('canvas.blocks').clientWidth")
    page.mouse.move(300, 240)
    page.mouse.down()
    for step in range(5):
        page.mouse.move(300 + 20 * step, 240)
        page.evaluate(STALL)
    page.wait_for_selector(f"canvas.blocks[width='{width // 2}']")  # fewer pixels while it is turned
    page.mouse.up()
    page.wait_for_selector(f"canvas.blocks[width='{width}']")
    page.keyboard.press("<")
    page.wait_for_selector(f"{UNDO}:not([disabled])")
    page.click(".rail a[data-view=start]")
    page.wait_for_selector(".cover img[src^='data:image/webp']")
    red, green, blue = page.eval_on_selector(".cover img[src^='data:image/webp']", READ_CORNER)
    assert red < green < blue, "recent work shows the map below a sky, as it was on the screen"
    spatial.close()


@pytest.mark.studio
def test_a_checkout_without_the_bundle_shows_layers_and_says_how_to_build_it(page, address):
    empty = {"body": "export {};\n", "content_type": "text/javascript"}  # as the service answers then
    page.route(f"**/{BUNDLE}", lambda route: route.fulfill(**empty))
    page.goto(address + SMALL)
    page.wait_for_selector("canvas.blocks[data-blocks=layers]")
    page.wait_for_selector(".status .message:has-text('Built')")
    assert "Run `make bundles` there" in page.inner_text(".card.warn")


@pytest.mark.studio
def test_another_size_while_a_map_is_built_is_built_in_full(page, address):
    page.goto(address + SMALL)
    page.wait_for_selector(".status .message:has-text('Building')")
    sizes = [page.locator(f".bar label:has-text('{name}') input") for name in ("Width", "Depth", "Height")]
    _, *others = [int(each.input_value()) for each in sizes]
    sizes[0].fill("6")
    page.keyboard.press("Tab")
    cells = 6 * prod(others)
    page.wait_for_selector(f".status .message:has-text('Built · {cells} of {cells}')")
    page.wait_for_selector("canvas.blocks[data-blocks]:not([data-blocks=appearing])")


@pytest.mark.studio
def test_sizes_have_names_and_limits_that_fit_together(page, address):
    page.goto(address + SMALL)
    for name, typed, most in (("Height", 50, 32), ("Width", 200, 64), ("Depth", 200, 32)):
        page.wait_for_selector(f".bar label:has-text('{name}') input[max='{most}']")
        page.fill(f".bar label:has-text('{name}') input", str(typed))
        page.keyboard.press("Enter")
        page.wait_for_selector(f".message:has-text('{name}: a whole number from 2 to {most}.')")
        page.fill(f".bar label:has-text('{name}') input", str(most))
        page.keyboard.press("Enter")
    assert page.locator(".card.error").count() == 0
