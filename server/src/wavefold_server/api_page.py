"""The page at /docs: the OpenAPI document for readers. It works without scripts and loads nothing."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from wavefold.render import Markup, concatenate, details, element, page, table_of_rows
from wavefold_server.api_examples import curl_command
from wavefold_server.openapi import operations
from wavefold_server.schema_fields import FieldRow, Schemas

STYLE = Path(__file__).with_name("api_page.css")
INLINE = re.compile(r"`([^`]+)`|\[([^\]]+)\]\([^)]*\)")  # code, and links of the guide
DEEPEST = 3  # objects inside objects
LAST_GROUP = "server"
WITHOUT_BODY = {"204": "done, nothing to say", "304": "as the client has it"}


class ApiPage:
    """Renders one OpenAPI document.

    address : of the server, for examples
    with_key : whether examples send an API key
    """

    def __init__(self, document: Mapping[str, Any], address: str, with_key: bool) -> None:
        self.document, self.address, self.with_key = document, address, with_key
        self.schemas = Schemas(document["components"]["schemas"])

    def render(self) -> str:
        """The whole page."""
        groups = self._groups()
        info = self.document["info"]
        intro = element(
            "div",
            element("h1", info["title"], " ", element("small", info["version"])),
            *paragraphs(info["description"]),
            element("p", element("a", "openapi.json", href="openapi.json"),
                    " describes the same for programs. ", self._key_note()),
        )  # fmt: skip
        main = element("main", intro, *(self._group(*each) for each in groups), self._problems())
        return page("wavefold API", contents(groups), main, class_="api", more_style=STYLE.read_text("utf-8"))

    def _groups(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """(tag, operations) in the order in which they are declared."""
        groups: dict[str, list[dict[str, Any]]] = {}
        for path, method, operation in operations(dict(self.document)):
            entry = operation | {"path": path, "method": method.upper()}
            groups.setdefault((operation.get("tags") or ["other"])[0], []).append(entry)
        for each in self.document["x-websockets"]:
            summary, _, rest = each["description"].partition("\n")
            words = {"summary": summary.rstrip("."), "description": rest}
            entry = {"path": each["path"], "method": "WS", "responses": {}, **words}
            groups.setdefault("live sessions", []).append(entry)
        return sorted(groups.items(), key=lambda group: group[0] == LAST_GROUP)

    def _key_note(self) -> str:
        if self.with_key:
            return "This server requires an API key: examples read it from the variable WAVEFOLD_KEY."
        return "This server requires no API key."

    def _group(self, tag: str, entries: Iterable[dict[str, Any]]) -> Markup:
        return element(
            "section", element("h2", capitalize(tag)), *(self._operation(each) for each in entries)
        )

    def _operation(self, entry: dict[str, Any]) -> Markup:
        """One operation: what it does, an example, and behind folds what goes in and comes out."""
        path = concatenate(
            element("var", part) if part.startswith("{") else part
            for part in re.split(r"(\{[^}]+\})", entry["path"])
        )
        head = element("h3", badge(entry["method"]), element("code", path), class_="operation")
        about = element("p", element("strong", entry.get("summary", "")))
        rest = [about, *paragraphs(entry.get("description", ""))]
        if entry["method"] != "WS":
            rest += [
                element(
                    "pre",
                    element("code", curl_command(entry, self.schemas, self.address, self.with_key)),
                    tabindex="0",
                )
            ]
        rest += [*self._parameters(entry), *self._body(entry), *self._answers(entry)]
        return element("article", head, *rest, id=anchor(entry))

    def _parameters(self, entry: dict[str, Any]) -> Iterator[Markup]:
        rows = [
            self.schemas.field(each["name"], each["schema"] | {"description": each.get("description", "")},
                               each.get("required", False))
            for each in entry.get("parameters", ())
        ]  # fmt: skip
        if rows:
            yield details("Parameters", field_table(rows))

    def _body(self, entry: dict[str, Any]) -> Iterator[Markup]:
        plain = []
        for media, content in entry.get("requestBody", {}).get("content", {}).items():
            shown = list(self._fields(content.get("schema", {})))
            about = self.schemas.resolve(content.get("schema", {})).get("description", "")
            if shown:
                yield details(f"Body: {media}", *paragraphs(about), *shown)
            else:
                plain.append(media)
        if plain:
            yield element("p", f"Body: {', '.join(plain)}", class_="quiet")

    def _answers(self, entry: dict[str, Any]) -> Iterator[Markup]:
        good = {status: each for status, each in entry["responses"].items() if not is_problem(each)}
        bad = [status for status, each in entry["responses"].items() if is_problem(each)]
        for status, answer in good.items():
            content = answer.get("content", {})
            label = (
                f"Answer {status}: {', '.join(content) or WITHOUT_BODY.get(status, answer['description'])}"
            )
            shown = [part for each in content.values() for part in self._fields(each.get("schema", {}), True)]
            yield details(label, *shown) if shown else element("p", label, class_="quiet")
        if bad:
            link = element("a", "problem documents", href="#problems")
            yield element("p", f"Refused with {', '.join(bad)}: ", link, class_="quiet")

    def _fields(self, schema: Mapping[str, Any], is_answer: bool = False, depth: int = 0) -> Iterator[Markup]:
        """A table of the fields, and below it those of the objects in it, each behind a fold."""
        rows = list(self.schemas.fields(schema))
        if rows:
            yield field_table(rows, is_answer)
        for row in rows:
            if row.inner is not None and depth < DEEPEST:
                yield details(row.name, *self._fields(row.inner, is_answer, depth + 1))

    def _problems(self) -> Markup:
        schema = self.document["components"]["schemas"]["Problem"]
        text = "A request that is refused or fails is answered with application/problem+json (RFC 9457)."
        head = element("h2", "Problem documents", id="problems")
        return element("section", head, element("p", text), *self._fields(schema, is_answer=True))


def contents(groups: Iterable[tuple[str, list[dict[str, Any]]]]) -> Markup:
    """Links to all operations, by group."""
    parts: list[Markup] = []
    for tag, entries in groups:
        links = [
            element("li", element("a", badge(each["method"]), each.get("summary", each["path"]),
                                  href=f"#{anchor(each)}"))
            for each in entries
        ]  # fmt: skip
        parts += [element("h2", capitalize(tag)), element("ul", *links)]
    problems = element("p", element("a", "Problem documents", href="#problems"))
    return element("nav", element("details", element("summary", "Contents"), *parts, problems, open=""))


def field_table(rows: Iterable[FieldRow], is_answer: bool = False) -> Markup:
    """Fields as a table."""
    headings = ["field", "type", "meaning"] if is_answer else ["field", "type", "default", "meaning"]
    return table_of_rows(headings, [field_row(row, is_answer) for row in rows], class_="fields")


def field_row(row: FieldRow, is_answer: bool) -> Markup:
    default = (
        element("code", row.default) if row.default else element("b", "required") if row.is_required else ""
    )
    cells = [element("td", element("code", row.name), class_="name"), element("td", row.type, class_="type")]
    cells += [] if is_answer else [element("td", default)]
    return element("tr", *cells, element("td", in_line(row.description)))


def paragraphs(text: str) -> list[Markup]:
    """Plain text with blank lines between paragraphs, and `code`."""
    return [element("p", in_line(part)) for part in re.split(r"\n\s*\n", text.strip()) if part]


def in_line(text: str) -> Markup:
    """Text with `code` as such, and links of the guide as their words."""
    parts: list[object] = []
    end = 0
    for found in INLINE.finditer(text):
        parts += [text[end : found.start()], element("code", found[1]) if found[1] else found[2]]
        end = found.end()
    return concatenate([*parts, text[end:]])


def badge(method: str) -> Markup:
    return element("span", method, class_=f"method {method.lower()}")


def anchor(entry: Mapping[str, Any]) -> str:
    """The id of an operation: "post-api-v1-solves"."""
    words = re.findall(r"[A-Za-z0-9_]+", f"{entry['method']} {entry['path']}")
    return "-".join(words).lower()


def capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def is_problem(answer: Mapping[str, Any]) -> bool:
    return "application/problem+json" in answer.get("content", {})


def content_security_policy(html: str) -> str:
    """The strictest policy that shows this page: its own styles, by their hashes, and nothing else."""
    hashes = [
        b64encode(sha256(style.encode()).digest()).decode()
        for style in re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    ]
    styles = " ".join(f"'sha256-{each}'" for each in hashes)
    return (
        f"default-src 'none'; style-src {styles}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
