"""Fields as plain data and back: expressions as trees, arrays and pictures as bytes. Functions cannot be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from typing import Any

import numpy as np

from wavefold.errors import WorldError
from wavefold.fields import Fields, Noise
from wavefold.fields.expression import Absolute, Clamped, Combined, Constant, Expression, Rescaled
from wavefold.fields.sources import BEYOND, ArraySource, ExpressionSource, PictureSource, Source, freeze

DEEPEST = 200  # expressions within each other


def fields_to(fields: Fields) -> dict[str, bytes]:
    """{name of a part: bytes}: one with all fields, and one more for each array."""
    told, parts = {}, {}
    for name, source in fields.sources.items():
        told[name] = source_to(name, source)
        if isinstance(source, ArraySource):
            content = BytesIO()
            np.save(content, np.asarray(source.array, "<f8"), allow_pickle=False)
            parts[f"field {name}"] = content.getvalue()
    if fields.limits or fields.factors:
        factors = {tile: factor_to(tile, factor) for tile, factor in fields.factors.items()}
        parts["meaning of fields"] = json.dumps({"limits": dict(fields.limits), "factors": factors}).encode()
    return {"fields": json.dumps(told).encode(), **parts}


def fields_from(parts: Mapping[str, bytes]) -> Fields | None:
    """What `fields_to` told, if it told anything."""
    if "fields" not in parts:
        return None
    told = json.loads(parts["fields"])
    fields = Fields(**{name: source_from(each, parts.get(f"field {name}")) for name, each in told.items()})
    meaning = json.loads(parts.get("meaning of fields", b"{}"))
    factors = {tile: factor_from(factor) for tile, factor in meaning.get("factors", {}).items()}
    return fields.with_limits(meaning.get("limits", {})).with_factors(factors)


def factor_to(tile: str, factor: Any) -> Any:
    """What the weight of a tile is multiplied by: a number, the name of a field, or a tree."""
    if isinstance(factor, Expression):
        return {"expression": expression_to(f"factor for {tile}", factor, DEEPEST)}
    if callable(factor):
        raise WorldError(
            f"a world in which the factor for {tile!r} is a function cannot be saved: a file holds no "
            "Python; make a field of noise of it, and name that as the factor"
        )
    return factor


def factor_from(told: Any) -> Any:
    """The other way."""
    return expression_from(told["expression"]) if isinstance(told, dict) else told


def source_to(name: str, source: Source) -> Any:
    """One field, but for the numbers of an array."""
    if isinstance(source, ExpressionSource):
        return {"expression": expression_to(name, source.expression, DEEPEST)}
    if type(source) in (ArraySource, PictureSource):
        beyond = {} if source.beyond is None else {"beyond": source.beyond}  # type: ignore[attr-defined]
        return {"array": source.kind, **beyond}  # type: ignore[attr-defined]
    raise WorldError(
        f"a world whose field {name!r} is {source!r} cannot be saved: a file holds no Python; use noise, "
        "or give the values as an array"
    )


def source_from(told: Any, content: bytes | None) -> Source:
    """The other way."""
    if "expression" in told:
        return ExpressionSource(expression_from(told["expression"]))
    array = np.load(BytesIO(content or b""), allow_pickle=False).astype(np.float64)
    beyond = told.get("beyond")
    if beyond is not None and beyond not in BEYOND:
        raise WorldError(f"a field goes on {beyond!r:.40} outside, which this version does not know")
    return (PictureSource if told["array"] == PictureSource.kind else ArraySource)(freeze(array), beyond)


def expression_to(name: str, expression: Expression, room: int) -> Any:
    """A tree of lists; the first of each says what it is."""
    if not room:
        raise WorldError(f"field {name!r} is nested too deeply to be saved; give its values as an array")
    kind = type(expression)
    if kind is Noise:
        return ["noise", asdict(expression)]  # type: ignore[call-overload]
    if isinstance(expression, Constant):
        return ["number", expression.amount]
    if isinstance(expression, Combined):
        sides = (expression_to(name, side, room - 1) for side in (expression.left, expression.right))
        return [expression.sign, *sides]
    if isinstance(expression, Clamped | Rescaled):
        verb = "clamp" if isinstance(expression, Clamped) else "rescaled"
        return [verb, expression_to(name, expression.of, room - 1), expression.low, expression.high]
    if isinstance(expression, Absolute):
        return ["abs", expression_to(name, expression.of, room - 1)]
    raise WorldError(f"field {name!r} cannot be saved: {kind.__name__} is no expression of ours")


def expression_from(told: Any) -> Expression:
    """The other way."""
    match told:
        case ["noise", dict(given)]:
            return Noise(**given)
        case ["number", amount]:
            return Constant(amount)
        case ["+" | "-" | "*" as sign, left, right]:
            return Combined(sign, expression_from(left), expression_from(right))
        case ["clamp", of, low, high]:
            return Clamped(expression_from(of), low, high)
        case ["rescaled", of, low, high]:
            return Rescaled(expression_from(of), low, high)
        case ["abs", of]:
            return Absolute(expression_from(of))
    raise WorldError(f"a field holds {told!r:.60}, which this version does not know")
