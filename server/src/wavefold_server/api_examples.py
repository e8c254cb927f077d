"""A curl command for each operation of the API, made from what its schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from shlex import quote
from typing import Any

from wavefold_server.schema_fields import Schema, Schemas

JSON = "application/json"
KEY_HEADER = '-H "Authorization: Bearer $WAVEFOLD_KEY"'


def curl_command(entry: Mapping[str, Any], schemas: Schemas, address: str, with_key: bool) -> str:
    """A command that can be pasted into a shell; files to send are called FILE."""
    body = list(body_options(entry.get("requestBody", {}).get("content", {}), schemas))
    is_plain = entry["method"] == "GET" or (entry["method"] == "POST" and body)
    words = [
        "curl",
        *([] if is_plain else ["-X", entry["method"]]),
        quote(address + example_path(entry, schemas)),
    ]
    key = [KEY_HEADER] if with_key and entry.get("security") else []
    return " \\\n  ".join([" ".join(words), *key, *body, *output_options(entry)])


def body_options(content: Mapping[str, Any], schemas: Schemas) -> list[str]:
    """Options of curl that send a body of the first kind that is declared, JSON before others."""
    if JSON in content:
        example = json.dumps(schemas.example(content[JSON].get("schema", {})), ensure_ascii=False)
        return ["-H 'Content-Type: application/json'", f"-d {quote(example)}"]
    return [f"-H 'Content-Type: {next(iter(content))}'", "--data-binary @FILE"] if content else []


def output_options(entry: Mapping[str, Any]) -> list[str]:
    """Options of curl that suit the answer: a file for pictures and archives, no buffer for events."""
    answers = [each for status, each in entry["responses"].items() if status.startswith("2")]
    kinds = [kind for each in answers for kind in each.get("content", {})]
    if "text/event-stream" in kinds:
        return ["-N"]
    is_shown = not kinds or any(kind.startswith("text/") or "json" in kind for kind in kinds)
    return (
        []
        if is_shown
        else [f"-o {quote(entry['path'].rsplit('/', 1)[-1].replace('{', '').replace('}', ''))}"]
    )


def example_path(entry: Mapping[str, Any], schemas: Schemas) -> str:
    """The path, with examples for its parameters and for those of the query that are required."""
    path: str = entry["path"]
    query = []
    for each in entry.get("parameters", ()):
        value = str(example_value(each, schemas.resolve(each["schema"])))
        path = path.replace(f"{{{each['name']}}}", value)
        if each["in"] == "query" and each.get("required"):
            query.append(f"{each['name']}={value}")
    return path + ("?" + "&".join(query) if query else "")


def example_value(parameter: Mapping[str, Any], schema: Schema) -> object:
    """An example of a parameter; without one, a number, one of the choices, or its name in capitals."""
    if "example" in parameter:
        return parameter["example"]
    for choices in (parameter.get("examples"), schema.get("examples"), schema.get("enum")):
        if isinstance(choices, list):
            return choices[0]
    is_number = schema.get("type") == "integer"
    return max(0, int(schema.get("minimum", 0))) if is_number else str(parameter["name"]).upper()
