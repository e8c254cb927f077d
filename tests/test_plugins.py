"""Parts are found by name, ours and those of installed packages; one that is broken disturbs nobody else."""

import warnings

import pytest

import wavefold as wf
from support import install
from wavefold.plugins import (
    ABOVE,
    BUILT_IN,
    KINDS,
    available,
    find,
    find_above,
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


@pytest.mark.parametrize("what", ABOVE)
def test_functions_of_higher_layers_exist(what):
    assert callable(find_above(what))


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


def test_an_error_in_the_code_of_a_plugin_is_traced_to_its_package(site):
    code = "def lawn(): return wf.TileSet([1 / 0])"
    install(site, "my-lawn", {"tileset": {"lawn": "lawn"}}, code)
    with pytest.raises(NameError) as caught:
        wf.TileSet.load("lawn")
    assert find_culprit(caught.value) == "my-lawn 1.0"
    with pytest.raises(ZeroDivisionError) as ours:
        _ = 1 / 0
    assert find_culprit(ours.value) == ""
