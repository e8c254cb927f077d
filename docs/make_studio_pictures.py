"""Takes the pictures of the studio: docs/images/studio-*.png, and the tour as studio.gif. Run by `make tour`.

Needs chromium. What is on the pictures is deterministic; when it is on them depends on the machine.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, sync_playwright

IMAGES = Path(__file__).parent / "images"
PORT = 8397
STUDIO = f"http://localhost:{PORT}/studio/"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
SIZE, TOUR_SIZE = (1280, 720), (800, 450)
COLOURS = 96
SOLVED = ".status .message:has-text('Solved')"
# File: theme, address, what shows that the view is ready, keys to press then.
SHOTS = {
    "studio-map.png": ("light", "#/map?tileset=castle", SOLVED, ""),
    "studio-sheet.png": ("dark", "#/map?tileset=circuit", SOLVED, "c"),
    "studio-picture.png": ("light", "#/picture", ".grown[data-milliseconds]", ""),
    "studio-tiles.png": ("light", "#/tiles?tileset=castle", "canvas[data-milliseconds]", ""),
    "studio-world.png": ("dark", "#/world?tileset=terrain", ".swatches button", ""),
    "studio-patchwork.png": ("light", "#/patchwork", "canvas[data-pieces='7'][data-busy='false']", ""),
    "studio-blocks.png": ("dark", "#/blocks?seed=5", ".status .message:has-text('Built')", ""),
}


@contextmanager
def run_server() -> Iterator[None]:
    """A server of its own, with an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "wavefold", "serve", "--port", str(PORT), "--data", folder]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            with httpx.Client(transport=httpx.HTTPTransport(retries=8), timeout=60) as client:
                client.get(f"http://localhost:{PORT}/readyz")
            yield
        finally:
            process.terminate()
            process.wait(30)


def open_page(browser, theme: str, size: tuple[int, int] = SIZE) -> Page:
    viewport = {"width": size[0], "height": size[1]}
    page = browser.new_context(viewport=viewport, color_scheme=theme).new_page()
    page.set_default_timeout(120_000)
    return page


def take_shots(browser) -> None:
    """One picture of each view."""
    for file, (theme, address, ready, keys) in SHOTS.items():
        page = open_page(browser, theme)
        page.goto(STUDIO + address)
        page.wait_for_selector(ready)
        page.wait_for_timeout(4_000)
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(6_000)
        write_small(Image.open(BytesIO(page.screenshot())), IMAGES / file)
        page.context.close()
        print(file)


def write_small(picture: Image.Image, path: Path) -> None:
    picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


class Tour:
    """Frames of what a hand does; the cursor, which screenshots lack, is drawn over them."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self.cursor = (SIZE[0] / 2, SIZE[1] / 2)

    def take(self, milliseconds: int = 120, count: int = 1) -> None:
        """Some frames, each shown so long."""
        for _ in range(count):
            picture = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
            x, y = self.cursor
            arrow = [(x, y), (x, y + 19), (x + 5, y + 15), (x + 13, y + 14)]
            ImageDraw.Draw(picture).polygon(arrow, fill="black", outline="white")
            self.frames.append(picture.resize(TOUR_SIZE, Image.Resampling.LANCZOS))
            self.durations.append(milliseconds)

    def move(self, x: float, y: float, steps: int = 1) -> None:
        fromx, fromy = self.cursor
        for step in range(1, steps + 1):
            self.cursor = (fromx + (x - fromx) * step / steps, fromy + (y - fromy) * step / steps)
            self.page.mouse.move(*self.cursor)
            if steps > 1:
                self.take()

    def click(self, target: str | Locator, nth: int = 0) -> None:
        locator = self.page.locator(target).nth(nth) if isinstance(target, str) else target
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        assert box is not None
        self.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.take(350)
        self.page.mouse.click(*self.cursor)

    def stroke(self, points: list[tuple[float, float]]) -> None:
        self.move(*points[0])
        self.page.mouse.down()
        for point in points[1:]:
            self.move(*point, steps=3)
        self.page.mouse.up()

    def save(self, path: Path) -> None:
        """All frames share one palette, so that only what has changed is stored."""
        sheet = Image.new("RGB", (TOUR_SIZE[0], TOUR_SIZE[1] * len(self.frames[::6])))
        for row, frame in enumerate(self.frames[::6]):
            sheet.paste(frame, (0, TOUR_SIZE[1] * row))
        palette = sheet.quantize(COLOURS, dither=Image.Dither.NONE)
        frames = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
        frames[0].save(
            path, save_all=True, append_images=frames[1:], duration=self.durations, loop=0, optimize=False
        )


def record_tour(browser) -> Tour:
    """Choose a set, watch, paint, regrow, compare seeds; then a look at the other views."""
    tour = Tour(open_page(browser, "light"))
    page = tour.page
    page.goto(STUDIO)
    page.wait_for_selector("a.cover >> text=castle")
    tour.take(250, 4)
    tour.click("a.cover:has-text('castle')")
    page.wait_for_selector(SOLVED)
    tour.take(500)
    page.select_option(".timeline select", "200")
    page.keyboard.press("s")
    tour.take(150, 12)
    page.select_option(".timeline select", "max")
    page.wait_for_selector(SOLVED)
    tour.take(900)
    tour.click(".swatch[aria-label='house']")
    stage = page.locator(".stage canvas").bounding_box()
    assert stage is not None

    def at(x: float, y: float) -> tuple[float, float]:
        return stage["x"] + stage["width"] * x, stage["y"] + stage["height"] * y

    tour.stroke([at(0.6, 0.35), at(0.66, 0.45), at(0.72, 0.4)])
    tour.take(1_000)
    page.keyboard.press("a")
    tour.stroke([at(0.15, 0.15), at(0.4, 0.45)])
    page.keyboard.press("r")
    page.wait_for_timeout(500)
    tour.take(900)
    page.keyboard.press("c")
    page.wait_for_timeout(2_500)
    tour.take(900, 2)
    page.keyboard.press("Escape")
    show_sample(tour)
    show_tiles(tour)
    show_world(tour)
    show_pieces(tour)
    show_blocks(tour)
    return tour


def show_sample(tour: Tour) -> None:
    tour.click(".rail a[data-view='picture']")
    tour.page.wait_for_selector(".grown[data-milliseconds]")
    tour.take(700)
    tour.click(".swatch.colour", 2)
    box = tour.page.locator("canvas.sample").bounding_box()
    assert box is not None
    spots = [(0.62, 0.3), (0.62, 0.62), (0.8, 0.62), (0.8, 0.85)]
    tour.stroke([(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in spots])
    tour.take(900)


def show_tiles(tour: Tour) -> None:
    tour.click(".rail a[data-view='tiles']")
    tour.page.wait_for_selector("canvas[data-milliseconds]")
    tour.take(700)
    box = tour.page.locator(".inspector input[type=range]").first.bounding_box()
    assert box is not None
    row = box["y"] + box["height"] / 2
    tour.stroke([(box["x"] + box["width"] * share, row) for share in (0.5, 0.85, 0.15)])
    tour.take(700)


def show_world(tour: Tour) -> None:
    page = tour.page
    page.goto(STUDIO + "#/world?tileset=terrain")
    page.wait_for_selector(".swatches button")
    page.wait_for_timeout(5_000)
    tour.move(700, 420)
    page.mouse.down()
    tour.move(330, 260, steps=8)
    page.mouse.up()
    for _ in range(4):
        page.mouse.wheel(0, 240)
        page.wait_for_timeout(1_200)
        tour.take(200)
    tour.take(900)


def show_pieces(tour: Tour) -> None:
    page = tour.page
    page.goto(STUDIO + "#/patchwork")
    page.wait_for_selector("canvas[data-pieces]")
    for _ in range(8):
        page.wait_for_timeout(400)
        tour.take(200)
    tour.take(1_200)


def show_blocks(tour: Tour) -> None:
    page = tour.page
    page.goto(STUDIO + "#/blocks?seed=5")
    page.wait_for_selector(".status .message:has-text('Built')")
    page.wait_for_timeout(2_000)
    tour.move(420, 380)
    page.mouse.down()
    tour.move(620, 400, steps=6)
    page.mouse.up()
    tour.take(1_200)


def main() -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("The pictures need a browser: install chromium.")
    with run_server(), sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium, args=FLAGS)
        if sys.argv[1:] != ["tour"]:
            take_shots(browser)
        if sys.argv[1:] != ["shots"]:
            record_tour(browser).save(IMAGES / "studio.gif")


if __name__ == "__main__":
    main()
