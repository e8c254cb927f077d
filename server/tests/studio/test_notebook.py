"""The widget's script in a real browser, with a model that speaks to Python as a notebook's does."""

import json
from base64 import b64encode

import pytest

import wavefold as wf
from waiting import wait_in_browser
from wavefold_server.notebook.modules import bundle_modules, bundle_styles
from wavefold_server.notebook.solver_board import SolverBoard
from wavefold_server.notebook.world_board import WorldBoard

pytestmark = pytest.mark.studio

PAGE = """<!doctype html><body><div id="place"></div><script type="module">
const listeners = [], state = STATE;
const view = (text) => new DataView(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer);
const model = { get: (name) => state[name], on: (_, listener) => listeners.push(listener), off: () => {}, send: async (message) => {
  const { answer, buffers } = JSON.parse(await window.ask(JSON.stringify(message)));
  for (const each of listeners) each(answer, buffers.map(view));
} };
const widget = (await import("data:text/javascript;base64,SCRIPT")).default;
widget.render({ model, el: document.querySelector("#place") });
</script></body>"""  # noqa: E501


def mount(page, board, kind):
    """Show a board in a page."""

    def ask(text):
        message = json.loads(text)
        answer, buffers = board.handle(message)
        answer |= {"version": message["version"]}
        return json.dumps({"answer": answer, "buffers": [b64encode(each).decode() for each in buffers]})

    state = json.dumps({"kind": kind, "height": 300, "styles": bundle_styles()})
    script = b64encode(bundle_modules("notebook/widget.js").encode()).decode()
    page.expose_function("ask", ask)
    page.set_content(PAGE.replace("STATE", state).replace("SCRIPT", script))


def test_a_solver_is_stepped_run_and_painted_in_a_notebook(page):
    board = SolverBoard(wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(8, 6)), seed=3))
    mount(page, board, "solver")
    page.click("button[aria-label=Step]")
    page.wait_for_selector(".message:has-text('1 decision')")
    page.select_option("select >> nth=0", "Infinity")
    page.click("button:has-text('Run')")
    page.wait_for_selector("canvas[data-status=solved]")
    assert board.solver.status == "solved"
    page.select_option("select >> nth=1", "cross")
    box = page.locator("canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2 + 4, box["y"] + box["height"] / 2 + 4)
    page.wait_for_selector("span:has-text('cross')")
    assert len(board.painted) == 1


def test_a_world_is_shown_and_moved_in_a_notebook(page):
    mount(page, WorldBoard(wf.World(wf.TileSet.load("pipes"), seed=7)), "world")
    page.wait_for_selector("canvas[data-tiles]")
    before = page.locator("canvas").screenshot()
    page.click("button[aria-label=Farther]")
    wait_in_browser(
        page, lambda: page.locator("canvas").screenshot() != before, "the world stays where it was"
    )


def test_keys_drive_a_board_and_do_not_reach_the_notebook(page):
    board = SolverBoard(wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(8, 6)), seed=3))
    mount(page, board, "solver")
    page.wait_for_selector("button[aria-label=Step]")
    page.focus("canvas")
    page.keyboard.press(".")
    page.wait_for_selector(".message:has-text('1 decision')")
    assert page.locator(".wavefold[data-lm-suppress-shortcuts]").count() == 1
    page.keyboard.press("Control+S")  # this one is the notebook's
    assert page.locator(".wavefold[data-lm-suppress-shortcuts]").count() == 0
    page.keyboard.press(" ")
    page.wait_for_selector("canvas[data-status=solved]")


def test_the_wheel_scrolls_the_notebook_unless_the_board_has_the_focus_or_ctrl_is_held(page):
    board = SolverBoard(wf.Solver(wf.Problem(wf.TileSet.load("pipes"), wf.SquareGrid(8, 6)), seed=3))
    mount(page, board, "solver")
    page.wait_for_selector("button[aria-label=Step]")
    page.evaluate("document.body.style.height = '3000px'")
    canvas = page.locator("canvas")

    def turn(y):
        canvas.hover(position={"x": 20, "y": 20})
        page.mouse.wheel(0, y)

    turn(200)
    wait_in_browser(page, lambda: page.evaluate("scrollY") == 200, "the page is not scrolled")
    page.wait_for_selector("span:has-text('hold Ctrl or click the board')")
    page.evaluate("scrollTo(0, 0)")
    whole = canvas.screenshot()
    page.keyboard.down("Control")
    turn(-200)
    page.keyboard.up("Control")
    wait_in_browser(page, lambda: canvas.screenshot() != whole, "the wheel with Ctrl does not zoom")
    near = canvas.screenshot()
    canvas.focus()
    turn(100)
    wait_in_browser(
        page, lambda: canvas.screenshot() != near, "the wheel over a board with the focus does not zoom"
    )
    assert page.evaluate("scrollY") == 0
