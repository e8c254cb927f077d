"""/openapi.json and /docs: complete, safe, and without anything from elsewhere."""

import re
import shlex
from html.parser import HTMLParser

import pytest
from fastapi import APIRouter
from hypothesis import given
from hypothesis import strategies as st

from wavefold_server import ServiceSettings, create_app
from wavefold_server.api_docs import find_document
from wavefold_server.api_examples import curl_command
from wavefold_server.api_page import ApiPage, anchor, content_security_policy, in_line
from wavefold_server.gate import PUBLIC, SESSION
from wavefold_server.openapi import KEY, operations
from wavefold_server.schema_fields import Schemas

EMPTY = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return find_document(create_app(ServiceSettings(data=tmp_path_factory.mktemp("data"))))


@pytest.fixture(scope="module")
def html(document):
    return ApiPage(document, "http://localhost:8317", with_key=True).render()


def test_every_operation_may_answer_with_a_problem_document(document):
    assert "HTTPValidationError" not in str(document)
    for path, _, operation in operations(document):
        answers = operation["responses"]
        assert {"400", "401", "403", "503"} <= set(answers)
        assert "default" not in answers, "it would hide what is not declared"
        assert ("404" in answers) or "{" not in path
        for status, answer in answers.items():
            if status == "default" or int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"], (path, status)


def test_every_operation_needs_a_key_except_for_public_pages(document):
    assert document["components"]["securitySchemes"][KEY]["scheme"] == "bearer"
    for path, _, operation in operations(document):
        assert operation["security"] == ([] if path in (*PUBLIC, SESSION) else [{KEY: []}, {}])


def test_every_operation_says_what_it_does(document):
    for path, method, operation in operations(document):
        assert operation.get("tags"), path
        assert operation.get("summary"), path
        assert operation.get("description"), (method, path)


class Reader(HTMLParser):
    """Checks that elements are nested, and collects what a browser would load and where links lead."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.loaded, self.scripted = [], set(), [], [], []

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.open += [] if tag in EMPTY else [tag]
        self.ids |= {given["id"]} if "id" in given else set()
        self.links += [given["href"]] if tag == "a" else []
        self.loaded += [
            value for name, value in attributes if name in ("src", "srcset", "data", "background")
        ]
        self.scripted += [tag] if tag in ("script", "iframe", "object", "embed", "link", "form") else []
        self.scripted += [name for name in given if name.startswith("on") or name == "style"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing(document, html):
    reader = Reader()
    reader.feed(html)
    assert reader.open == []
    assert reader.loaded == []
    assert reader.scripted == []
    assert {link for link in reader.links if not link.startswith("#")} == {"openapi.json"}
    assert {link[1:] for link in reader.links if link.startswith("#")} <= reader.ids
    assert "url(" not in html
    assert "@import" not in html
    for path, method, _ in operations(document):
        assert anchor({"path": path, "method": method}) in reader.ids


def test_the_policy_allows_the_own_style_and_nothing_else(client):
    answer = client.get("/docs")
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert policy == content_security_policy(answer.text)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "This server requires no API key" in answer.text
    assert f"http://{client.base_url.netloc.decode()}/api/v1/solves" in answer.text


def test_examples_can_be_pasted_into_a_shell(document):
    schemas = Schemas(document["components"]["schemas"])
    for path, method, operation in operations(document):
        entry = operation | {"path": path, "method": method.upper()}
        words = shlex.split(curl_command(entry, schemas, "http://localhost:8317", with_key=True))
        url = next(word for word in words if word.startswith("http"))
        assert "{" not in url
        assert ("Authorization: Bearer $WAVEFOLD_KEY" in words) == bool(entry["security"])


def test_the_example_of_a_map_works(client, document):
    schemas = Schemas(document["components"]["schemas"])
    body = schemas.example({"$ref": "#/components/schemas/SolveRequest"})
    topology = {"width": 6, "height": 4}
    answer = client.post("/api/v1/solves", json=body | {"topology": topology, "refine": False})
    assert answer.status_code == 200, answer.text


def test_websockets_are_on_the_page(tmp_path):
    app = create_app(ServiceSettings(data=tmp_path))
    router = APIRouter(prefix="/talk")

    @router.websocket("/{id}")
    async def talk(socket):
        """Talk.

        Both sides send `numbers`.
        """

    app.include_router(router, prefix="/api/v1")
    html = ApiPage(find_document(app), "http://localhost", with_key=False).render()
    assert "/api/v1/talk/<var>{id}</var>" in html
    assert "Both sides send <code>numbers</code>." in html


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9_999_999}, "whole number from 1 to 9,999,999"),
        ({"type": "number", "exclusiveMinimum": 0}, "number above 0"),
        ({"type": "integer", "maximum": 2.0**64}, "whole number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "text or null"),
        ({"enum": ["a", False]}, '"a" or false'),
        ({"type": "array", "items": {"$ref": "#/x/Cell"}}, "list of [whole number, text]"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number, by name"),
        ({"type": "string", "format": "binary"}, "file"),
        ({}, "any value"),
    ],
)
def test_types_in_words(schema, words):
    cell = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}
    assert Schemas({"Cell": cell}).describe_type(schema) == words


@given(st.text())
def test_no_description_can_become_markup(text):
    shown = in_line(text)
    assert set(re.findall(r"<(/?\w+)", shown)) <= {"code", "/code"}
