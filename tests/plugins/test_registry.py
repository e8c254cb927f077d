"""Parts are found by name, ours and those of installed packages; one that is broken disturbs nobody else."""

import warnings

import pytest

import wavefold as wf
from support import PIPES, install
from wavefold.plugins.kinds import KINDS
from wavefold.plugins.registry import (
    BUILT_IN,
    available,
    examine,
    find,
    find_culprit,
    find_plugins,
    load_all,
)

GOOD = """
    from wavefold import TileSet, Tile

    def lawn():
        \"\"\"Nothing but grass.

        And more about it.
        \"\"\"
        return TileSet([Tile("grass", "gggg")])
"""


def only(kind, name):
    """The one plugin of this name."""
    (plugin,) = [each for each in find_plugins(kind) if each.name == name]
    return plugin


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in BUILT_IN for name in BUILT_IN[kind]])
def test_every_part_of_ours_is_what_its_kind_expects_and_is_described(kind, name):
    plugin = only(kind, name)
    assert plugin.origin == "built-in"
    assert KINDS[kind].accepts(plugin.load())
    assert plugin.describe()
    assert not plugin.describe().startswith("partial(")


def test_a_part_of_another_package_is_found_by_its_name(site):
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}}, GOOD, ["wavefold>=0.1,<99", "numpy"])
    assert "lawn" in available("tileset")
    assert "lawn" in wf.tilesets()
    assert wf.TileSet.load("lawn").patterns[0].name == "grass"
    plugin = only("tileset", "lawn")
    assert (plugin.origin, plugin.describe()) == ("my-lawn 1.0", "Nothing but grass.")


def test_an_unknown_name_is_answered_with_the_nearest(site):
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}}, GOOD)
    with pytest.raises(wf.PluginError, match="unknown tileset 'lwan'; did you mean 'lawn'"):
        find("tileset", "lwan")


BROKEN = {
    "raises": ("raise RuntimeError('out of\\npaper')", (), "loading it raised RuntimeError: out of$"),
    "ends": ("raise SystemExit(3)", (), "loading it raised SystemExit: 3$"),
    "missing": ("other = 1", (), "loading it raised AttributeError"),
    "unimportable": ("import not_installed_anywhere", (), "loading it raised ModuleNotFoundError"),
    "wrong": ("part = 5", (), r"broken_part:part is not a class derived from wavefold.Join$"),
    "older": ("part = 5", ["wavefold<0.1"], r"it requires wavefold <0.1, and this is \d"),
    "newer": ("part = 5", ["Wavefold (>=99)"], r"it requires wavefold >=99, and this is \d"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_part_is_refused_where_it_is_named_and_left_out_elsewhere(how, site):
    code, requires, reason = BROKEN[how]
    install(site, "broken-part", {"join": {"glue": "part"}}, code, requires)
    with pytest.raises(wf.PluginError, match=f"the join 'glue' of broken-part 1.0 cannot be used: {reason}"):
        find("join", "glue")
    with pytest.warns(wf.PluginWarning, match="the join 'glue' of broken-part 1.0 .*; it is left out"):
        assert list(load_all("join")) == list(BUILT_IN["join"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wf.Patchwork(wf.TileSet.load("pipes"), 2).populate((0, 0))


def test_a_report_says_what_there_is_and_what_is_wrong_with_it(site):
    install(site, "lawns-a", {"tileset": {"lawn": "lawn"}}, GOOD)
    install(site, "lawns-b", {"tileset": {"lawn": "lawn", "pipes": "lawn"}}, GOOD)
    install(site, "lawns-c", {"tileset": {"moor": "moor"}}, "raise ValueError", ["wavefold<0.1"])
    *ours, first, second, third, fourth = examine("tileset")
    assert [each.name for each in ours] == list(BUILT_IN["tileset"])
    assert not any(each.problem for each in ours)
    assert first == ("tileset", "lawn", "Nothing but grass.", "lawns-a 1.0", "")
    assert second.problem == "its name belongs to the one of lawns-a 1.0"
    assert third.problem == "its name belongs to the built-in one"
    assert fourth.problem.startswith("it requires wavefold <0.1, and this is")


def test_damaged_metadata_break_nothing_else(site):
    entries = {"tileset": {"lawn": "lawn", "moor": "no such:::thing"}}
    install(site, "damaged", entries, GOOD, ["wavefold (oops"])
    install(site, "nameless", {"tileset": {"bog": "lawn"}}, GOOD)
    (site / "nameless-1.0.dist-info" / "METADATA").unlink()
    with pytest.raises(wf.PluginError, match=r"its requirement 'wavefold \(oops' is invalid"):
        find("tileset", "lawn")
    problems = {each.name: each.problem for each in examine("tileset") if each.origin != "built-in"}
    assert problems["bog"] == ""
    assert problems["lawn"] == problems["moor"] != ""
    assert find_culprit(ValueError()) == ""


def test_a_description_that_cannot_be_read_is_left_empty(site):
    code = """
        class Silent:
            def __call__(self):
                return None

            @property
            def description(self):
                raise ValueError("no words")

        silent = Silent()
    """
    install(site, "silent", {"tileset": {"silent": "silent"}}, code)
    assert only("tileset", "silent").describe() == ""
    assert [each.problem for each in examine("tileset") if each.name == "silent"] == [""]


def test_a_requirement_of_tests_only_is_none(site):
    requires = ['wavefold<0.1; extra == "old"', "wavefold-extras<0.1"]
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}}, GOOD, requires)
    assert find("tileset", "lawn")


def test_a_name_that_is_taken_stays_with_the_first(site):
    for package in ("lawns-b", "lawns-a"):
        install(site, package, {"tileset": {"lawn": "lawn", "pipes": "lawn"}}, GOOD)
    assert find("tileset", "lawn").__module__ == "lawns_a"
    assert find("tileset", "pipes") is load_all("tileset")["pipes"]
    assert wf.TileSet.load("pipes").name == "pipes"
    install(site, "lawns-0", {"tileset": {"lawn": "lawn"}}, GOOD, ["wavefold<0.1"])
    assert find("tileset", "lawn").__module__ == "lawns_a"  # made for another version, it takes no name


STEERING = """
    from PIL import Image

    def by_column(cell, remaining, entropy, undecided):
        return cell % 6

    def never_first(cell, pattern, weight):
        return 1 if pattern == 0 else weight

    def draw_line(map, **options):
        return Image.new("RGBA", (len(map.patterns), options.get("scale", 1)), (1, 2, 3, 255))
"""
PARTS = {
    "order": {"columns": "by_column"},
    "choice": {"no-first": "never_first"},
    "renderer": {"line": "draw_line"},
}


def test_orders_choices_and_renderers_of_another_package_are_used_by_name(site, tmp_path):
    install(site, "steering", PARTS, STEERING)
    import steering

    grid = wf.SquareGrid(6, 5)
    named = wf.generate(PIPES, grid, 3, order="columns", choice="no-first")
    given = wf.generate(PIPES, grid, 3, order=steering.by_column, choice=steering.never_first)
    assert named.patterns.tolist() == given.patterns.tolist()
    assert named.image("line", scale=2).size == (30, 2)
    named.save(tmp_path / "map.png", renderer="line")
    (tmp_path / "wavefold.toml").write_text(
        '[heuristics]\norder = "columns"\nchoice = "no-first"\n[picture]\nrenderer = "line"'
    )
    effective = wf.load_config(tmp_path / "wavefold.toml")
    parts = effective.parts(PIPES, grid) | {"seed": 3}
    assert wf.generate(PIPES, grid, **parts).patterns.tolist() == named.patterns.tolist()
    assert named.image(**effective.picture_parts()).size == (30, 1)


@pytest.mark.parametrize("key", ["heuristics.order", "heuristics.choice", "picture.renderer"])
def test_an_unknown_name_is_refused_in_the_configuration(key):
    with pytest.raises(wf.ConfigError, match=r"unknown \w+ 'columms'"):
        wf.load_config(None, flags={key: "columms"})


def test_an_error_in_the_code_of_a_plugin_is_traced_to_its_package(site):
    code = "def lawn(): return wf.TileSet([1 / 0])"
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}}, code)
    with pytest.raises(NameError) as caught:
        wf.TileSet.load("lawn")
    assert find_culprit(caught.value) == "my-lawn 1.0"
    with pytest.raises(ZeroDivisionError) as ours:
        _ = 1 / 0
    assert find_culprit(ours.value) == ""
