"""Who wins, and where each value comes from."""

from pathlib import Path

import pytest

import wavefold as wf
from wavefold.config import load_config
from wavefold.solver.budget import UNLIMITED

SEED = "[generate]\nseed = {}\n"


def test_without_any_source_everything_is_a_default(configured):
    effective = configured()
    assert effective.config.generate.seed == 0
    assert effective.file is None
    assert {origin.kind for _, _, origin in effective.settings()} == {"default"}


def test_a_file_beats_the_default_the_environment_a_file_and_a_flag_the_environment(configured):
    seeds = []
    for sources in ({}, {"environment": {"WAVEFOLD_GENERATE_SEED": "2"}}):
        for flags in ({}, {"generate.seed": 3}):
            seeds.append(configured(SEED.format(1), **sources, **flags).config.generate.seed)
    assert seeds == [1, 3, 2, 3]


def test_flags_that_were_not_given_change_nothing(configured):
    effective = configured(SEED.format(1), **{"generate.seed": None, "budget": None})
    assert effective.config.generate.seed == 1
    assert effective.budget is None


def test_every_value_tells_where_it_comes_from(configured):
    text = '# seeds\n[generate]\nseed = 5\nsize = [\n  3,\n  4,\n]\n\n[terrain.weights]\nlawn = "2"\n'
    effective = configured(text, {"WAVEFOLD_WORLD_CHUNK": "32"}, **{"picture.tile_size": 9})
    origins = {path: str(origin) for path, _, origin in effective.settings() if origin.rank}
    assert origins == {
        ("generate", "seed"): "wavefold.toml:3",
        ("generate", "size"): "wavefold.toml:4",
        ("terrain", "weights", "lawn"): "wavefold.toml:10",
        ("world", "chunk"): "WAVEFOLD_WORLD_CHUNK",
        ("picture", "tile_size"): "--tile-size",
    }
    assert effective.origin("world", "chunk").kind == "environment"
    assert effective.origin("picture", "tile_size").kind == "flag"
    assert str(effective.origin("world", "seed")) == "default"


def test_sections_are_merged_key_by_key_and_fields_field_by_field(configured):
    text = "[weights]\nlawn = 2\nhouse = 3\n[fields]\na = { noise = { scale = 0.1 } }\nb = 1\n"
    effective = configured(text, {"WAVEFOLD_WEIGHTS_LAWN": "4", "WAVEFOLD_FIELDS_A": "b + 1"})
    assert effective.config.weights == {"lawn": 4, "house": 3}
    assert effective.values()["fields"] == {"preset": None, "a": {"expression": "b + 1"}, "b": {"value": 1}}


def test_the_terrain_is_merged_tile_by_tile(configured):
    text = "[fields]\na = 1\n[terrain.limits]\nlawn = { a = [0, 1] }\nhouse = { a = [0, 1] }\n"
    effective = configured(text, {"WAVEFOLD_TERRAIN_LIMITS": "{ lawn = { a = [2, inf] } }"})
    assert effective.config.terrain.limits["lawn"] == {"a": (2, float("inf"))}
    assert effective.config.terrain.limits["house"] == {"a": (0, 1)}


# --- files --------------------------------------------------------------------------------------


def test_a_pyproject_is_read_if_it_has_a_word_for_wavefold(here, configured):
    Path("pyproject.toml").write_text("[project]\nname = 'x'\n\n[tool.wavefold.generate]\nseed = 4\n")
    effective = configured()
    assert effective.config.generate.seed == 4
    assert str(effective.origin("generate", "seed")) == "pyproject.toml:5"


@pytest.mark.parametrize("text", ["[project]\n", "[project\n", "# wavefold\n[tool.ruff]\n"])
def test_other_pyprojects_are_none_of_our_business(here, configured, text):
    Path("pyproject.toml").write_text(text)
    assert configured().file is None


def test_our_own_file_comes_before_a_pyproject_in_the_same_folder(here, configured):
    Path("pyproject.toml").write_text("[tool.wavefold.generate]\nseed = 4\n")
    assert configured(SEED.format(1)).config.generate.seed == 1


def test_the_nearest_file_above_counts_up_to_the_top_of_the_project(here, monkeypatch):
    deep = here / "project" / "maps" / "north"
    deep.mkdir(parents=True)
    (here / "wavefold.toml").write_text(SEED.format(1))
    monkeypatch.chdir(deep)
    effective = load_config(environment={})
    assert effective.config.generate.seed == 1
    assert str(effective.origin("generate", "seed")) == f"{here / 'wavefold.toml'}:2"
    (here / "project" / "pyproject.toml").write_text("[tool.wavefold.generate]\nseed = 2\n")
    assert load_config(environment={}).config.generate.seed == 2
    assert load_config(environment={}, folder=here).config.generate.seed == 1
    (here / "project" / "maps" / ".git").mkdir()
    assert load_config(environment={}).file is None


def test_a_file_can_be_named_or_refused(here):
    Path("wavefold.toml").write_text(SEED.format(1))
    Path("other.toml").write_text(SEED.format(2))
    Path("third.toml").write_text(SEED.format(3))
    named = {"WAVEFOLD_CONFIG": "other.toml"}
    assert load_config(environment=named).config.generate.seed == 2
    assert load_config("third.toml", environment=named).config.generate.seed == 3
    assert load_config("", environment=named).file is None
    assert load_config(environment={"WAVEFOLD_CONFIG": ""}).file is None


def test_paths_in_a_file_are_seen_from_its_folder_others_from_here(here, monkeypatch):
    maps = here / "maps"
    maps.mkdir()
    (here / "wavefold.toml").write_text('[generate]\ntileset = "mine.toml"\n')
    monkeypatch.chdir(maps)
    with pytest.raises(wf.ConfigError) as caught:
        load_config(environment={}).tiles()
    assert str(here / "mine.toml") in str(caught.value)
    assert str(caught.value).startswith(f"{here / 'wavefold.toml'}, line 2: ")
    with pytest.raises(wf.ConfigError, match=r"cannot read 'mine\.toml'"):
        load_config(environment={}, flags={"generate.tileset": "mine.toml"}).tiles()


# --- the environment ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("7", "generate.seed", 7),
        ("true", "generate.wrap", True),
        ("meadow", "generate.tileset", "meadow"),
        ('"true"', "generate.tileset", "true"),
        ("64x48", "generate.size", (64, 48)),
        ("[3, 4]", "generate.size", (3, 4)),
        ("0.5", "heuristics.local_share", 0.5),
        ("scanline:southeast", "heuristics.order", "scanline:southeast"),
        ("{ house = 2 }", "heuristics.caps", {"house": 2}),
        ("1\nb = 2", "generate.tileset", "1\nb = 2"),
    ],
)
def test_variables_hold_toml_and_bare_words_are_text(configured, text, path, value):
    section, key = path.split(".")
    effective = configured(None, {f"WAVEFOLD_{section}_{key}".upper(): text})
    assert getattr(getattr(effective.config, section), key) == value


def test_a_variable_can_hold_a_whole_section(configured):
    effective = configured(
        None, {"WAVEFOLD_GENERATE": "{ seed = 7, wrap = true }", "WAVEFOLD_GENERATE_SEED": "8"}
    )
    assert effective.config.generate.wrap is True
    assert effective.config.generate.seed == 8


def test_variables_of_others_are_left_alone(configured):
    others = {"WAVEFOLD_DATA": "x", "WAVEFOLD_CACHE_DIR": "y", "WAVEFOLD": "z", "PATH": "p", "WAVEFOLD_": "q"}
    assert configured(None, others).origins == {}


# --- values that say everything -----------------------------------------------------------------


def test_a_budget_in_one_word_replaces_every_limit(configured):
    text = "[budget]\nms = 5\nbacktracks = 6\n"
    assert configured(text).budget == wf.Budget(ms=5, backtracks=6)
    assert configured(text, {"WAVEFOLD_BUDGET": "100"}).budget == wf.Budget(decisions=100)
    assert configured(text, {"WAVEFOLD_BUDGET": "100"}, budget="2s").budget == wf.Budget(ms=2000)
    assert configured(text, {"WAVEFOLD_BUDGET_MS": "9"}).budget == wf.Budget(ms=9, backtracks=6)


def test_no_limit_at_all_is_not_the_same_as_nothing_said(configured):
    assert configured('budget = "unlimited"').budget.decisions >= 10**18
    assert configured("").budget is None


def test_a_ladder_by_name_forgets_the_knobs_of_an_earlier_source(configured):
    text = "[search]\npatience = 3\n"
    assert configured(text).search == wf.Ladder(3, 2, 64, 0.25, 2, 8, True, 8)
    assert configured(text, search="repair").search == "repair"
    later = configured(text, {"WAVEFOLD_SEARCH_LADDER": "repair", "WAVEFOLD_SEARCH_RADIUS": "5"})
    assert later.search == wf.Ladder(patience=24, repairs=UNLIMITED, radius=5)
    assert str(later.origin("search", "repairs")) == "WAVEFOLD_SEARCH_LADDER"


def test_a_size_overrules_a_radius_of_an_earlier_source(configured):
    text = "[generate]\nradius = 4\nsize = [9, 9]\n"
    assert configured(text).config.generate.radius == 4
    assert configured(text, **{"generate.size": "5x5"}).config.generate.radius is None
