"""How fast the studio is in a real browser: `python tools/measure_studio.py ADDRESS VIEW [AMOUNT]`.

VIEW is start (AMOUNT: rounds), world (seconds of panning), map (rounds), picture (strokes) or tiles (moves of
a slider).

ADDRESS is that of a running server, as http://127.0.0.1:8317. Needs playwright and Debian's chromium.
"""

import json
import math
import shutil
import sys
from contextlib import contextmanager
from itertools import product
from time import perf_counter

from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@contextmanager
def open_page(width=1280, height=720):
    """A page of a new browser, whose cache is empty."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def describe(values):
    """Median, 95th percentile and largest of milliseconds."""
    known = sorted(values)
    if not known:
        return {"count": 0}
    at = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    found = {
        name: round(known[min(len(known) - 1, int(share * len(known)))], 1) for name, share in at.items()
    }
    return {"count": len(known)} | found


# --- the world view -----------------------------------------------------------------------------

WATCH = """() => {
  performance.setResourceTimingBufferSize(9000);
  const frames = (window.measuredFrames = []);
  let last = performance.now();
  const watch = (now) => { frames.push(now - last); last = now; requestAnimationFrame(watch); };
  requestAnimationFrame(watch);
}"""
COLLECT = """() => ({
  frames: window.measuredFrames,
  tiles: performance.getEntriesByType("resource").filter((each) => each.name.includes("/tiles/"))
    .map((each) => each.responseEnd - each.startTime),
})"""


def pan(page, seconds):
    """Drag the canvas with the mouse in large circles."""
    box = page.locator(".stage canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    started = perf_counter()
    while (now := perf_counter() - started) < seconds:
        angle = now / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(24):
            page.mouse.move(x + 12 * step * math.cos(angle), y + 12 * step * math.sin(angle))
        page.mouse.up()


def measure_world(address, seconds=30.0, tileset="castle"):
    """Frames while a world is panned, and how long its tiles take, when it is new and once more when not."""
    found = {}
    for name in ("new", "warm"):
        with open_page() as page:
            page.goto(f"{address}/studio/#/world?tileset={tileset}&seed=7&scale=16")
            page.wait_for_selector(".swatches button", timeout=120_000)
            page.wait_for_timeout(2_000)
            page.evaluate(WATCH)
            pan(page, seconds)
            values = page.evaluate(COLLECT)
            found[name] = {kind: describe(each) for kind, each in values.items()}
    return found


# --- the map view -------------------------------------------------------------------------------

# Time between frames, and the time that the page itself works for each: callbacks of frames and messages.
WATCH_WORK = """() => {
  const found = (window.measured = { frames: [], work: [] });
  let work = 0, last = 0;
  const timed = (call) => (...given) => {
    const started = performance.now();
    try { return call(...given); } finally { work += performance.now() - started; }
  };
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => ask(timed(call));
  const listen = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (kind, call, ...more) {
    return listen.call(this, kind, kind === "message" ? timed(call) : call, ...more);
  };
  const watch = (now) => {
    if (last && window.isMeasuring) { found.frames.push(now - last); found.work.push(work); }
    last = now;
    work = 0;
    ask(watch);
  };
  ask(watch);
}"""
SOLVED = ".stage > canvas[data-status='solved']"


def measure_map(address, rounds=3.0, tilesets=("circuit", "castle", "terrain", "medieval"), size=64):
    """Frames while a map is solved before one's eyes, and while its run is gone through with the slider."""
    found = {}
    for tileset in tilesets:
        with open_page() as page:
            page.add_init_script(f"({WATCH_WORK})()")
            page.goto(f"{address}/studio/#/map?tileset={tileset}")
            page.wait_for_selector(SOLVED, timeout=120_000)
            for index in (1, 2):
                page.locator(".bar input[type='number']").nth(index).fill(str(size))
                page.keyboard.press("Enter")
                page.wait_for_timeout(300)
                page.wait_for_selector(SOLVED, timeout=120_000)
            page.evaluate("window.isMeasuring = true")
            started = perf_counter()
            for _ in range(int(rounds)):
                page.keyboard.press("Escape")
                page.click("button[aria-label='Another seed']")
                page.wait_for_selector(".stage > canvas[data-status='running']")
                page.wait_for_selector(SOLVED, timeout=120_000)
            seconds = (perf_counter() - started) / rounds
            solving = page.evaluate("window.measured")
            page.evaluate("window.measured.frames.length = window.measured.work.length = 0")
            page.evaluate("""async () => {
                const slider = document.querySelector(".track input"), end = Number(slider.max);
                for (let step = 0; step < 120; step++) {
                    slider.value = Math.round(end * (0.5 + 0.5 * Math.sin(step / 5)));
                    slider.dispatchEvent(new Event("input"));
                    await new Promise((resolve) => requestAnimationFrame(resolve));
                }
            }""")
            scrubbing = page.evaluate("window.measured")
            found[tileset] = {"seconds for a map, refined": round(seconds, 2)}
            for name, values in (("solving", solving), ("scrubbing", scrubbing)):
                found[tileset][name] = {kind: describe(each) for kind, each in values.items()}
    return found


# --- the picture view ---------------------------------------------------------------------------

STROKES = """(count) => new Promise((resolve) => {
  const canvas = document.querySelector("canvas.sample"), grown = document.querySelector(".grown");
  const box = canvas.getBoundingClientRect(), at = () => 0.1 + 0.8 * Math.random(), found = [];
  const point = (kind) => canvas.dispatchEvent(new PointerEvent(kind, {
    clientX: box.left + at() * box.width, clientY: box.top + at() * box.height, pointerId: 1 }));
  HTMLCanvasElement.prototype.setPointerCapture = () => {};
  const stroke = () => {
    const started = performance.now();
    const watch = new MutationObserver(() => requestAnimationFrame(() => {
      watch.disconnect();
      found.push(performance.now() - started);
      point("pointerup");
      if (found.length === count) resolve(found);
      else setTimeout(stroke, 250);
    }));
    watch.observe(grown, { attributes: true, attributeFilter: ["data-milliseconds"] });
    point("pointerdown");
  };
  stroke();
})"""


def measure_picture(address, strokes=40.0):
    """From a press on the sample (16 x 16, N = 3, about 200 patterns) to the new map of 48 x 48 on screen."""
    with open_page() as page:
        page.goto(f"{address}/studio/#/picture")
        page.wait_for_selector(".grown[data-milliseconds]", timeout=120_000)
        page.wait_for_timeout(1_000)
        page.evaluate(STROKES, 5)  # warm
        return {"stroke to map": describe(page.evaluate(STROKES, int(strokes)))}


# --- the start page -----------------------------------------------------------------------------

# Milliseconds of latency and kilobits per second; 0: as fast as they come.
LINES = {"local": (0, 0), "slow": (100, 1600)}
LOOKED_AT = {"start": (".live img", "start"), "map": (SOLVED, "map?tileset=castle")}
WATCH_PAINTS = """(selector) => {
  const isThere = () => {
    const found = document.querySelector(selector);
    return found && (found.tagName !== "IMG" || (found.complete && found.naturalWidth > 0));
  };
  const watch = () => {
    if (isThere()) document.documentElement.dataset.finishedMap = performance.now();
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}"""
FIRST_PAINT = """() => new Promise((resolve) => new PerformanceObserver((list) => {
    const found = list.getEntriesByName('first-contentful-paint')[0];
    if (found) resolve(found.startTime);
}).observe({ type: 'paint', buffered: true }))"""


def visit(page, address):
    """Milliseconds until something is painted, and until there is a finished map."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    page.wait_for_selector("[data-finished-map]", state="attached", timeout=120_000)
    return page.evaluate(FIRST_PAINT), float(page.get_attribute("html", "data-finished-map"))


def slow_down(page, latency, speed):
    """Emulate a line: milliseconds and kilobits per second."""
    wire, throughput = page.context.new_cdp_session(page), speed * 125 if speed else -1
    conditions = {"latency": latency, "downloadThroughput": throughput, "uploadThroughput": throughput}
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", {"offline": False} | conditions)


def measure_start(address, rounds=5.0):
    """How long a visitor waits: with an empty cache and a full one, on this machine and over a slow line."""
    found = {}
    for (view, (selector, path)), (name, line) in product(LOOKED_AT.items(), LINES.items()):
        times = {"cold": [], "warm": []}
        for _ in range(int(rounds)):
            with open_page() as page:
                page.add_init_script(f"({WATCH_PAINTS})({json.dumps(selector)})")
                slow_down(page, *line)
                for values in times.values():
                    values.append(visit(page, f"{address}/studio/#/{path}"))
        found[f"{view}, {name}"] = {
            cache: {"first paint": describe(first), "finished map": describe(last)}
            for cache, (first, last) in ((kind, zip(*each, strict=True)) for kind, each in times.items())
        }
    return found


# --- the tiles view -----------------------------------------------------------------------------

# When each question is sent, answered and decoded; `server` is what the service says that it took.
WATCH_QUESTIONS = """() => {
  const found = (window.measured = {}), ask = window.fetch.bind(window);
  const isIt = (url) => String(url).endsWith("/drafts");
  window.fetch = async (address, options) => {
    if (isIt(address)) found.sent = performance.now();
    const answer = await ask(address, options);
    if (isIt(address)) found.answered = performance.now();
    return answer;
  };
  const read = Response.prototype.json;
  Response.prototype.json = async function () {
    const value = await read.call(this);
    if (isIt(this.url)) Object.assign(found, { decoded: performance.now(), server: value.milliseconds });
    return value;
  };
  const wait = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => wait((now) => {
    const began = performance.now();
    call(now);
    found.painted = performance.now() - began;
  });
}"""
SLIDES = """(count) => new Promise((resolve) => {
  const slider = document.querySelector(".inspector .slider input"), at = window.measured;
  const map = document.querySelector(".sample-map canvas"), parts = {};
  const move = (number) => {
    const watch = new MutationObserver(() => requestAnimationFrame(() => {
      watch.disconnect();
      const drawn = performance.now();
      for (const [name, value] of Object.entries({
        all: drawn - began, sending: at.sent - began, waiting: at.answered - at.sent,
        "of that, the server": at.server,
        decoding: at.decoded - at.answered, drawing: drawn - at.decoded, "of that, painting": at.painted,
      })) (parts[name] ??= []).push(value);
      if (number === count) resolve(parts);
      else setTimeout(move, 100, number + 1);
    }));
    watch.observe(map, { attributes: true, attributeFilter: ["data-milliseconds"] });
    slider.value = 10 * Math.sin(number);
    const began = performance.now();
    slider.dispatchEvent(new Event("input"));
  };
  move(1);
})"""
TILE_SETS = ("starter-square", "pipes", "castle", "knots", "terrain", "circuit")


def measure_tiles(address, moves=30.0):
    """From a move of the slider of a weight to the new map of 64 x 64 on screen, and the parts of it."""
    found = {}
    for tileset in TILE_SETS:
        with open_page() as page:
            page.add_init_script(f"({WATCH_QUESTIONS})()")
            page.goto(f"{address}/studio/#/tiles?tileset={tileset}")
            page.wait_for_selector(".sample-map canvas[data-milliseconds]", timeout=120_000)
            page.get_by_role("button", name="Set", exact=True).click()
            page.get_by_label("Map", exact=True).fill("64")
            page.wait_for_timeout(500)
            page.get_by_role("button", name="Tile", exact=True).click()
            page.evaluate(SLIDES, 5)  # warm
            values = page.evaluate(SLIDES, int(moves))
            found[tileset] = {name: describe(each) for name, each in values.items()}
    return found


MEASURES = {
    "map": measure_map,
    "picture": measure_picture,
    "start": measure_start,
    "tiles": measure_tiles,
    "world": measure_world,
}

if __name__ == "__main__":
    measured = MEASURES[sys.argv[2]](sys.argv[1].rstrip("/"), *map(float, sys.argv[3:4]))
    print(json.dumps(measured, indent=2))
