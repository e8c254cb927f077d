"""Expressions of noise: sums, products and limits. The repr of an expression is code that creates it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Real
from operator import add, mul, sub
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.options.option import is_finite
from wavefold.topology.base import set_frozen

FieldValues: TypeAlias = NDArray[np.float64]  # one value per place, in any shape
MOST_NESTED = 200  # repr and sampling are recursive
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}


class Expression(ABC):
    """A value at every place of the plane and of space, the same on every machine.

    Expressions and numbers can be added, subtracted and multiplied; `-e`, `abs(e)`, `e.clamp(low, high)`
    and `e.rescaled(low, high)` are expressions, too. Expressions are immutable; those with the same repr are
    equal.
    """

    __array_ufunc__ = None  # array + expression is an error, not an array of expressions
    depth = 0  # levels of nested expressions

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest possible value."""

    @abstractmethod
    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        """The values at places, given as one array per axis."""

    def sample(self, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None) -> FieldValues:
        """The values at any places, float64 in the broadcast shape of the arguments."""
        return self.values(read_axes(x, y) if z is None else read_axes(x, y, z))

    def clamp(self, low: float, high: float) -> Expression:
        """Limit values to the range from `low` to `high`."""
        return Clamped(self, low, high)

    def rescaled(self, low: float, high: float) -> Expression:
        """Map values linearly from `bounds` to the range from `low` to `high`."""
        return Rescaled(self, low, high)

    def __add__(self, other: object) -> Expression:
        return combine("+", self, other)

    def __radd__(self, other: object) -> Expression:
        return combine("+", other, self)

    def __sub__(self, other: object) -> Expression:
        return combine("-", self, other)

    def __rsub__(self, other: object) -> Expression:
        return combine("-", other, self)

    def __mul__(self, other: object) -> Expression:
        return combine("*", self, other)

    def __rmul__(self, other: object) -> Expression:
        return combine("*", other, self)

    def __neg__(self) -> Expression:
        return combine("*", -1.0, self)

    def __abs__(self) -> Expression:
        return Absolute(self)


@dataclass(frozen=True, repr=False)
class Constant(Expression):
    """The same number everywhere."""

    amount: float

    def __post_init__(self) -> None:
        set_frozen(self, amount=parse_number("a value", self.amount))

    @property
    def bounds(self) -> tuple[float, float]:
        return self.amount, self.amount

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        return np.full(axes[0].shape, self.amount)

    def __repr__(self) -> str:
        return repr(self.amount)


@dataclass(frozen=True, repr=False)
class Combined(Expression):
    """The sum, difference or product of two expressions."""

    sign: str  # + - *
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        set_depth(self, self.left, self.right)

    @property
    def bounds(self) -> tuple[float, float]:
        # Each operation is monotonic in either argument, so the extremes are at the bounds.
        lefts, rights = self.left.bounds, self.right.bounds
        ends = [OPERATIONS[self.sign](left, right) for left in lefts for right in rights]
        return min(ends), max(ends)

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        return OPERATIONS[self.sign](self.left.values(axes), self.right.values(axes))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        left, right = repr(self.left), repr(self.right)
        if self.sign == "*" and is_sum(self.left):
            left = f"({left})"
        # Also after "+": a + (b + c) is rounded differently from a + b + c, so its repr must differ.
        if is_sum(self.right) or (self.sign == "*" and isinstance(self.right, Combined)):
            right = f"({right})"
        return f"{left} {self.sign} {right}"


@dataclass(frozen=True, repr=False)
class Limited(Expression):
    """An expression limited to a range by a method of `Expression`."""

    of: Expression
    low: float
    high: float

    method: ClassVar[str]

    def __post_init__(self) -> None:
        low, high = (parse_number(f"{self.method}: {end}", getattr(self, end)) for end in ("low", "high"))
        if low > high:
            raise ConfigError(f"{self.method}: low must not exceed high, but they are {low:g} and {high:g}")
        set_frozen(self, low=low, high=high)
        set_depth(self, self.of)

    def __repr__(self) -> str:
        brackets = isinstance(self.of, Combined | Constant)
        inner = f"({self.of!r})" if brackets else repr(self.of)
        return f"{inner}.{self.method}({self.low!r}, {self.high!r})"


class Clamped(Limited):
    """An expression with values outside of the range replaced by the nearer limit."""

    method = "clamp"

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = self.of.bounds
        return min(max(low, self.low), self.high), min(max(high, self.low), self.high)

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        return np.clip(self.of.values(axes), self.low, self.high)


class Rescaled(Limited):
    """An expression mapped linearly from its bounds to the range."""

    method = "rescaled"

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = self.of.bounds
        if not low < high:
            raise ConfigError(f"rescaled: {self.of!r} is {low:g} everywhere")

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        low, high = self.of.bounds
        share = (self.of.values(axes) - low) / (high - low)
        return np.clip(self.low + share * (self.high - self.low), self.low, self.high)  # rounding may exceed


@dataclass(frozen=True, repr=False)
class Absolute(Expression):
    """The absolute value of an expression."""

    of: Expression

    def __post_init__(self) -> None:
        set_depth(self, self.of)

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = self.of.bounds
        return max(low, -high, 0.0), max(-low, high)

    def values(self, axes: Sequence[FieldValues]) -> FieldValues:
        return np.abs(self.of.values(axes))

    def __repr__(self) -> str:
        return f"abs({self.of!r})"


def combine(sign: str, left: object, right: object) -> Expression:
    """Combine two expressions, or an expression and a number."""
    sides = [
        Constant(float(side)) if isinstance(side, Real) and not isinstance(side, bool) else side
        for side in (left, right)
    ]
    if not all(isinstance(side, Expression) for side in sides):
        return NotImplemented  # type: ignore[no-any-return]
    return Combined(sign, *sides)  # type: ignore[arg-type]


def set_depth(outer: Expression, *inner: Expression) -> None:
    """Set the depth of an expression. Raises ConfigError beyond `MOST_NESTED`."""
    depth = 1 + max(each.depth for each in inner)
    if depth > MOST_NESTED:
        raise ConfigError(
            f"an expression is nested more than {MOST_NESTED} levels deep; split long sums into halves, or "
            "use an array for a part"
        )
    set_frozen(outer, depth=depth)


def is_sum(each: Expression) -> bool:
    """Whether an expression is a sum or difference, which needs brackets in a product."""
    return isinstance(each, Combined) and each.sign != "*"


def parse_number(name: str, value: object) -> float:
    """Return a finite number. Raises ConfigError otherwise."""
    if not isinstance(value, Real) or isinstance(value, bool) or not is_finite(value):
        raise ConfigError(f"{name} must be a finite number, not {value!r}")
    return float(value)


def read_axes(*axes: ArrayLike) -> tuple[FieldValues, ...]:
    """Broadcast one array or number per axis to a common shape."""
    try:
        return np.broadcast_arrays(*(np.asarray(axis, np.float64) for axis in axes))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"places must be numbers or arrays of one shape: {error}") from None
