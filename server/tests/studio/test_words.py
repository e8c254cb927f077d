"""Numbers and their nouns agree: one piece, two pieces."""

import re

import pytest

from wavefold_server.studio import PAGES

# What follows a number that may be 1. “5 of 1536 cells” and “3 × 3 cells” are no such numbers.
NOUNS = "tiles|pieces|patterns|colours|times|decisions|chunks|gaps|worlds|edits|maps|cells|steps"
COUNTED = re.compile(rf"(?<! of )(?<! × )\$\{{([^}}]*)\}} ({NOUNS})\b")
# Never 1: settings of the studio, and numbers that the code has compared before.
LARGE = {"keys.length", "wanted.length", "FARTHEST", 'each.toLocaleString("en")',
         "(width * height).toLocaleString()"}  # fmt: skip


def test_nouns_after_numbers_are_counted():
    scripts = [path for path in PAGES.rglob("*.js") if path.name != "three.bundle.js"]
    found = {(path.name, *match) for path in scripts for match in COUNTED.findall(path.read_text())}
    assert {each for each in found if each[1] not in LARGE} == set()


@pytest.mark.studio
def test_what_there_is_one_of_is_singular(page, address):
    tileset = {"id": "one", "name": "one", "origin": "uploaded", "topology": "square", "tile_count": 1,
               "pictures": {"sample": "/studio/icon.svg"}}  # fmt: skip
    page.route("**/api/v1/tilesets", lambda route: route.fulfill(json={"tilesets": [tileset]}))
    patchwork = {"id": "none", "tileset": "pipes", "grids": 1}
    page.route("**/api/v1/patchworks?*", lambda route: route.fulfill(json={"patchworks": [patchwork]}))
    page.route("**/patchworks/none/picture.png?*", lambda route: route.fulfill(path=PAGES / "icon.svg"))
    page.goto(address)
    page.wait_for_selector("a.cover:has-text('1 tile · squares')")
    page.wait_for_selector("a.cover small:text-is('Patchwork, 1 piece')")
