"""One declaration per option: a field `name: Annotated[type, Option(...)] = default` of a frozen dataclass.

Configuration files, environment variables, flags of commands, bodies of requests and the tables of the
documentation are derived from it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import reduce
from math import isfinite
from numbers import Integral, Real
from operator import or_
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from wavefold.errors import ConfigError, suggest

Group = TypeVar("Group", bound=type)

LARGEST_EXACT = 1 << 53  # of whole numbers in JSON
_SCALARS = (bool, int, float, str)
EXPECTED: dict[Any, str] = {
    bool: "True or False", int: "a whole number", float: "a number", str: "text", Callable: "a function",
    Mapping: "a dict",
}  # fmt: skip
_groups: dict[type, tuple[DeclaredOption, ...]] = {}


@dataclass(frozen=True)
class Option:
    """What a type and a default do not say about an option.

    help : a sentence without capital letter and full stop; values are written `"auto"`
    title : its label in forms; its name if empty
    low, high : bounds of a number, or of each number in a mapping
    key : its key in files, such as "search.ladder", if that is not its group and name
    plain : its type in files and requests, if it differs from the annotation
    plugins : the kind of plug-ins whose names are values, too
    unset : what applies without a value, or what the default means
    files : what only applies to files, such as the syntax in TOML
    flag : its flag, such as "--periodic/--open", if that is not its name
    metavar : what stands for its value in the help of commands
    """

    help: str
    title: str = ""
    low: float | None = None
    high: float | None = None
    key: str = ""
    plain: Any = None
    plugins: str = ""
    unset: str = ""
    files: str = ""
    flag: str = ""
    metavar: str | None = None

    @property
    def bounds(self) -> dict[str, float]:
        """The bounds as JSON Schema names them, without those beyond what JSON writes exactly."""
        ends = {"minimum": self.low, "maximum": self.high}
        return {name: end for name, end in ends.items() if end is not None and abs(end) < LARGEST_EXACT}

    def allows(self, number: float) -> bool:
        """Whether a number is within the bounds."""
        return (self.low is None or self.low <= number) and (self.high is None or number <= self.high)


def format_range(low: float | None, high: float | None) -> str:
    """Bounds for messages, " from 0 to 1", without those beyond what JSON writes exactly."""
    ends = {word: end for word, end in (("from", low), ("to", high)) if end is not None}
    exact = {word: f"{end:,}".removesuffix(".0") for word, end in ends.items() if abs(end) < LARGEST_EXACT}
    return "".join(f" {word} {end}" for word, end in exact.items())


class DeclaredOption(NamedTuple):
    """An option with its place, type and default."""

    section: str
    key: str
    name: str  # of the argument in Python
    hint: Any
    default: Any
    option: Option

    @property
    def parts(self) -> tuple[Any, ...]:
        """The members of its union, or its only type."""
        return get_args(self.hint) if get_origin(self.hint) in (Union, UnionType) else (self.hint,)

    @property
    def names(self) -> tuple[Any, ...]:
        """The values that its type lists."""
        return tuple(name for part in self.parts if get_origin(part) is Literal for name in get_args(part))

    @property
    def description(self) -> str:
        """Its help, and what applies without a value."""
        start = "if not set, " if self.default is None else f'`"{self.default}"`: '
        return self.option.help + (f"; {start}{self.option.unset}" if self.option.unset else "")

    @property
    def flag(self) -> str:
        """Its flag: "--tile-size", or "--wrap/--no-wrap" for a bool."""
        name = self.name.replace("_", "-")
        return self.option.flag or (f"--{name}/--no-{name}" if bool in self.parts else f"--{name}")

    @property
    def _range(self) -> str:
        """Its bounds, for messages: " from 0 to 1"."""
        return format_range(self.option.low, self.option.high)

    def check(self, value: Any, group: str = "") -> None:
        """Raise `ConfigError` for a value that its type or bounds do not allow.

        group : what precedes its name in the message
        """
        if any(self._fits(part, value) for part in self.parts):
            return
        from wavefold.options.values import shorten  # with NumPy, which help of commands does without

        if self.names and isinstance(value, str) and not {int, float}.intersection(self.parts):
            raise ConfigError(f"unknown {group}{self.name} {value!r}; {suggest(value, self.names)}")
        allowed = [
            EXPECTED[part] + self._range * (part in (int, float)) for part in self.parts if part in EXPECTED
        ]
        allowed += [EXPECTED[get_origin(part)] for part in self.parts if get_origin(part) in EXPECTED]
        allowed += [f"one of {', '.join(self.names)}"] if len(self.names) > 3 else map(repr, self.names)
        raise ConfigError(f"{group}{self.name} must be {' or '.join(allowed)}, not {shorten(value)}")

    def _fits(self, part: Any, value: Any) -> bool:
        """Whether a member of the type allows a value; True is no number, and 1.0 no whole number."""
        is_flag = type(value).__name__ in ("bool", "bool_")  # NumPy's, too
        if part in (int, float):
            is_number = isinstance(value, Integral if part is int else Real) and not is_flag
            in_float = part is int or (is_number and is_finite(value))
            return is_number and in_float and self.option.allows(value)
        if get_origin(part) is Literal:
            return any(type(value) is type(name) and value == name for name in get_args(part))
        if get_origin(part) is Callable:
            return callable(value) and not isinstance(value, type)
        if part is bool:
            return is_flag
        kind = get_origin(part) or part
        return isinstance(value, kind) if isinstance(kind, type) else True


def is_finite(value: Real) -> bool:
    """Whether a number is one that a float can represent: not infinite, and not too large."""
    try:
        return isfinite(value)
    except OverflowError:
        return False


def option_group(section: str) -> Callable[[Group], Group]:
    """Register a dataclass whose fields declare options, for the keys of this section of files.

    Signatures and help then show the types of its arguments alone.
    """

    def register(cls: Group) -> Group:
        hints = get_type_hints(cls, include_extras=True)
        declared = []
        for each in fields(cls):
            hint, option = get_args(hints[each.name])[:2]
            table, _, key = option.key.rpartition(".")
            default = each.default if each.default_factory is MISSING else each.default_factory()
            declared.append(
                DeclaredOption(table or section, key or each.name, each.name, hint, default, option)
            )
        _groups[cls] = tuple(declared)
        arguments = vars(cls)["__init__"].__annotations__
        arguments |= {each.name: _strip_option(arguments[each.name]) for each in fields(cls)}
        return cls

    return register


def _strip_option(annotation: str) -> str:
    """`float` of `Annotated[float, Option(...)]`."""
    return ast.unparse(ast.parse(annotation, mode="eval").body.slice.elts[0])  # type: ignore[attr-defined]


def list_options(cls: type) -> tuple[DeclaredOption, ...]:
    """The options that a registered dataclass declares, in its order."""
    return _groups[cls]


def find_option(cls: type, name: str) -> DeclaredOption:
    """The option of this name."""
    return next(each for each in _groups[cls] if each.name == name)


def find_declaration(section: str, key: str) -> DeclaredOption | None:
    """The option with this key in files, of all registered groups."""
    declared = (each for group in _groups.values() for each in group)
    return next((each for each in declared if (each.section, each.key) == (section, key)), None)


def check_options(group: Any, called: str = "") -> None:
    """Raise `ConfigError` for the first value that its declaration does not allow; for `__post_init__`.

    called : what precedes the name of the option in the message
    """
    for each in _groups.get(type(group), ()):
        if (value := getattr(group, each.name)) is not each.default:
            each.check(value, called)


def plain_type(declared: DeclaredOption) -> Any:
    """The type of an option in files and requests, which JSON can express."""
    if declared.option.plain is not None:
        return declared.option.plain
    parts = declared.parts
    plain = [part for part in parts if part in (*_SCALARS, NoneType) or get_origin(part) in (tuple, dict)]
    plain += [part for part in parts if get_origin(part) is Literal and str not in parts]
    plain += [dict[get_args(part)] for part in parts if get_origin(part) is Mapping]  # type: ignore[misc]
    return reduce(or_, plain)
