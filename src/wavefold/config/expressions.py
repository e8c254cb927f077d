"""Expressions in a configuration: "clamp(0.75 * continent + 0.25 * detail, 0, 1)".

Python's parser reads them; then every node is checked: numbers, names of fields, + - *, brackets, and three
functions are allowed. Python never evaluates them.
"""

from __future__ import annotations

import ast
import operator
import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wavefold.errors import ConfigError, suggest

if TYPE_CHECKING:
    from wavefold.fields import Expression


MOST_CHARACTERS = 1000
MOST_OPERATIONS = 100
MOST_NESTED = 12  # brackets in brackets
CHARACTERS = re.compile(r"[\w\s.+\-*/(),]*")
SIGNS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
FUNCTIONS = {"abs": "abs(x)", "clamp": "clamp(x, low, high)", "rescaled": "rescaled(x, low, high)"}


@dataclass(frozen=True)
class ParsedExpression:
    """A checked expression of fields. `names` are the fields it uses."""

    text: str
    names: tuple[str, ...]
    body: ast.expr

    def expression(self, fields: Mapping[str, Expression]) -> Expression:
        """Build the expression from these fields."""
        from wavefold.fields.expression import Constant

        for name in self.names:
            if name not in fields:
                raise ConfigError(f"in {self.text!r}: there is no field {name!r}; {suggest(name, fields)}")
        built = self._build(self.body, fields)
        return Constant(built) if isinstance(built, float) else built

    def _build(self, node: ast.expr, fields: Mapping[str, Expression]) -> Expression | float:
        """Numbers stay numbers until they meet a field."""
        match node:
            case ast.Constant(value=value):
                return float(value)  # type: ignore[arg-type]
            case ast.Name(id=name):
                return fields[name]
            case ast.UnaryOp(operand=operand):
                return -self._build(operand, fields)
            case ast.BinOp(left=left, op=sign, right=right):
                sides = self._build(left, fields), self._build(right, fields)
                return SIGNS[type(sign)](*sides)  # type: ignore[no-any-return]
            case ast.Call(func=ast.Name(id=name), args=[first, *rest]):
                limits = [self._build(each, fields) for each in rest]
                return self._call(name, self._build(first, fields), limits)
        raise AssertionError(f"{node!r} was allowed")

    def _call(self, name: str, value: Expression | float, limits: list[Any]) -> Expression | float:
        from wavefold.fields.expression import Constant

        if name == "abs":
            return abs(value) if isinstance(value, float) else value.__abs__()
        if not all(isinstance(limit, float) for limit in limits):
            raise ConfigError(f"in {self.text!r}: the limits of {FUNCTIONS[name]} are numbers, not fields")
        if isinstance(value, float):
            return float(getattr(Constant(value), name)(*limits).bounds[0])
        return getattr(value, name)(*limits)  # type: ignore[no-any-return]


def parse_expression(text: str) -> ParsedExpression:
    """Parse and check an expression. Whether its fields exist is checked elsewhere."""
    line = " ".join(text.split())
    if len(line) > MOST_CHARACTERS:
        raise ConfigError(f"an expression has at most {MOST_CHARACTERS:,} characters; this has {len(line):,}")
    allowed = CHARACTERS.match(line)
    if allowed is not None and allowed.end() < len(line):
        raise ConfigError(f"in {line!r}: {line[allowed.end()]!r} is not valid in an expression; {HELP}")
    body = parse_python(line)
    if sum(isinstance(node, ast.BinOp | ast.UnaryOp | ast.Call) for node in ast.walk(body)) > MOST_OPERATIONS:
        raise ConfigError(
            f"an expression has at most {MOST_OPERATIONS} operations; make a field of a part of this one"
        )
    names: dict[str, None] = {}
    if check_node(body, line, names) > MOST_NESTED:
        raise ConfigError(
            f"in {line!r}: at most {MOST_NESTED} nested brackets; make a field of the inner part"
        )
    return ParsedExpression(line, tuple(names), body)


HELP = "use numbers, names of fields, + - *, brackets, " + ", ".join(FUNCTIONS.values())


def parse_python(line: str) -> ast.expr:
    """Parse with Python's parser; errors become one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about expressions that are refused below
            return ast.parse(line, mode="eval").body
    except SyntaxError as error:
        place = f" at character {error.offset}" if error.offset and error.text else ""
        raise ConfigError(f"{line!r} is not an expression: it cannot be read{place}; {HELP}") from None
    except (RecursionError, MemoryError, ValueError):
        raise ConfigError(f"{line[:40]!r}… is not an expression that can be read; {HELP}") from None


def check_node(node: ast.expr, line: str, names: dict[str, None]) -> int:
    """Raise for what is not allowed, collect names, and return the depth of nesting.

    A chain `a + b + c` is not nested; `a + (b + (c))` is.
    """
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            if abs(value) > sys.float_info.max:
                raise ConfigError(f"in {line!r}: a number is too large")
            return 0
        case ast.Name(id=name):
            names[name] = None
            return 0
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return 1 + check_node(operand, line, names)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return max(check_node(left, line, names), 1 + check_node(right, line, names))
        case ast.BinOp(op=ast.Div()):
            raise ConfigError(
                f"in {line!r}: division is not supported; multiply by 0.5 instead of dividing by 2"
            )
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            if len(arguments) != FUNCTIONS[name].count(",") + 1:
                raise ConfigError(f"in {line!r}: {name} is written {FUNCTIONS[name]}")
            return 1 + max(check_node(each, line, names) for each in arguments)
        case ast.Call(func=ast.Name(id=name)) if name not in FUNCTIONS:
            raise ConfigError(f"in {line!r}: there is no function {name!r}; {suggest(name, FUNCTIONS)}")
    part = ast.get_source_segment(line, node) or line
    raise ConfigError(f"in {line!r}: {part!r} is not allowed in an expression; {HELP}")


def is_field_name(name: str) -> bool:
    """Whether an expression could use a field of this name."""
    try:
        formula = parse_expression(name)
    except ConfigError:
        return False
    return isinstance(formula.body, ast.Name) and formula.body.id == name
