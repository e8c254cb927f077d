"""Every operation of the OpenAPI document, with requests that fit it and others that do not.

Whatever comes in, the answer is one that the document declares, and an error is a problem document.
"""

from contextlib import suppress

import pytest
import requests
import schemathesis
from hypothesis import Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from running_server import read_document, run_server
from wavefold_server import Limits, ServiceSettings
from wavefold_server.database import Database
from wavefold_server.gate import PUBLIC, SESSION
from wavefold_server.keys import ApiKeys

CHECKS = [content_type_conformance, response_schema_conformance, status_code_conformance]
DOCUMENT = read_document()
OPERATIONS = {
    found.ok().label: found.ok() for found in schemathesis.openapi.from_dict(DOCUMENT).get_all_operations()
}
ENDLESS = ("GET /api/v1/worlds/{id}/events",)  # for a world that exists
FEW, MANY = 2, 150
PROBLEM_KEYS = {"type", "title", "status", "detail", "error"}
SMALL = Limits(cells=1_024, quick_cells=600, quick_seconds=2.0, sweeps=4, job_seconds=3.0)


class Caller:
    """Sends the requests of one module over one connection, and checks the answers.

    ids : of something that exists, by the word in its path
    """

    def __init__(self, address):
        self.address, self.session, self.ids = address, requests.Session(), {}

    def create(self, kind, **body):
        answer = self.session.post(f"{self.address}/api/v1/{kind}", json=body)
        assert answer.ok, answer.text
        self.ids[kind] = answer.json()["id"]

    def check(self, case, headers=None):
        answer = case.call(base_url=self.address, session=self.session, headers=headers, timeout=300)
        case.validate_response(answer, checks=CHECKS)
        check_problem(answer)
        return answer


def check_problem(answer):
    """Errors are problem documents, and never the server's own fault."""
    if answer.status_code < 400:
        return
    assert answer.headers["content-type"] == ["application/problem+json"], answer.text
    document = answer.json()
    assert document.keys() >= PROBLEM_KEYS
    assert document["status"] == answer.status_code
    assert answer.status_code < 500 or document["error"] == "Busy", document


@pytest.fixture(scope="module")
def caller(tmp_path_factory):
    with run_server(
        ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2, limits=SMALL)
    ) as address:
        caller = Caller(address)
        caller.ids["tilesets"] = caller.ids["drafts"] = "pipes"
        caller.create("solves", tileset="pipes", topology={"width": 8, "height": 6}, refine=False)
        caller.create("worlds", tileset="pipes", chunk=24, refine=False)
        caller.create("patchworks", tileset="pipes", seed=1)
        yield caller
        caller.session.close()


def try_operation(caller, strategy, examples, steer=lambda case: None):
    """Send a number of requests."""

    @settings(max_examples=examples, phases=[Phase.explicit, Phase.generate])
    @given(case=strategy)
    def try_case(case):
        steer(case)
        caller.check(case)

    with suppress(Unsatisfiable):  # nothing about this operation can be wrong
        try_case()


def steer(case):
    """Name a tile set that exists, and ask for a small map: else most requests end at the first check."""
    if not isinstance(case.body, dict) or "tileset" not in case.body:
        return
    case.body["tileset"] = "pipes"
    topology = case.body.get("topology", {})
    for name in topology.keys() & {"width", "height", "depth", "radius"}:
        topology[name] = topology[name] and topology[name] % 16 + 1


def known_parts(operation, caller):
    """A path that leads to something, if there is one."""
    kind = operation.path.removeprefix("/api/v1/").partition("/")[0]
    return {"id": caller.ids[kind]} if "{id}" in operation.path else {}


def try_anything(label, mode, caller, examples):
    """Requests that fit the document, or not, about nothing that exists."""
    operation = OPERATIONS[label]
    try_operation(caller, operation.as_strategy(mode), examples)


def try_known(label, caller, examples):
    """Requests about something that exists."""
    operation = OPERATIONS[label]
    if label not in ENDLESS and operation.method != "delete":
        strategy = operation.as_strategy(path_parameters=known_parts(operation, caller))
        try_operation(caller, strategy, examples, steer)


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("mode", GenerationMode)
def test_any_request_has_a_declared_answer(label, mode, caller):
    try_anything(label, mode, caller, FEW)


@pytest.mark.parametrize("label", OPERATIONS)
def test_any_request_about_something_that_exists_has_a_declared_answer(label, caller):
    try_known(label, caller, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("label", OPERATIONS)
def test_many_requests_have_declared_answers(label, caller):
    for mode in GenerationMode:
        try_anything(label, mode, caller, MANY)
    try_known(label, caller, MANY)


def test_a_list_that_takes_too_long_has_a_declared_answer(tmp_path):
    """As each operation whose work has a time limit: on a busy machine, even small work may exceed it."""
    limits = Limits(quick_seconds=1e-9)
    with run_server(ServiceSettings(data=tmp_path, workers=1, limits=limits)) as address:
        case = OPERATIONS["GET /api/v1/tilesets"].Case()
        answer = case.call(base_url=address, timeout=30)
        assert (answer.status_code, answer.json()["limit"]) == (422, "quick_seconds")
        case.validate_response(answer, checks=CHECKS)


@pytest.mark.parametrize("label", OPERATIONS)
def test_every_operation_declares_damage_and_limits_of_time(label):
    path, method = label.split(" ")[1], label.split(" ")[0].lower()
    assert DOCUMENT["paths"][path][method]["responses"].keys() >= {"409", "422"}


# --- API keys ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def locked(tmp_path_factory):
    """A caller of a server that requires keys; `ids` are the keys by scope."""
    folder = tmp_path_factory.mktemp("data")
    database = Database(folder)
    keys = {scope: ApiKeys(database).create(scope, scope) for scope in ("read", "write")}
    database.close()
    with run_server(ServiceSettings(data=folder, workers=1, limits=SMALL)) as address:
        caller = Caller(address)
        caller.ids = keys
        yield caller
        caller.session.close()


def try_keys(label, locked, examples):
    """A request without a key, with one that may read, and with one that may do everything."""
    operation = OPERATIONS[label]
    is_read = operation.method == "get"

    @settings(max_examples=examples, phases=[Phase.explicit, Phase.generate])
    @given(case=operation.as_strategy())
    def try_case(case):
        found = {
            scope: locked.check(case, {"Authorization": f"Bearer {key}"}).status_code
            for scope, key in locked.ids.items()
        }
        without = locked.check(case).status_code
        if operation.path in PUBLIC:
            assert without not in (401, 403)
        else:
            assert without == 401
        assert (found["read"] in (401, 403)) == (not is_read)
        assert found["write"] != 401

    try_case()


@pytest.mark.parametrize("label", [each for each in OPERATIONS if SESSION not in each])
def test_keys_open_what_they_are_for(label, locked):
    try_keys(label, locked, 1)


@pytest.mark.slow
@pytest.mark.parametrize("label", [each for each in OPERATIONS if SESSION not in each])
def test_keys_open_what_they_are_for_whatever_is_sent(label, locked):
    try_keys(label, locked, MANY // 3)
