"""Values and calls of the library as Python, and which file code reads."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from typing import Any, NamedTuple

import numpy as np

import wavefold
from wavefold.fields import Constant, Expression, ExpressionSource, Fields, Noise
from wavefold.tiles import TileSet
from wavefold.topology import Topology
from wavefold_server.problems import Problem

LONGEST_LINE = 100
MOST_CALLS = 8  # that a value is in


class TileSource(NamedTuple):
    """What code loads a tile set from: its name, or a file that comes with the code."""

    text: str
    file: str | None = None

    @classmethod
    def find(cls, id: str, tiles: TileSet, is_bundled: bool) -> TileSource:
        """The source of a tile set of the server."""
        if is_bundled:
            return cls(id)
        stem = re.sub(r"[^A-Za-z0-9]+", "-", tiles.name).strip("-").lower() or "tiles"
        return cls(f"{stem}.zip", f"{stem}.zip")


def write_program(lines: Sequence[str], constraints: Iterable[Any] = ()) -> str:
    """A program of these lines, with what they import.

    constraints : that are in it; some may be of plugins
    """
    head = ["from contextlib import suppress", ""] if has_line(lines, "with suppress(") else []
    head += ["import numpy as np"] if has_line(lines, "weights = np.") else []
    modules = {type(each).__module__ for each in constraints if not is_ours(each)}
    head += [f"import {each}" for each in sorted(modules)]
    return "\n".join([*head, "import wavefold as wf", "", *lines, ""])


def has_line(lines: Sequence[str], start: str) -> bool:
    """Whether some line begins like this."""
    return any(each.startswith(start) for each in lines)


def check_code(text: str) -> str:
    """What an object says of itself, if it is Python; it may be in a few calls. Raises a `Problem` if not.

    Only this is parsed: it is short, while a whole program may be so long that all others would have to wait.
    """
    try:
        ast.parse("(" * MOST_CALLS + text + ")" * MOST_CALLS)
    except (SyntaxError, RecursionError, MemoryError):
        raise Problem(
            422,
            "it was made with a function of a plugin, or with expressions that are nested too deep",
            error="InvalidRequest",
            title="There is no Python code for this",
            advice="Pass on a link or a file of the studio instead: they contain everything.",
        ) from None
    return text


def write_call(start: str, parts: Iterable[str]) -> str:
    """A call, on one line or, if that is too long, with a line for each argument."""
    given = list(parts)
    line = f"{start}({', '.join(given)})"
    if len(line) <= LONGEST_LINE:
        return line
    return "\n".join([f"{start}(", *(f"    {each}," for each in given), ")"])


def write_keywords(function: Callable[..., Any], arguments: Mapping[str, Any]) -> list[str]:
    """Keyword arguments of a call, without those that are the default anyway."""
    usual = {name: each.default for name, each in inspect.signature(function).parameters.items()}
    return [f"{name}={write_value(each)}" for name, each in arguments.items() if each != usual[name]]


def write_value(value: Any) -> str:
    """Plain data, and objects of the library with what is not the default, as Python."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = (f"{write_value(key)}: {write_value(each)}" for key, each in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(write_value, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, Fields):
        return write_fields(value)
    if isinstance(value, ExpressionSource):
        return write_value(value.expression)
    if isinstance(value, Expression):
        # There are no texts in it.
        return check_code(repr(fold_constants(value)).replace("Noise(", "wf.Noise("))
    return write_object(value) if is_dataclass(value) else check_code(repr(value))


def write_object(value: Any, **written: str) -> str:
    """An object of the library; `written` are attributes that are code already."""
    given = {
        each.name: written.get(each.name) or write_value(getattr(value, each.name))
        for each in fields(value)
        if each.name in written or is_given(each, value)
    }
    home = "wf" if is_ours(value) else type(value).__module__
    return f"{home}.{type(value).__name__}({', '.join(f'{name}={text}' for name, text in given.items())})"


def is_ours(value: Any) -> bool:
    """Whether the class of a value is in `wavefold` by its name; those of plugins are not."""
    return getattr(wavefold, type(value).__name__, None) is type(value)


def is_given(field: Any, owner: Any) -> bool:
    """Whether the value of a field is not its default."""
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return bool(default is MISSING or getattr(owner, field.name) != default)


def write_fields(given: Fields) -> str:
    """Fields, with their limits and factors; names may have any letters."""
    if all(name.isidentifier() for name in given.names):
        parts = [f"{name}={write_value(source)}" for name, source in given.sources.items()]
    else:
        parts = [f"**{write_value(given.sources)}"] if given.names else []
    text = write_call("wf.Fields", parts)
    text += f".with_limits({write_value(given.limits)})" if given.limits else ""
    return text + (f".with_factors({write_value(given.factors)})" if given.factors else "")


def fold_constants(expression: Expression) -> Expression:
    """The same values; what is the same everywhere is a number, which has no methods as noise has."""
    if isinstance(expression, Constant | Noise) or not is_dataclass(expression):
        return expression
    values = {each.name: getattr(expression, each.name) for each in fields(expression)}
    inner = {name: fold_constants(each) for name, each in values.items() if isinstance(each, Expression)}
    folded: Any = replace(expression, **inner)
    if all(isinstance(each, Constant) for each in inner.values()):
        return Constant(float(folded.values([np.zeros(1)])[0]))
    return folded


def write_grid(grid: Topology) -> str:
    """A grid as Python; its mask, which a representation only counts, whole."""
    mask = getattr(grid, "mask", None)
    if mask is None:
        return f"wf.{grid!r}"
    return re.sub(r"<[^>]*>", lambda _: repr(mask.array.tolist()), f"wf.{grid!r}")
