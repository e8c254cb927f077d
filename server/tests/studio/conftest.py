"""A real browser (Debian's chromium) on a server of its own; without it, these tests are skipped loudly."""

import shutil

import pytest

from running_server import run_server
from wavefold_server import ServiceSettings

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of the studio."""
    with run_server(ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2)) as address:
        yield f"{address}/studio/"


@pytest.fixture(scope="module")
def browser():
    """A headless browser, for one module: while it runs, other tests cannot run event loops."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the studio is not tested: no playwright")
    if CHROMIUM is None:
        pytest.skip("the studio is not tested: chromium is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=300_000)
        yield browser
        browser.close()


@pytest.fixture
def refusals():
    """For tests in which the server refuses something: that is no fault of the page."""


@pytest.fixture
def page(browser, request):
    """A page that fails the test if anything in it goes wrong."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    allowed = "Failed to load resource" if "refusals" in request.fixturenames else "nothing"
    page.set_default_timeout(300_000)
    yield page
    context.close()
    assert [each for each in faults if not each.startswith(allowed)] == []
