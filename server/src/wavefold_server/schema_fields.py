"""JSON schemas in words: the fields of a body, each with its type, default and meaning."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Schema = Mapping[str, Any]

HUGE = 1e15  # numbers beyond this say nothing to a reader
PLAIN = {"boolean": "true or false", "string": "text", "null": "null", "object": "object"}
PLURALS = {"object": "objects", "text": "texts", "number": "numbers", "whole number": "whole numbers"}


class FieldRow(NamedTuple):
    """One field. `inner` is the object that its value is, or that a list consists of, if that has fields."""

    name: str
    type: str
    default: str  # "" if there is none
    is_required: bool
    description: str
    inner: Schema | None = None


class Schemas:
    """The named schemas of an OpenAPI document."""

    def __init__(self, named: Mapping[str, Schema]) -> None:
        self.named = named

    def resolve(self, schema: Schema) -> Schema:
        """The schema itself, if this one only refers to it; what is said beside the reference wins."""
        if "$ref" in schema:
            found = self.named[schema["$ref"].rsplit("/", 1)[-1]]
            return {**self.resolve(found), **{key: value for key, value in schema.items() if key != "$ref"}}
        if len(schema.get("allOf", ())) == 1:
            return {**self.resolve(schema["allOf"][0]), **schema}
        return schema

    def describe_type(self, schema: Schema) -> str:
        """A type in words: "whole number from 1", "list of text"."""
        schema = self.resolve(schema)
        if "const" in schema:
            return json.dumps(schema["const"])
        if "enum" in schema:
            return " or ".join(json.dumps(each) for each in schema["enum"])
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            return " or ".join(dict.fromkeys(self.describe_type(each) for each in choices))
        kind = schema.get("type")
        if kind == "array":
            return self.describe_list(schema)
        if kind in ("integer", "number"):
            return ("whole number" if kind == "integer" else "number") + describe_range(schema)
        if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
            return f"object of {self.describe_type(schema['additionalProperties'])}, by name"
        if schema.get("format") == "binary" or "contentMediaType" in schema:
            return "file"
        return PLAIN.get(str(kind), "any value")

    def describe_list(self, schema: Schema) -> str:
        """A list in words."""
        if "prefixItems" in schema:
            return f"[{', '.join(self.describe_type(each) for each in schema['prefixItems'])}]"
        inner = self.describe_type(schema.get("items", {}))
        return f"list of {PLURALS.get(inner, inner)}"

    def fields(self, schema: Schema) -> Iterator[FieldRow]:
        """The fields of an object, or of the objects in a list."""
        schema = self.inner_object(schema) or {}
        required = schema.get("required", ())
        for name, each in schema.get("properties", {}).items():
            yield self.field(name, each, name in required)

    def field(self, name: str, schema: Schema, is_required: bool) -> FieldRow:
        """One field, or a parameter."""
        found, inner = self.resolve(schema), self.inner_object(schema)
        has_default = inner is None and found.get("default") is not None
        words = self.describe_type(schema)
        return FieldRow(
            name,
            words if is_required else words.removesuffix(" or null"),
            json.dumps(found["default"]) if has_default else "",
            is_required,
            found.get("description", ""),
            inner,
        )

    def inner_object(self, schema: Schema) -> Schema | None:
        """The object with fields that a value is, or that a list consists of."""
        schema = self.resolve(schema)
        if schema.get("properties"):
            return schema
        if schema.get("type") == "array":
            return self.inner_object(schema.get("items", {}))
        choices = (self.inner_object(each) for each in schema.get("anyOf", ()))
        return next((each for each in choices if each is not None), None)

    def example(self, schema: Schema) -> Any:
        """A small value: examples where there are any, else only what is required."""
        schema = self.resolve(schema)
        if "example" in schema or schema.get("examples"):
            return schema.get("example", next(iter(schema.get("examples", [None]))))
        if schema.get("properties"):
            wanted = {
                name: each
                for name, each in schema["properties"].items()
                if name in schema.get("required", ())
            }
            return {name: self.example(each) for name, each in wanted.items()}
        if "default" in schema:
            return schema["default"]
        if "enum" in schema:
            return schema["enum"][0]
        for choice in schema.get("anyOf", ()):
            return self.example(choice)
        if schema.get("type") == "array" and "items" in schema:
            return [self.example(schema["items"])] * int(schema.get("minItems", 0))
        simple = {
            "integer": schema.get("minimum", 0),
            "number": 0.5,
            "boolean": True,
            "array": [],
            "object": {},
        }
        return simple.get(str(schema.get("type")), "…")


def describe_range(schema: Schema) -> str:
    """Where a number must lie: " from 1 to 64", " above 0"."""
    least, most = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    words = [
        (" from", least),
        (" above", above),
        (" to" if least is not None else " up to", most),
        (" below", below),
    ]
    return "".join(
        f"{word} {int(value) if value == int(value) else value:,}"
        for word, value in words
        if value is not None and abs(value) < HUGE
    )
