"""The pages of the studio are sent whole, and load nothing from elsewhere."""

import json
import re
from pathlib import Path

import pytest

import wavefold as wf
from wavefold_server.studio import PAGES
from wavefold_server.studio.modules import list_modules
from wavefold_server.studio.routes import BUNDLE, find_digest

SCRIPTS = sorted(each for each in PAGES.rglob("*.js") if each.name != BUNDLE)


def test_the_studio_is_served_with_a_policy_that_allows_this_server_alone(shared_client):
    answer = shared_client.get("/studio/")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "connect-src" not in policy  # so it is 'self', which WebSockets of this server are, too
    assert "wavefold studio" in answer.text


def test_a_browser_at_the_root_is_led_to_the_studio_and_a_program_is_not(shared_client):
    led = shared_client.get("/", headers={"Accept": "text/html,*/*"}, follow_redirects=False)
    assert (led.status_code, led.headers["location"]) == (307, "studio/")
    assert shared_client.get("/", headers={"Accept": "application/json"}).status_code == 404


def test_the_first_page_names_all_modules_of_each_view_where_they_may_be_kept(shared_client):
    page = shared_client.get("/studio/")
    assert page.headers["cache-control"] == "no-cache"
    named = re.findall(r'"((?:[0-9a-f]{12})/[^"]+\.(?:js|css))"', page.text)
    paths = {each.partition("/")[2] for each in named}
    loaded_later = {*list_modules("views/blocks/scene.js"), *list_modules("views/blocks/layers.js")}
    scripts = {each.relative_to(PAGES).as_posix() for each in SCRIPTS if each.parent.name != "notebook"}
    assert {each for each in paths if each.endswith(".js")} >= scripts - loaded_later
    assert 'rel="modulepreload" href="' in page.text
    for each in named:
        kept = shared_client.get(f"/studio/{each}")
        assert kept.status_code == 200
        assert "immutable" in kept.headers["cache-control"]
        assert "content-security-policy" in kept.headers
    of_old = shared_client.get("/studio/0123456789ab/main.js")  # an open page after an upgrade
    assert (of_old.status_code, of_old.headers["cache-control"]) == (200, "no-cache")
    digest = named[0].partition("/")[0]
    for each in (f"{digest}/", f"{digest}/index.html", "0123456789ab/"):
        assert shared_client.get(f"/studio/{each}").status_code == 404
    again = shared_client.get("/studio/", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["content-security-policy"] == page.headers["content-security-policy"]


def test_another_file_is_another_digest(monkeypatch, tmp_path):
    monkeypatch.setattr("wavefold_server.studio.routes.PAGES", tmp_path)
    before = find_digest()
    (tmp_path / "main.js").write_text("1")
    assert find_digest() != before


def test_a_page_that_has_not_changed_is_not_sent_again(shared_client):
    first = shared_client.get("/studio/main.js")
    again = shared_client.get("/studio/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)


@pytest.mark.parametrize("path", ["../__init__.py", "%2e%2e/__init__.py", "nothing.js"])
def test_nothing_but_pages_is_sent(shared_client, path):
    answer = shared_client.get(f"/studio/{path}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(PAGES)))
def test_scripts_import_files_that_exist_and_nothing_from_elsewhere(script):
    text = script.read_text()
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert "https://" not in text
    for imported in re.findall(r"""(?:from|import\()\s*["']([^"'`$]+)["']""", text):
        assert (script.parent / imported).is_file(), imported


def test_all_scripts_together_are_small(shared_client):
    """As browsers receive them, without the view in 3D and what only notebooks load."""
    scripts = (script.relative_to(PAGES).as_posix() for script in SCRIPTS)
    paths = [f"/studio/{each}" for each in scripts if not each.startswith(("views/blocks", "notebook"))]
    sizes = [int(shared_client.get(path).headers["content-length"]) for path in paths]
    assert sum(sizes) < 200_000


def test_pages_are_sent_compressed_to_those_who_can_read_that(shared_client):
    path = "/studio/views/world.js"
    plain = shared_client.get(path, headers={"Accept-Encoding": "identity"})
    packed = shared_client.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < 0.5 * int(plain.headers["content-length"])
    unchanged = shared_client.get(path, headers={"If-None-Match": packed.headers["etag"]})
    assert unchanged.status_code == 304


def test_without_the_bundle_of_three_the_page_gets_an_empty_module(shared_client, tmp_path, monkeypatch):
    monkeypatch.setattr("wavefold_server.studio.routes.PAGES", tmp_path)
    answer = shared_client.get(f"/studio/{BUNDLE}")
    assert (answer.status_code, answer.text) == (200, "export {};\n")
    assert answer.headers["content-type"].startswith("text/javascript")


def test_every_bundled_tile_set_has_a_cover_of_its_rules():
    covers = PAGES / "covers"
    drawn = json.loads((covers / "covers.json").read_text())  # `make tilesets` draws those that are old
    names = {path.stem for path in Path(wf.__file__).parent.glob("data/tilesets/*.toml")}
    assert drawn == {name: wf.TileSet.load(name).rules.digest for name in names}
    assert {path.stem for path in covers.glob("*.webp")} == names
    assert sum(path.stat().st_size for path in covers.iterdir()) < 400_000
