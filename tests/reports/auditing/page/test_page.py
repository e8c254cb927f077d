"""The audit as a page: complete in itself, well formed, and safe whatever tiles are called."""

from html.parser import HTMLParser

import numpy as np
import pytest
from obvious import quick_audit

import wavefold as wf
from support import CASTLE, CHESS, HEX_RIVERS, PIPES, TOWERS, compiled_only, mark_slow
from wavefold.reports.auditing.page.figures import plot_correlation, plot_pairs
from wavefold.reports.auditing.page.page import audit_page, save_page
from wavefold.reports.auditing.report import summarize

VOID = {"meta", "img"}
ODD = wf.TileSet([wf.Tile("odd", (*"abcd",))])


class Reader(HTMLParser):
    """Reads a page, and insists that what is opened is closed."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.words, self.attributes = [], [], []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.words.append(text)

    @property
    def text(self):
        return " ".join(self.words)


@pytest.fixture(scope="module")
def reports():
    sets = {
        "chess": CHESS,
        "pipes": PIPES,
        "castle": CASTLE,
        "rivers": HEX_RIVERS,
        "towers": TOWERS,
        "odd": ODD,
    }
    return {name: wf.audit(tiles) for name, tiles in sets.items()}


@pytest.mark.parametrize("name", ["chess", "pipes", "castle", "rivers", "towers", "odd"])
def test_a_page_is_well_formed_and_fetches_nothing(reports, name):
    page = audit_page(reports[name])
    reader = Reader(page)
    assert page.startswith("<!doctype html>")
    assert "http://" not in page
    assert "https://" not in page
    sources = [value for key, value in reader.attributes if key in ("src", "href")]
    assert all(value.startswith("data:image/png;base64,") for value in sources)
    assert summarize(reports[name])[0] in reader.text
    assert "prefers-color-scheme: dark" in page
    assert 'name="viewport"' in page


def test_names_and_sockets_are_text_whatever_they_hold():
    evil = "<script>alert(1)</script>"
    tiles = wf.TileSet(
        [
            wf.Tile(evil, (evil, '"><img src=x onerror=alert(2)>', evil, "a&b"), symmetry="turned"),
            wf.Tile("rest", (*"abcd",)),
        ],
        name=evil,
        description="</style><script>alert(3)</script>",
    )
    page = audit_page(wf.audit(tiles))
    assert "<script" not in page.lower()
    assert page.lower().count("</style>") == 1
    reader = Reader(page)
    assert evil in reader.text
    assert "onerror" not in {key for key, _ in reader.attributes}


def test_what_was_found_is_on_the_page(reports):
    report = reports["castle"]
    page = Reader(audit_page(report)).text
    for heading in (
        "Advice",
        "Row by row",
        "Where maps failed",
        "Tiles that would help",
        "Corners",
        "Sides",
    ):
        assert heading in page
    assert f"fills {report.suggestions[0].fills}" in page
    assert "Tiles that cannot appear" not in page
    assert "The advice does not change" in page


def test_unplaceable_tiles_are_listed_with_the_reason():
    tiles = wf.TileSet([*PIPES.tiles, wf.Tile("plug", ("?", "-", "-", "-"))])
    page = Reader(audit_page(wf.audit(tiles))).text
    assert "Tiles that cannot appear inside a map" in page
    assert "nothing fits its north side" in page
    assert "Possible mistakes" in page


def test_a_set_without_sockets_shows_neighbours_as_pictures():
    table_of = np.zeros((4, 3, 3), bool)
    table_of[1] = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    table_of[3] = table_of[1].T
    table_of[0] = [[0, 0, 1], [1, 0, 0], [0, 1, 1]]
    table_of[2] = table_of[0].T
    report = wf.audit(wf.TileSet.from_allowed(["a", "b", "c"], table_of))
    reader = Reader(audit_page(report))
    assert report.sub_complete is not None
    assert not report.sub_complete.holds
    assert any(key == "href" and value.startswith("data:image/png") for key, value in reader.attributes)


@compiled_only
@pytest.mark.parametrize("name", mark_slow(["meadow", "medieval"], 2))
def test_pages_of_bundled_sets_are_not_too_large(name):
    page = audit_page(quick_audit(name))
    Reader(page)
    assert len(page) < 1_500_000


@compiled_only
def test_a_page_of_a_learned_set_leaves_the_matrix_out():
    page = audit_page(wf.audit(wf.learn("kilim")))
    Reader(page)
    assert "which pairs of sides can be filled" not in page


def test_a_page_is_written_whole_or_not_at_all(reports, tmp_path):
    save_page(reports["chess"], tmp_path / "audit.html")
    assert (tmp_path / "audit.html").read_text("utf-8") == audit_page(reports["chess"])
    with pytest.raises(wf.ConfigError, match="create it first"):
        save_page(reports["chess"], tmp_path / "nowhere" / "audit.html")
    assert [path.name for path in tmp_path.iterdir()] == ["audit.html"]


def test_a_matrix_says_how_many_patterns_fit():
    drawing = plot_pairs(np.array([[0, 1], [2, 30]]), ("north", "east"), (["a", "b"], ["c", "d"]))
    reader = Reader(drawing)
    assert "a · d: 1 pattern" in reader.words
    assert "b · d: 30 patterns" in reader.words
    assert drawing.count('class="fragile"') == 2
    assert drawing.count('class="fine"') == 1


def test_a_curve_names_its_marks():
    assert "correlation length: 1 cell" in plot_correlation([1.0, 0.2, 0.0], 1, 2)
    assert "reach" not in plot_correlation([1.0, 0.9], None, None)
