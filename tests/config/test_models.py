"""Nothing can be forgotten: the sections have the knobs of the parts they stand for, and so has the page."""

import inspect
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import wavefold as wf
from wavefold.config import Config, load_config
from wavefold.config.effective import format_toml
from wavefold.config.models import FieldTable, NoiseTable
from wavefold.config.sections import parse_limits
from wavefold.fields.presets import PRESETS, preset
from wavefold.render import draw
from wavefold.solver.search.ladder import SEARCHES

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "configuration.md"


def defaults_of(model):
    return {name: info.default for name, info in model.model_fields.items()}


def defaults_in(dataclass):
    return {
        each.name: each.default if each.default_factory is MISSING else each.default_factory()
        for each in fields(dataclass)
    }


def section(name):
    return Config.model_fields[name].annotation


@pytest.mark.parametrize("name", SEARCHES)
def test_every_ladder_can_be_named_and_changed(configured, name):
    effective = configured(None, (), search=name)
    assert effective.search == name
    if name != "sat":
        changed = configured(None, (), **{"search": name, "search.radius": 7}).search
        assert changed == wf.Ladder(
            **{each.name: getattr(SEARCHES[name], each.name) for each in fields(wf.Ladder)} | {"radius": 7}
        )


def test_noise_has_every_parameter():
    written, parameters = defaults_of(NoiseTable), defaults_in(wf.Noise)
    assert parameters.pop("scale") is MISSING
    del written["scale"]
    assert written == parameters


def test_pictures_have_every_option_of_drawing():
    options = {
        name: each.default
        for name, each in inspect.signature(draw).parameters.items()
        if name not in ("solution", "show", "conflicts")
    }
    assert defaults_of(section("picture")) == options | {"renderer": "tiles"}


def test_generate_has_every_way_to_solve():
    known = set(inspect.signature(wf.Solver).parameters) - {"problem", "order", "search", "choice", "random"}
    assert known <= set(defaults_of(section("generate")))


@pytest.mark.parametrize(
    "name", ["generate", "heuristics", "search", "budget", "fields", "terrain", "world", "picture"]
)
def test_every_key_is_explained(name):
    for key, info in section(name).model_fields.items():
        assert info.description, key


# --- the page -----------------------------------------------------------------------------------

TABLES = {"noise": NoiseTable, "field": FieldTable}


def key_table(name):
    """The keys of a section (or of "noise", or of a "field") in Markdown, with defaults and meanings."""
    kind = TABLES.get(name) or section(name)
    rows = [
        f"| `{key}` | {format_default(info.default)} | {info.description} |"
        for key, info in kind.model_fields.items()
    ]
    return "\n".join(["| key | default | meaning |", "|---|---|---|", *rows])


def format_default(default):
    if default is PydanticUndefined:
        return "required"
    if isinstance(default, BaseModel):
        return "below"
    return "" if default is None else f"`{format_toml(default)}`"


@pytest.mark.parametrize("name", [*sorted(set(Config.model_fields) - {"weights", "service"}), *TABLES])
def test_the_page_shows_the_table_of_every_section(name):
    assert key_table(name) in PAGE.read_text("utf-8"), f"paste this into {PAGE}:\n{key_table(name)}"


def test_the_toml_on_the_page_is_a_configuration(here):
    for text in re.findall(r"^```toml\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL):
        file = here / ("pyproject.toml" if "[tool." in text else "wavefold.toml")
        file.write_text(text, "utf-8")
        assert load_config(file, environment={}).file.path == file


# --- there and back -----------------------------------------------------------------------------

settings = st.fixed_dictionaries(
    {},
    optional={
        "generate": st.fixed_dictionaries(
            {},
            optional={
                "seed": st.integers(),
                "radius": st.integers(0, 9),
                "size": st.just([3, 4]),
                "tileset": st.text(),
            },
        ),
        "weights": st.dictionaries(st.text(), st.floats(0, 1e300)),
        "heuristics": st.fixed_dictionaries(
            {}, optional={"caps": st.dictionaries(st.text(), st.floats(0, 99)), "degree": st.floats(0, 1024)}
        ),
        "search": st.sampled_from(["repair", {"ladder": "exact"}, {"radius": 3}]),
        "budget": st.sampled_from(["2s", 100, "unlimited", {"ms": 3.5}]),
        "fields": st.just(
            {
                "preset": "hex",
                "a": 1,
                "b": "a * water",
                "c": {"noise": {"scale": 0.5, "offset": [1, 2, 3]}},
                "d": {"picture": "x.png"},
            }
        ),
        "world": st.fixed_dictionaries({"chunk": st.integers(24, 99)}),
    },
)


@given(settings, st.booleans())
def test_what_is_shown_can_be_read_again(settings, with_limits):
    if with_limits and "fields" in settings:
        settings["terrain"] = {"limits": {"x": {"a": [float("-inf"), 2]}}, "weights": {"y": "a", "z": 2}}
    effective = load_config("", {}, settings)
    again = load_config("", {}, effective.to_dict()["config"])
    assert again.config == effective.config
    assert (again.budget, again.search) == (effective.budget, effective.search)


@given(settings)
def test_the_toml_that_is_shown_can_be_read_again(tmp_path_factory, settings):
    file = tmp_path_factory.getbasetemp() / "again.toml"
    effective = load_config("", {}, settings)
    file.write_text(effective.to_toml(), "utf-8")
    again = load_config(file, {})
    assert again.config == effective.config


# --- budgets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("50ms", wf.Budget(ms=50)),
        ("2s", wf.Budget(ms=2000)),
        ("1.5 s", wf.Budget(ms=1500)),
        ("2min", wf.Budget(ms=120_000)),
        ("0", wf.Budget(decisions=0)),
        ("10000", wf.Budget(decisions=10_000)),
        ("10_000 decisions", wf.Budget(decisions=10_000)),
        ("1 backtrack", wf.Budget(backtracks=1)),
        (" 2S , 10000,5 backtracks ", wf.Budget(2000, 10_000, 5)),
        ("unlimited", wf.Budget(decisions=10**18)),
    ],
)
def test_budgets_as_people_write_them(text, budget):
    assert load_config("", {}, {"budget": text}).budget == budget


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' is not a budget: write a time such as 50ms, 2s or 1min, a number of decisions, or several"),
        ("soon", "'soon' is not a budget"),
        ("-5", "'-5' is not a budget"),
        ("5 6", "'5 6' is not a budget"),
        ("1e3", "has an unknown unit|not a budget"),
        ("2s,", "'2s,' is not a budget"),
        ("2h", "the budget '2h' has an unknown unit 'h'; known: ms, s, min"),
        ("2 decisons", "unknown unit 'decisons'; did you mean 'decisions'"),
        ("2.5", "the budget '2.5' has a fraction of decisions: decisions are whole numbers"),
        ("1s, 2ms", "the budget '1s, 2ms' names a time twice; keep one of them"),
        ("1, 2", "names decisions twice"),
        (f"{'9' * 400}s", "is not a budget"),
        ("9" * 30, "is not a budget"),
        ("9" * 5000, "is not a budget"),
        ("٣s", "is not a budget"),
    ],
)
def test_other_budgets_are_refused(text, said):
    with pytest.raises(wf.ConfigError, match=said):
        parse_limits(text)


# --- presets ------------------------------------------------------------------------------------


def test_the_terrain_preset_is_what_the_guide_to_fields_builds():
    continent, mountain, detail = wf.Noise(0.0045, seed=1), wf.Noise(0.02, seed=2), wf.Noise(0.1, seed=3)
    altitude = (0.75 * continent + 0.35 * mountain + 0.25 * detail).clamp(0, 1)
    assert preset("terrain") == {"altitude": altitude}


def test_the_hex_preset_has_water_and_elevation():
    made = preset("hex", seed=7)
    assert made == {"water": wf.Noise(0.02, seed=7), "elevation": wf.Noise(0.03, seed=7, offset=(1000, 1000))}


@pytest.mark.parametrize("name", PRESETS)
def test_presets_make_fields_and_seeds_make_others(name):
    grid = wf.SquareGrid(40, 40)
    first, second = (wf.Fields(**preset(name, seed)).at(grid) for seed in (1, 2))
    assert all((first[each] != second[each]).any() for each in first)


def test_an_unknown_preset_has_a_nearest_one():
    with pytest.raises(wf.ConfigError, match="unknown preset 'terain'; did you mean 'terrain'"):
        preset("terain")
