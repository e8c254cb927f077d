"""`wf.show` gives a live board, or a picture, or says what is missing."""

import sys

import pytest
from PIL import Image

import wavefold as wf


def make_solver(tiles="pipes", grid=None):
    return wf.Solver(wf.Problem(wf.TileSet.load(tiles), grid or wf.SquareGrid(4, 4)))


def test_a_solver_and_a_world_are_widgets_that_answer_the_page():
    pytest.importorskip("anywidget", reason="widgets are not tested: anywidget is not installed")
    for what, kind in ((make_solver(), "solver"), (wf.World(wf.TileSet.load("pipes"), seed=1), "world")):
        widget, sent = wf.show(what, height=300), []
        widget.send = lambda content, buffers=None, sent=sent: sent.append((content, buffers))
        widget._handle_custom_msg({"command": "open", "version": 5}, [])
        ((answer, _),) = sent
        assert (widget.kind, widget.height, answer["version"]) == (kind, 300, 5)
        assert "render" in widget._esm
        widget.close()


def test_the_map_on_the_screen_can_be_used_in_the_next_cell():
    pytest.importorskip("anywidget", reason="widgets are not tested: anywidget is not installed")
    solver = make_solver()
    widget = wf.show(solver)
    with pytest.raises(wf.WavefoldError, match="no solution yet"):
        _ = widget.solution
    solver.run()
    assert widget.solution.patterns.size == 16
    widget.close()


def test_a_solver_has_one_widget_however_often_it_is_shown():
    pytest.importorskip("anywidget", reason="widgets are not tested: anywidget is not installed")
    solver = make_solver()
    widget = wf.show(solver)
    assert wf.show(solver, height=200) is widget
    assert wf.show(make_solver()) is not widget
    widget.close()
    assert wf.show(solver) is not widget


def test_boards_have_a_picture_for_pages_without_a_kernel():
    pytest.importorskip("anywidget", reason="widgets are not tested: anywidget is not installed")
    for what in (make_solver(), wf.World(wf.TileSet.load("pipes"), seed=1)):
        widget = wf.show(what)
        data, _ = widget._repr_mimebundle_()
        assert {"application/vnd.jupyter.widget-view+json", "text/html"} <= data.keys()
        assert "data:image/png" in data["text/html"]
        widget.close()


def test_maps_tiles_and_solvers_of_cubes_are_pictures():
    tiles = wf.TileSet.load("pipes")
    assert isinstance(wf.show(wf.generate(tiles, wf.SquareGrid(4, 4))), Image.Image)
    assert "<img" in wf.show(tiles)._repr_html_()
    assert "<img" in wf.show(make_solver("blocks", wf.CubeGrid(3, 3, 3)))._repr_html_()


@pytest.mark.parametrize(("what", "height"), [(3, 420), ("pipes", 420), (None, 420)])
def test_other_things_are_refused(what, height):
    with pytest.raises(wf.ConfigError, match="takes a Solver"):
        wf.show(what, height=height)


def test_a_height_that_cannot_be_is_refused():
    with pytest.raises(wf.ConfigError, match="height"):
        wf.show(make_solver(), height=7)


def test_without_anywidget_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(wf.PluginError, match=r"pip install 'wavefold\[studio\]'"):
        wf.show(make_solver())
