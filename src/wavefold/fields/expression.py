"""Sums, products and limits of noise: small frozen values whose repr is the code that makes them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Real
from operator import add, mul, sub
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wavefold.errors import ConfigError
from wavefold.topology.base import set_frozen

Numbers: TypeAlias = NDArray[np.float64]
MOST_NESTED = 200  # printing and sampling recurse
OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}


class Expression(ABC):
    """A number at every place of the plane and of space, the same on every machine.

    Expressions and numbers can be added, subtracted and multiplied; `-e`, `abs(e)`, `e.clamp(low, high)`
    and `e.rescaled(low, high)` are expressions, too. All are frozen, and equal if their reprs are.
    """

    __array_ufunc__ = None  # array + expression is an error, not an array of expressions
    depth = 0  # levels of expressions inside this one

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest value possible."""

    @abstractmethod
    def values(self, axes: Sequence[Numbers]) -> Numbers:
        """The values at the places (x, y) or (x, y, z), given as one array per axis."""

    def sample(self, x: ArrayLike, y: ArrayLike, z: ArrayLike | None = None) -> Numbers:
        """The values at any places: float64 in the shape of the arrays (or numbers) given."""
        return self.values(read_axes(x, y) if z is None else read_axes(x, y, z))

    def clamp(self, low: float, high: float) -> Expression:
        """Values below `low` or above `high` replaced by these."""
        return Clamped(self, low, high)

    def rescaled(self, low: float, high: float) -> Expression:
        """Values stretched evenly from `bounds` to `low` … `high`."""
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

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        return np.full(axes[0].shape, self.amount)

    def __repr__(self) -> str:
        return repr(self.amount)


@dataclass(frozen=True, repr=False)
class Combined(Expression):
    """Two expressions with a sign between them."""

    sign: str  # + - *
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        set_depth(self, self.left, self.right)

    @property
    def bounds(self) -> tuple[float, float]:
        # Each operation is monotonous in either argument, so the extremes lie at ends.
        lefts, rights = self.left.bounds, self.right.bounds
        ends = [OPERATIONS[self.sign](left, right) for left in lefts for right in rights]
        return min(ends), max(ends)

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        return OPERATIONS[self.sign](self.left.values(axes), self.right.values(axes))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        left, right = repr(self.left), repr(self.right)
        if self.sign == "*" and is_sum(self.left):
            left = f"({left})"
        # Also after a plus: a + (b + c) rounds differently from a + b + c, so its repr must differ.
        if is_sum(self.right) or (self.sign == "*" and isinstance(self.right, Combined)):
            right = f"({right})"
        return f"{left} {self.sign} {right}"


@dataclass(frozen=True, repr=False)
class Limited(Expression):
    """An expression brought between two limits, by the method of this name."""

    of: Expression
    low: float
    high: float

    method: ClassVar[str]

    def __post_init__(self) -> None:
        low, high = (parse_number(f"{self.method}: {end}", getattr(self, end)) for end in ("low", "high"))
        if low > high:
            raise ConfigError(f"{self.method}: low is {low:g} and high is {high:g}; low comes first")
        set_frozen(self, low=low, high=high)
        set_depth(self, self.of)

    def __repr__(self) -> str:
        brackets = isinstance(self.of, Combined | Constant)
        inner = f"({self.of!r})" if brackets else repr(self.of)
        return f"{inner}.{self.method}({self.low!r}, {self.high!r})"


class Clamped(Limited):
    """Values outside two limits replaced by the nearer limit."""

    method = "clamp"

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = self.of.bounds
        return min(max(low, self.low), self.high), min(max(high, self.low), self.high)

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        return np.clip(self.of.values(axes), self.low, self.high)


class Rescaled(Limited):
    """Values stretched from their bounds to two new limits."""

    method = "rescaled"

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = self.of.bounds
        if not low < high:
            raise ConfigError(f"{self.of!r} is {low:g} everywhere and cannot be rescaled")

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        low, high = self.of.bounds
        share = (self.of.values(axes) - low) / (high - low)
        return np.clip(self.low + share * (self.high - self.low), self.low, self.high)  # rounding overshoots


@dataclass(frozen=True, repr=False)
class Absolute(Expression):
    """Distances from zero: valleys of noise become ridges."""

    of: Expression

    def __post_init__(self) -> None:
        set_depth(self, self.of)

    @property
    def bounds(self) -> tuple[float, float]:
        low, high = self.of.bounds
        return max(low, -high, 0.0), max(-low, high)

    def values(self, axes: Sequence[Numbers]) -> Numbers:
        return np.abs(self.of.values(axes))

    def __repr__(self) -> str:
        return f"abs({self.of!r})"


def combine(sign: str, left: object, right: object) -> Expression:
    """An expression of two others, or of one and a number."""
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
            f"an expression is nested more than {MOST_NESTED} deep; add long sums in halves, or give a part "
            "as an array"
        )
    set_frozen(outer, depth=depth)


def is_sum(each: Expression) -> bool:
    """Whether it needs brackets beside another sign."""
    return isinstance(each, Combined) and each.sign != "*"


def parse_number(name: str, value: object) -> float:
    """A finite number; raises ConfigError otherwise."""
    if not isinstance(value, Real) or isinstance(value, bool) or not isfinite(value):
        raise ConfigError(f"{name} must be a finite number; got {value!r}")
    return float(value)


def read_axes(*axes: ArrayLike) -> tuple[Numbers, ...]:
    """One array or number per axis, broadcast to one shape."""
    try:
        return np.broadcast_arrays(*(np.asarray(axis, np.float64) for axis in axes))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"places must be numbers or arrays of one shape: {error}") from None
