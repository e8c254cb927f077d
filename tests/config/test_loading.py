"""What is wrong is told in one sentence, with its place."""

from pathlib import Path

import pytest

import wavefold as wf
from wavefold.config import load_config


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[generate]\n\nsede = 1", "line 3: unknown key 'sede' in [generate]; did you mean 'seed'?"),
        ("[genrate]\nseed = 1", "line 1: unknown section [genrate]; did you mean 'generate'?"),
        ("[genrate]", "line 1: unknown section [genrate]; did you mean 'generate'?"),
        ("seed = 1", "line 1: 'seed' is outside of any section; it belongs in [generate] or [world]"),
        ("foo = 1", "line 1: unknown key 'foo'; every key belongs in a section: generate, learn, "),
        ("generate = 1", "line 1: 'generate' is a section: write [generate], and its keys below"),
        ("[generate]\nseed = 'x'", "line 2: in [generate], seed must be a whole number, not 'x'"),
        ("[generate]\nseed = 1.0", "line 2: in [generate], seed must be a whole number, not 1.0"),
        ("[generate]\nseed = true", "line 2: in [generate], seed must be a whole number, not true"),
        ("[generate]\nwrap = 1", "line 2: in [generate], wrap must be true or false, not 1"),
        ("[generate]\ntileset = 1", "line 2: in [generate], tileset must be text, in quotes, not 1"),
        (
            "[generate]\nmaps = 0",
            "in [generate], maps must be a whole number from 1 to 10,000, not 0",
        ),
        ("[generate]\nundo = 'detla'", "line 2: in [generate], unknown undo 'detla'; did you mean 'delta'?"),
        (
            "[generate]\nsize = '64'",
            "size must be cells across x cells down, such as '64x48' or [64, 48], not '64'",
        ),
        ("[generate]\nsize = [64, 0]", "not [64, 0]"),
        ("[generate]\nsize = [64, true]", "not [64, True]"),
        ("[weights]\nlawn = -1", "line 2: in [weights], lawn must be a number from 0, not -1"),
        ("[weights]\nlawn = nan", "line 2: in [weights], lawn must be a finite number, not nan"),
        ("[weights]\nlawn = {}", "line 2: in [weights], lawn must be a number, not a table"),
        ("[heuristics]\ndegree = -1", "in [heuristics], degree must be a number from 0 to 1,024, not -1.0"),
        ("[heuristics]\nnoise = 1", "unknown key 'noise' in [heuristics]; known: order, "),
        ("[heuristics]\norder = 'entropi'", "unknown order 'entropi'; did you mean 'entropy'?"),
        ("[heuristics]\nties = 'radnom'", "unknown ties 'radnom'; did you mean 'random'?"),
        ("[heuristics]\ncorner = 'south'", "unknown corner 'south'; did you mean 'southwest'?"),
        ("[heuristics]\nbias = 1", "line 2: bias needs influence: a field, or an expression of fields"),
        ("[heuristics]\ninfluence = 'x'", "line 2: there is no field 'x'; known: none"),
        ("[search]\nladder = 'repiar'", "unknown ladder 'repiar'; did you mean 'repair'?"),
        ("search = 'repiar'", "line 1: in [search], unknown ladder 'repiar'; did you mean 'repair'?"),
        ("[search]\npatience = -2", "patience must be a whole number from -1, not -2"),
        (
            "[search]\nladder = 'sat'\njumps = 3",
            "line 2: the ladder 'sat' calls an external solver, which has no other options",
        ),
        (
            "budget = '5 parsecs'",
            "line 1: the budget '5 parsecs' has an unknown unit 'parsecs'; known: ms, s, ",
        ),
        ("budget = []", "line 1: 'budget' is a section"),
        ("[budget]\nms = -1", "in [budget], ms must be a number from 0, not -1.0"),
        (
            "[fields]\na = true",
            "line 2: in [fields], a must be a number, an expression, or a table, not true",
        ),
        ("[fields]\na = {}", "a field is one of noise, picture, value, expression; this has none"),
        ("[fields]\na = { value = 1, picture = 'x' }", "this has picture and value"),
        ("[fields]\na = { nose = 1 }", "unknown key 'nose' in [fields.a]; did you mean 'noise'?"),
        ("[fields.a]\nnoise = {}", "line 2: [fields.a.noise] needs a key 'scale'"),
        (
            "[fields.a.noise]\nscale = 1\nocaves = 2",
            "line 3: unknown key 'ocaves' in [fields.a.noise]; did you mean",
        ),
        (
            "[fields.a.noise]\nscale = -1",
            "line 1: in [fields.a], noise: scale must be above 0 and at most 64, not -1",
        ),
        ("[fields]\npreset = 'terain'", "unknown preset 'terain'; did you mean 'terrain'?"),
        ("[fields]\nmy-field = 1", "line 2: a field cannot be called 'my-field': use letters, digits and _"),
        ("[fields]\nif = 1", "a field cannot be called 'if'"),
        ("[fields]\na = 'b'", "line 2: there is no field 'b'; known: a"),
        (
            "[fields]\na = 'b + 1'\nb = 'c'\nc = 'a'",
            "line 2: fields depend on each other in a circle: a → b → c → a",
        ),
        ("[fields]\na = 'a * 2'", "line 2: fields depend on each other in a circle: a → a"),
        ("[terrain.limits]\nlawn = { wet = [0, 1] }", "line 2: there is no field 'wet'; known: none"),
        (
            "[terrain.limits.lawn]\nwet = [1, 0]",
            "wet must be [lowest, highest], two numbers in this order, not [1, 0]",
        ),
        ("[terrain.limits]\nlawn = 3", "line 2: in [terrain.limits], lawn must be a table, not 3"),
        ("[terrain]\nlimits = 3", "line 2: in [terrain], limits must be a table, not 3"),
        ("[terrain]\nlimit = 3", "unknown key 'limit' in [terrain]; did you mean 'limits'?"),
        (
            "[terrain.weights]\nlawn = -1",
            "lawn must be an expression of fields, or a number of at least 0, not -1",
        ),
        ("[terrain.weights]\nlawn = 'wet'", "line 2: there is no field 'wet'"),
        (
            "[world]\nchunk = 16\ncorner_radius = 11",
            "line 2: a chunk of 16 cells is too small for corners of radius 11: it needs at least 24",
        ),
        (
            "[world]\ncorner_radius = 9\nstrip_half_width = 10",
            "line 3: strip_half_width is 10; it must be less than the radius of corners, which is 9",
        ),
        ("[picture]\ntile_size = 0", "tile_size must be a whole number from 1, not 0"),
        ("[generate\nseed = 1", "line 1, column 10: not valid TOML: "),
        ("[generate]\nseed = 1\nseed = 2", "a key occurs twice in one table"),
    ],
)
def test_a_file_is_told_what_is_wrong_and_where(refused, text, said):
    message = refused(f"{text}\n")
    assert said in message
    assert message.startswith("wavefold.toml, line ")
    assert "\n" not in message


def test_a_pyproject_is_told_its_own_names_of_sections(here, refused):
    Path("pyproject.toml").write_text(
        "[tool.wavefold]\nseed = 1\n[tool.wavefold.generate]\nsede = 1\nsize = 3\n"
    )
    assert refused().splitlines() == [
        "pyproject.toml, line 2: 'seed' is outside of any section; it belongs in "
        "[tool.wavefold.generate] or [tool.wavefold.world]",
        "pyproject.toml, line 4: unknown key 'sede' in [tool.wavefold.generate]; did you mean 'seed'?",
        "pyproject.toml, line 5: in [tool.wavefold.generate], size must be cells across x cells down, "
        "such as '64x48' or [64, 48], not 3",
    ]


def test_many_problems_are_told_at_once_in_order_up_to_ten(refused):
    lines = refused("[weights]\n" + "\n".join(f"t{each} = -1" for each in range(13))).splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == [
        f"wavefold.toml, line {each}" for each in range(2, 12)
    ]
    assert lines[-1] == "and 3 more"


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("WAVEFOLD_GENERATE_SEDE", "1", "unknown key 'sede' in [generate]; did you mean 'seed'?"),
        ("WAVEFOLD_GENERATE_SEED", "x", "seed must be a whole number, not 'x'"),
        ("WAVEFOLD_GENRATE_SEED", "1", "unknown section 'genrate'; did you mean 'generate'?"),
        ("WAVEFOLD_BUDGET", "soon", "'soon' is not a budget: write a time such as 50ms"),
        ("WAVEFOLD_WEIGHTS", "3", "'weights' is a section"),
        ("WAVEFOLD_FIELDS_A", "b", "there is no field 'b'; known: a"),
    ],
)
def test_a_variable_is_told_what_is_wrong(refused, variable, value, said):
    message = refused(None, {variable: value})
    assert message.startswith(f"{variable}: {said}")
    assert "\n" not in message


def test_a_flag_is_told_what_is_wrong(refused):
    assert refused(None, (), **{"generate.size": "x"}).startswith(
        "--size: size must be cells across x cells down"
    )
    assert (
        refused(None, (), **{"picture.tile_size": 0})
        == "--tile-size: tile_size must be a whole number from 1, not 0"
    )
    assert refused(None, (), budget="-1").startswith("--budget: '-1' is not a budget")


# --- files that cannot be read ------------------------------------------------------------------


def refusal(path):
    with pytest.raises(wf.ConfigError) as caught:
        load_config(path, environment={})
    return str(caught.value)


def test_a_named_file_must_be_there(here):
    assert refusal("none.toml") == "cannot read 'none.toml': no such file or directory"
    assert refusal("\0").startswith("cannot read ")
    Path("folder").mkdir()
    assert refusal("folder") == "cannot read 'folder': is a directory"


def test_a_named_pyproject_must_have_our_table(here):
    Path("pyproject.toml").write_text("[project]\n")
    assert (
        refusal("pyproject.toml")
        == "pyproject.toml has no table [tool.wavefold]; add one, or write a wavefold.toml"
    )


def test_a_table_for_wavefold_must_be_one(refused):
    Path("pyproject.toml").write_text("[tool]\nwavefold = 3\n")
    assert refused() == "pyproject.toml has no table [tool.wavefold]; add one, or write a wavefold.toml"


def test_a_file_must_be_utf8(here):
    Path("wavefold.toml").write_bytes(b"[generate]\n# \xe9\n")
    assert refusal("wavefold.toml").startswith("wavefold.toml, line 2: not valid UTF-8")


def test_a_file_has_a_largest_size(here):
    Path("wavefold.toml").write_text("#" * ((1 << 20) + 1))
    message = "wavefold.toml is larger than 1,048,576 bytes; a configuration is much smaller"
    assert refusal("wavefold.toml") == message


def test_deep_nesting_is_refused(here):
    Path("wavefold.toml").write_text("[generate]\nsize = " + "[" * 5000)
    assert refusal("wavefold.toml").startswith("wavefold.toml")
