"""Every operation that takes a body refuses one with too many values, and parses a long one in a thread.

The operations are those of the OpenAPI document, so that none is forgotten.
"""

import json
import threading

import pytest
from pydantic import ValidationError

from running_server import read_document, run_client
from wavefold_server import Limits, ServiceSettings, body_route
from wavefold_server.bodies import parse_body
from wavefold_server.gate import SESSION, UPLOADS
from wavefold_server.openapi import operations

DOCUMENT = read_document()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, method, operation in operations(DOCUMENT)
    if "requestBody" in operation
}
RAW = ("POST /api/v1/tilesets", "POST /api/v1/documents/open")  # parse what they get themselves
MANY = 1_000
MOST_ERRORS = 100
JSON = {"Content-Type": "application/json"}
SMALL = Limits(
    body_bytes=20_000, upload_bytes=40_000, anonymous_bytes=15_000, body_values=500, upload_values=800
)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    settings = ServiceSettings(data=tmp_path_factory.mktemp("data"), workers=2, limits=SMALL)
    with run_client(settings) as client:
        yield client


def send(client, label, content, headers=JSON):
    method, _, path = label.partition(" ")
    path = path.replace("{id}", "pipes" if "tilesets" in path else "unknown")
    return client.request(method, path, content=content, headers=headers)


def limits_of(label):
    path = label.partition(" ")[2]
    if path == SESSION:
        return "anonymous_bytes", "body_values"
    return ("upload_bytes", "upload_values") if path in UPLOADS else ("body_bytes", "body_values")


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("piece", ["[]", "{}", '{"":0}', "1", '""', '{"a":[[1,2],[3]]}'])
def test_a_body_with_too_many_values_is_refused_before_it_is_parsed(client, label, piece):
    name = limits_of(label)[1]
    most = getattr(SMALL, name)
    content = '{"tileset":"pipes","pins":[' + ",".join([piece] * most) + "]}"
    answer = send(client, label, content.encode())
    assert (answer.status_code, answer.json()["limit"]) == (413, name)
    assert answer.json()["maximum"] == most


@pytest.mark.parametrize("label", OPERATIONS)
def test_a_body_that_is_too_long_is_refused(client, label):
    name = limits_of(label)[0]
    parts = (b'"' + b"a" * 1_000 for _ in range(60))  # without a length
    answer = send(client, label, parts)
    assert (answer.status_code, answer.json()["limit"]) == (413, name)


@pytest.mark.parametrize("label", OPERATIONS)
@pytest.mark.parametrize("nested", ["[" * 400, "[" * 90 + "]" * 90, '{"a":' * 60 + "0" + "}" * 60])
def test_a_body_that_is_nested_deeply_is_refused(client, label, nested):
    fields = ("tileset", "document", "tables", "pins", "key", "revision", "files", "steps")
    for field in fields:
        answer = send(client, label, f'{{"{field}":{nested}}}'.encode())
        assert 400 <= answer.status_code < 500, answer.text


@pytest.mark.parametrize("label", [each for each in OPERATIONS if each not in RAW])
def test_a_long_body_is_parsed_in_a_thread(client, label, monkeypatch):
    threads = []

    def parse(model, content):
        threads.append(threading.current_thread().name)
        return parse_body(model, content)

    monkeypatch.setattr(body_route, "parse_body", parse)
    answer = send(client, label, json.dumps({"unknown": "a" * 5_000}).encode())
    assert answer.status_code == 422
    assert answer.json()["errors"][-1]["detail"].startswith("unknown key 'unknown'")
    assert [each[:16] for each in threads] == ["wavefold-parsing"]


@pytest.mark.parametrize("label", [each for each in OPERATIONS if each not in RAW])
def test_a_short_body_is_parsed_at_once(client, label, monkeypatch):
    threads = []

    def parse(model, content):
        threads.append(threading.current_thread().name)
        return parse_body(model, content)

    monkeypatch.setattr(body_route, "parse_body", parse)
    send(client, label, b'{"unknown": 1}')
    assert len(threads) == 1
    assert not threads[0].startswith("wavefold")


# --- errors -----------------------------------------------------------------------------------------


def resolve(schema):
    """A schema itself, instead of a reference to it."""
    while "$ref" in schema:
        schema = DOCUMENT["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


def hostile_values(schema, levels=4):
    """Values that are wrong in many places, for each place that a schema has."""
    yield [[]] * MANY
    yield {f"key {number}": [] for number in range(MANY)}
    schema = resolve(schema)
    if not levels:
        return
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from hostile_values(each, levels - 1)
    constants = {
        name: resolve(each)["const"]
        for name, each in schema.get("properties", {}).items()
        if "const" in resolve(each)
    }
    for name, each in schema.get("properties", {}).items():
        for value in hostile_values(each, levels - 1):
            yield constants | {name: value}
    if isinstance(schema.get("items"), dict):
        for value in hostile_values(schema["items"], levels - 1):
            yield [value]
    if isinstance(schema.get("additionalProperties"), dict):
        for value in hostile_values(schema["additionalProperties"], levels - 1):
            yield {"key": value}


def count_errors(model, value):
    try:
        model.model_validate(value)
    except ValidationError as error:
        return error.error_count()
    return 0


def model_of(label, monkeypatch, client):
    """The model that the body of an operation is parsed as."""
    models = []
    monkeypatch.setattr(
        body_route, "parse_body", lambda model, content: models.append(model) or parse_body(model, content)
    )
    send(client, label, b"{}")
    return models[0]


@pytest.mark.parametrize("label", [each for each in OPERATIONS if each not in RAW])
def test_a_body_with_many_errors_gives_few(client, label, monkeypatch):
    """Each error takes a kilobyte, and time in which no other thread runs."""
    model = model_of(label, monkeypatch, client)
    schema = resolve(OPERATIONS[label]["requestBody"]["content"]["application/json"]["schema"])
    for value in hostile_values(schema):
        assert count_errors(model, value) <= MOST_ERRORS
