"""Everything in a request can be filled in as a form, in words; what a form begins with is valid."""

from inspect import signature

import pytest

from wavefold.constraints.tables import build_constraint
from wavefold.plugins.registry import BUILT_IN, find
from wavefold_server.solves.forms import ELSEWHERE, WORDS, list_forms
from wavefold_server.solves.models import SolveRequest, TopologyBody

FORMS = {form.kind: form for form in list_forms().constraints}
SETTINGS = {form.section: form for form in list_forms().settings}
# What the studio sets by other means, or not at all, and why.
OTHERWISE = {
    "tileset": "chosen in the bar", "topology": "in the bar and the panel Grid", "seed": "in the bar",
    "pins": "put on the map", "constraints": "forms of their own", "own_constraints": "with the constraints",
    "weights": "a panel of its own", "shares": "a panel of its own", "refine": "a slider under Look",
    "fields": "of worlds", "terrain": "of worlds", "locks": "put on the map", "commands": "the log",
}  # fmt: skip
OURS = list(BUILT_IN["constraint"])


def test_every_kind_has_a_form_or_a_reason_why_not():
    assert sorted([*FORMS, *(each for each in ELSEWHERE if each in OURS)]) == sorted({*FORMS, *OURS})
    assert set(OURS) <= {*WORDS, *ELSEWHERE}


@pytest.mark.parametrize("kind", [each for each in OURS if each in WORDS])
def test_every_key_of_a_kind_has_words(kind):
    parameters = [each for each in signature(find("constraint", kind)).parameters if each not in ELSEWHERE]
    assert sorted(parameters) == sorted(WORDS[kind].keys)


@pytest.mark.parametrize("kind", FORMS)
def test_what_a_form_begins_with_is_a_constraint_once_tiles_are_chosen(kind):
    form = FORMS[kind]
    table = form.start | {key.name: "well" for key in form.keys if key.control == "tiles" and key.needed}
    if any(key.name == "tiles" for key in form.keys):
        table["tiles"] = "road"
    assert form.help
    assert build_constraint(table).message()


def test_the_service_lists_forms(shared_client):
    forms = shared_client.get("/api/v1/solves/forms").json()
    assert forms["constraints"][0]["keys"][0]["control"] == "tiles"
    assert [each["section"] for each in forms["settings"]] == ["heuristics", "search", "budget", ""]


def test_every_key_of_a_request_is_in_a_form_or_set_otherwise():
    keys = {
        *(section for section in SETTINGS if section),
        *(key.name for key in SETTINGS[""].keys),
        *OTHERWISE,
    }
    assert keys == set(SolveRequest.model_fields)


@pytest.mark.parametrize("section", ["heuristics", "search", "budget"])
def test_every_key_of_a_section_is_in_its_form_with_a_title_and_a_sentence(section):
    model = SolveRequest.model_fields[section].annotation
    keys = {key.name: key for key in SETTINGS[section].keys}
    assert set(keys) == set(model.model_fields)
    for name, key in keys.items():
        assert model.model_fields[name].title == key.title, "give it a title where it is declared"
        assert key.help.endswith(".")
        assert key.control != "text" or name == "influence"


@pytest.mark.parametrize("section", ["heuristics", "search"])
def test_every_option_of_a_choice_is_accepted(section):
    for key in SETTINGS[section].keys:
        for option in key.options:
            request = SolveRequest.model_validate({"tileset": "castle", section: {key.name: option}})
            assert getattr(getattr(request, section), key.name) == option


def test_the_panel_for_the_grid_knows_all_of_it():
    known = {"width", "height", "radius", "wraps"}  # and what maps on the screen do not have
    assert set(TopologyBody.model_fields) - known == {"kind", "depth", "form", "layout", "mask"}
