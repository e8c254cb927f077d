"""The start: pictures at once, one's own files, recent work, and what is on the server."""

import json

import pytest

DOCUMENT = {
    "version": 1,
    "view": "patchwork",
    "beginning": {
        "request": {"tileset": "pipes", "radius": 2, "seed": 3, "join": "overlap"},
        "steps": [],
    },
    "commands": [{"do": "step", "step": {"populate": [[0, 0], [1, 0]]}}],
}


def test_covers_are_there_before_the_server_answers(page, address):
    page.route("**/api/v1/**", lambda route: None)  # which is never
    page.goto(address)
    page.wait_for_selector("a.cover[href*='castle'] img")
    sizes = page.eval_on_selector_all(
        ".covers img", "all => all.slice(0, 4).map((each) => each.naturalWidth)"
    )
    assert sizes == [480] * 4


@pytest.mark.studio
def test_a_document_that_is_dropped_opens_in_its_view_and_is_recent(page, address):
    page.goto(address)
    file = {"name": "land.wavefold", "mimeType": "", "buffer": json.dumps(DOCUMENT).encode()}
    page.set_input_files("input[type=file]", file)
    page.wait_for_selector("canvas[data-pieces='2']")
    page.click(".rail a[data-view=start]")
    page.wait_for_selector(".cover:has-text('2 pieces') img[src^='data:image/webp']")


@pytest.mark.studio
def test_a_file_that_is_something_else_is_refused_in_words(browser, address):
    page = browser.new_page()
    page.goto(address)
    page.set_input_files("input[type=file]", {"name": "a.wavefold", "mimeType": "", "buffer": b"{}"})
    page.wait_for_selector(".card.error")
    page.set_input_files(
        "input[type=file]", {"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"}
    )
    page.wait_for_selector(".card:has-text('not a picture')")
    page.close()


@pytest.mark.studio
@pytest.mark.parametrize(
    ("name", "words"),
    [("huge.zip", "upload_bytes"), ("huge.png", "not a picture"), ("huge.wavefold", "too large")],
)
def test_a_file_of_200_megabytes_is_refused_and_the_page_goes_on(browser, address, tmp_path, name, words):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(200 << 20)
    page = browser.new_page()
    page.goto(address)
    page.set_input_files("input[type=file]", path)
    page.wait_for_selector(f".card.error:has-text('{words}')")
    page.click("a.cover:has-text('pipes')")
    page.wait_for_selector(".status .message:has-text('Solved')")
    page.close()


@pytest.mark.studio
def test_patchworks_and_worlds_of_the_server_are_listed(page, address):
    api = address.replace("/studio/", "/api/v1")
    made = page.request.post(f"{api}/patchworks", data={"tileset": "pipes", "radius": 3}).json()
    page.request.post(f"{api}/patchworks/{made['id']}/populate", data={"grids": [[0, 0]]})
    page.goto(address)
    page.click(f"a.cover[href*='{made['id']}']")
    page.wait_for_selector("canvas[data-pieces='1']")


@pytest.mark.studio
def test_the_hero_plays_unless_somebody_wants_it_still(page, address):
    page.goto(address)
    page.wait_for_selector(".live.playing")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.wait_for_selector(".cover.new")
    assert page.locator(".live.playing").count() == 0
