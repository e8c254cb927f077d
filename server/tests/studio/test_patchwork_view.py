"""The patchwork view: pieces grow, are joined in another way, rebuilt, undone, and stay after a reload."""

import pytest

from waiting import wait_in_browser

PIPES = "#/patchwork?tileset=pipes"


def wait_for(page, pieces):
    """Until there are so many pieces, and nothing is going on."""
    page.wait_for_selector(f"canvas[data-pieces='{pieces}'][data-busy='false']")


def middle_of(page):
    box = page.locator(".stage canvas").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_click_grows_a_piece_and_undo_takes_it_back(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    x, y = middle_of(page)
    box = page.locator(".stage canvas").bounding_box()
    page.mouse.click(x - box["height"] / 5, y - box["height"] / 5)  # the placeholder to the northwest
    wait_for(page, 6)
    page.keyboard.press("Control+z")
    wait_for(page, 5)
    assert "5 pieces" in page.text_content(".report")
    assert page.text_content(".message") == "Undone: 5 pieces."


@pytest.mark.studio
def test_what_a_patchwork_begins_with_is_nothing_to_undo(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    assert page.is_disabled("button[aria-label='Undo']")
    page.keyboard.press("Control+z")
    page.keyboard.press("r")  # the tool for disks: the key before it was handled
    page.wait_for_selector("button[aria-pressed=true]:has-text('Rebuild')")
    wait_for(page, 5)


@pytest.mark.studio
def test_another_join_grows_the_same_pieces_again_also_after_a_reload(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.click("button.join[data-join='fixed']")
    page.wait_for_selector(".message:has-text('grown again')")
    assert page.get_attribute("button.join[data-join='fixed']", "aria-pressed") == "true"
    page.reload()
    wait_for(page, 5)
    assert page.get_attribute("button.join[data-join='fixed']", "aria-pressed") == "true"


@pytest.mark.studio
def test_a_disk_is_rebuilt_where_one_clicks(page, address):
    page.emulate_media(reduced_motion="reduce")  # pieces are there at once
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.keyboard.press("r")
    page.mouse.click(*middle_of(page))
    page.wait_for_selector(".message:has-text('Rebuilt')")


@pytest.mark.studio
def test_keys_alone_grow_a_piece(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.focus(".stage canvas")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for(page, 6)


@pytest.mark.studio
def test_joins_are_compared_and_one_is_chosen(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.keyboard.press("c")
    page.wait_for_selector(".compare[data-done]")
    assert page.locator(".comparison figure").count() == 5
    page.click(".comparison figure:has-text('Whole') button")
    page.wait_for_selector("button.join[data-join='whole'][aria-pressed='true']")


@pytest.mark.studio
def test_a_patchwork_of_the_server_opens_and_stays_as_it_was(page, address):
    api = address.replace("/studio/", "/api/v1")
    made = page.request.post(f"{api}/patchworks", data={"tileset": "pipes", "radius": 3}).json()
    page.request.post(f"{api}/patchworks/{made['id']}/populate", data={"grids": [[0, 0], [1, 0]]})
    page.goto(f"{address}#/patchwork?id={made['id']}")
    wait_for(page, 2)
    page.keyboard.press("g")
    page.wait_for_selector(".message:has-text('have grown')")
    assert page.request.get(f"{api}/patchworks/{made['id']}").json()["grids"] == 2


@pytest.mark.studio
def test_what_cannot_be_is_said_and_can_be_undone(browser, address):
    page, problem = browser.new_page(), {"detail": "no room", "advice": "Wait.", "status": 422}
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.route("**/api/v1/patchworks", lambda route: route.fulfill(status=422, json=problem))
    page.click("button.join[data-join='whole']")
    page.wait_for_selector(".card:has-text('no room')")
    page.click(".card button:has-text('Undo')")
    wait_for(page, 5)
    page.close()


class Gate:
    """Holds pieces back, so that something can be done while others have not grown yet."""

    def __init__(self, page):
        self._page, self._held, self._is_open = page, [], False
        page.route("**/populate", self._take)

    def _take(self, route):
        if self._is_open:
            route.continue_()
        else:
            self._held.append(route)

    def wait(self):
        """Until a piece is held back."""
        wait_in_browser(self._page, lambda: self._held, "no piece was asked for")

    def let_through(self, pieces):
        """So many pieces grow, and the next one is held back."""
        for _ in range(pieces):
            self.wait()
            self._held.pop().continue_()
        self.wait()

    def open(self):
        """All other pieces grow."""
        self._is_open = True
        while self._held:
            self._held.pop().continue_()


FAIL_TWICE = """async () => {
  const { Growth } = await import("./views/patchwork/growth.js"), fail = () => { throw new Error("fault"); };
  const shell = { closeCard() {}, say() {} }, growth = new Growth({ shell, fail, canvas: { dataset: {} } });
  await growth.run("One", fail);
  await growth.run("Two", async () => fail());
  return new Promise((resolve) => growth.run("Three", async () => resolve(growth.isBusy)));
}"""


@pytest.mark.studio
def test_what_waits_goes_on_after_a_fault_that_cannot_even_be_said(browser, address):
    page = browser.new_page()
    page.goto(address)
    assert page.evaluate(FAIL_TWICE)
    page.close()


@pytest.mark.studio
@pytest.mark.parametrize("pieces", [0, 1, 3])
def test_growing_all_around_while_the_first_pieces_grow_comes_after_them(page, address, pieces):
    gate = Gate(page)
    page.goto(address + PIPES)
    gate.let_through(pieces)
    for _ in range(3):
        page.keyboard.press("g")
    page.wait_for_selector(".message:has-text('That is next')")
    gate.open()
    wait_for(page, 5 if not pieces else 13)  # asked for before anything is there, it is what happens anyway


@pytest.mark.studio
def test_a_click_while_the_first_pieces_grow_leaves_the_whole_map_in_view(page, address):
    pictures = []
    page.emulate_media(reduced_motion="reduce")  # pieces are there at once
    for is_early in (False, True):
        gate = Gate(page)
        page.goto("about:blank")
        page.goto(address + PIPES)
        gate.wait()
        if is_early:
            page.mouse.click(*middle_of(page))
        gate.open()
        wait_for(page, 5)
        box = page.locator(".stage canvas").bounding_box()
        page.mouse.move(box["x"] + 2, box["y"] + 2)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        pictures.append(page.locator(".stage canvas").screenshot())
    assert pictures[0] == pictures[1]


@pytest.mark.studio
def test_another_seed_while_pieces_grow_grows_them_all_from_that_seed(page, address):
    gate = Gate(page)
    page.goto(address + PIPES)
    gate.let_through(2)
    with page.expect_response(lambda answer: answer.url.endswith("/patchworks") and answer.ok) as made:
        page.keyboard.press("s")
    gate.open()
    page.wait_for_selector(".message:has-text('grown again')")
    wait_for(page, 5)
    assert made.value.json()["seed"] == 8
    page.keyboard.press("s")
    page.keyboard.press("s")
    page.wait_for_selector(".message:has-text('grown again')")
    wait_for(page, 5)
    page.keyboard.press("Control+z")
    wait_for(page, 5)
    assert page.input_value("label:has-text('Seed') input") == "9"


@pytest.mark.studio
def test_escape_leaves_the_comparison_and_puts_the_tool_away(page, address):
    page.goto(address + PIPES)
    wait_for(page, 5)
    page.keyboard.press("r")
    page.wait_for_selector("button[aria-pressed=true]:has-text('Rebuild')")
    page.keyboard.press("c")
    page.wait_for_selector(".compare figure")
    page.keyboard.press("Escape")
    page.wait_for_selector(".compare", state="detached")
    page.keyboard.press("Escape")
    page.wait_for_selector("button[aria-pressed=false]:has-text('Rebuild')")
