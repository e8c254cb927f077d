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
    first = "all => Promise.all(all.slice(0, 4).map((each) => each.decode().then(() => each.naturalWidth)))"
    sizes = page.eval_on_selector_all(".covers img", first)
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


STORED = "Object.keys(localStorage).filter((each) => each.startsWith('wavefold:document:')).length"
BEGINNING = {
    "request": {"tileset": "pipes", "topology": {"width": 8, "height": 8}, "seed": 7},
    "commands": [],
}


def store(page, name, when, text=""):
    """Put recent work into the browser's storage."""
    document = {"version": 1, "view": "map", "beginning": BEGINNING, "commands": [], "more": text}
    entry = {"id": name, "view": "map", "title": name, "when": when, "document": document}
    page.evaluate(
        "(entry) => localStorage.setItem(`wavefold:document:${entry.id}`, JSON.stringify(entry))", entry
    )


@pytest.mark.studio
def test_recent_work_is_renamed_and_removed_and_both_can_be_undone(page, address):
    page.goto(address)
    for index, name in enumerate(("first", "second")):
        store(page, name, index + 1)
    page.reload()

    def rename():
        page.hover(".cover:has-text('first')")
        page.click("button[aria-label='Rename first']")
        page.fill(".cover input[type=text]", "Harbour")
        page.keyboard.press("Enter")
        page.wait_for_selector(".cover:has-text('Harbour')")

    rename()
    page.click(".status button:has-text('Undo')")
    page.wait_for_selector(".cover:has-text('Harbour')", state="detached")
    rename()
    page.click(".cover:has-text('Harbour') a")
    page.wait_for_selector(".status .message:has-text('Solved')")
    page.click(".rail a[data-view=start]")  # the view has saved it, under a title of its own
    page.wait_for_selector(".cover:has-text('Harbour') img[src^='data:image/webp']")
    page.hover(".cover:has-text('Harbour')")
    page.click("button[aria-label='Remove Harbour']")
    page.wait_for_selector(".cover:has-text('Harbour')", state="detached")
    assert page.evaluate(STORED) == 1
    page.click(".status button:has-text('Undo')")
    page.wait_for_selector(".cover:has-text('Harbour')")


@pytest.mark.studio
def test_a_document_that_is_too_large_takes_no_other_with_it(page, address):
    page.goto(address)
    for index in range(4):
        store(page, f"work {index}", index + 1, 400_000 * "x")
    save = """async ([id, length]) => {
      const { saveRecent } = await import("./app/recent.js"), document = { text: "x".repeat(length) };
      return saveRecent({ id, view: "map", title: id, when: 99, document });
    }"""
    assert not page.evaluate(save, ["huge", 8_000_000])
    assert page.evaluate(STORED) == 4
    assert page.evaluate(save, ["large", 4_200_000])  # the oldest make room, and no more of them than needed
    assert 1 < page.evaluate(STORED) < 5
    assert page.evaluate("localStorage.getItem('wavefold:document:work 3') !== null")
