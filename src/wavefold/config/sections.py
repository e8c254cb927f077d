"""What all sections share, and those that mirror parts of the solver: heuristics, search and budget.

A test compares their keys and defaults with those of the solver, so that no option is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from wavefold.errors import ConfigError, WavefoldError, suggest

Factor = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=1)]


class ConfigSection(BaseModel):
    """A table with fixed keys. `true` is not a number, and 1.0 is not a whole number."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


@contextmanager
def refuse_values(prefix: str = "") -> Iterator[None]:
    """Turn errors of the library into those that Pydantic collects."""
    try:
        yield
    except WavefoldError as error:
        raise ValueError(f"{prefix}{error}") from None


class SolverSection(ConfigSection):
    """A section with the options of a part of the solver, which itself checks each value."""

    check_value: ClassVar[Callable[[str, Any], object]]

    @field_validator("*", mode="after")
    @classmethod
    def _check_accepted(cls, value: Any, info: ValidationInfo) -> Any:
        with refuse_values():
            cls.check_value(str(info.field_name), value)
        return value


def check_heuristics(name: str, value: Any) -> object:
    """Raise unless `wf.Heuristics` takes this."""
    from wavefold.solver.heuristics import Heuristics, find_choice

    if name == "order":
        return value == "auto" or Heuristics.of(value)
    if name == "choice":
        return find_choice(value)
    return None if name == "influence" else Heuristics(**{name: value})


class HeuristicsSection(SolverSection):
    """Which cell is decided next, and which tile it becomes: the options of `wf.Heuristics`."""

    check_value = check_heuristics

    order: str = Field(
        title="Order of cells",
        examples=["auto", "entropy", "domain", "both", "score", "scanline", "spiral", "random"],
        default="auto",
        description='which cell next: `"auto"` (by entropy, or by rows where that is easier), `"entropy"`, '
        '`"domain"`, `"both"`, `"score"`, `"scanline"`, `"scanline:southeast"`, `"spiral"`, `"random"`, '
        "or one that `wavefold plugins` lists",
    )
    corner: Literal["northwest", "northeast", "southwest", "southeast"] = Field(
        title="Where rows start", default="northwest", description='where `"scanline"` starts'
    )
    ties: str = Field(
        title="Among equal cells",
        examples=["random", "scanline", "spiral"],
        default="random",
        description='which of equal cells comes first: `"random"`, `"scanline"` or `"spiral"`',
    )
    most_constraining: bool = Field(
        title="Prefer crowded places",
        default=False,
        description='with `"both"`: among equals, the cell with most undecided neighbours',
    )
    most_constraining_alone: bool = Field(
        title="… with one criterion, too", default=False, description="… and with a single criterion, too"
    )
    central: bool = Field(
        title="Prefer the middle", default=False, description="among equals, the cell nearest to the centre"
    )
    soft_constraining: float = Field(
        title="Chance of a crowded place",
        default=0.0,
        description="0 to 1: how often one of the equals is drawn instead, by its undecided neighbours",
    )
    shortlist: int = Field(
        title="Equal cells compared",
        default=32,
        description="how many equal cells are compared at most, 1 to 1024",
    )
    domain_factor: float = Field(
        title="Weight of the number of tiles left",
        default=1.0,
        description='what `"score"` multiplies the number of patterns by',
    )
    entropy_factor: float = Field(
        title="Weight of the entropy", default=1.0, description='what `"score"` multiplies the entropy by'
    )
    degree: float = Field(
        title="Stay beside what is decided",
        default=0.0,
        description="added to a cell's key for each neighbour that is decided or missing",
    )
    bias: float = Field(
        title="Strength of the influence",
        default=0.0,
        description="the key is multiplied by `1 + bias * influence`",
    )
    influence: str | None = Field(
        title="Influence", default=None, description="for `bias`: a field, or an expression of fields"
    )
    perimeter: float = Field(
        title="Edge first or last",
        default=0.0,
        description="the key of cells at the edge is multiplied by `1 + perimeter`: above 0 the interior "
        "comes first, below 0 the edge",
    )
    choice: str | None = Field(
        title="Choice of tiles",
        examples=["weighted", "heaviest", "even", "matching"],
        default=None,
        description='which tile, by name, before the keys below: `"weighted"`, `"heaviest"`, `"even"`, '
        '`"matching"`, or one that `wavefold plugins` lists',
    )
    pick: str = Field(
        title="Draw a tile",
        examples=["weighted", "heaviest"],
        default="weighted",
        description='which tile: `"weighted"` (drawn by weight) or `"heaviest"`',
    )
    match_neighbours: bool = Field(
        title="Like the neighbours",
        default=False,
        description="multiply weights by `match_base + match_boost * neighbours of the same tile`",
    )
    match_base: float = Field(title="… at least", default=1.0, description="the first number of that formula")
    match_boost: float = Field(title="… and for each neighbour", default=3.0, description="the second")
    uniform_pick_fraction: float = Field(
        title="Draw evenly", default=0.0, description="0 draws by weight, 1 evenly, between them a blend"
    )
    local_share: float = Field(
        title="Balance the tiles",
        default=1.0,
        description="below 1, tiles that are used more often than their weight suggests become rarer",
    )
    caps: dict[str, Factor] = Field(
        title="Most cells of a tile",
        default={},
        description="`{tile = most cells it should take}`; a share of all cells if below 1",
    )
    priors: dict[str, Annotated[int, Field(ge=0)]] = Field(
        title="Cells of earlier maps",
        default={},
        description="`{tile = cells of earlier maps}`: tiles behind their share come more often",
    )


def check_search(name: str, value: Any) -> object:
    """Raise unless `wf.Ladder` takes this."""
    from wavefold.solver.search.ladder import Ladder, find_ladder

    return find_ladder(value) if name == "ladder" else Ladder(**{name: value})


class SearchSection(SolverSection):
    """What to do at a dead end: a ladder by name, and the options of `wf.Ladder` to change it."""

    check_value = check_search

    ladder: str = Field(
        title="At a dead end",
        examples=["auto", "backtrack", "backjump", "repair", "witness", "restart", "exact", "sat"],
        default="auto",
        description='`"auto"`, `"backtrack"`, `"backjump"`, `"repair"`, `"witness"`, `"restart"`, `"exact"` '
        'or `"sat"`; the keys below start with its values',
    )
    patience: int = Field(
        title="Patience",
        default=24,
        description="conflicts without progress before the next rung; -1: unlimited",
    )
    jumps: int = Field(title="Jumps back", default=2, description="jumps back in one attempt")
    repairs: int = Field(title="Local repairs", default=64, description="local repairs in one attempt")
    repairs_per_cell: float = Field(
        title="… and for each cell", default=0.25, description="this many more for each cell of the map"
    )
    radius: int = Field(
        title="Radius of a repair", default=2, description="radius of the first local repair, in cells"
    )
    witness: int = Field(
        title="Repeat known tiles after",
        default=8,
        description="decisions per cell after which tiles that repeat are laid out and solved again in "
        "windows; 0: at once, -1: never",
    )
    restarts: int = Field(
        title="Attempts from the beginning", default=8, description="attempts with the next seed of the chain"
    )
    exact: bool = Field(
        title="Search all possibilities last",
        default=True,
        description="whether to end with complete search, which may prove that nothing exists",
    )

    @model_validator(mode="before")
    @classmethod
    def _start_with_ladder(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("ladder", "auto") == "auto":
            return data
        from wavefold.solver.search.ladder import SEARCHES

        name = data["ladder"]
        named = asdict(SEARCHES[name]) if isinstance(name, str) and name in SEARCHES else {}
        return named | data


def check_budget(name: str, value: Any) -> object:
    """Raise unless `wf.Budget` takes this."""
    from wavefold.solver import Budget

    return Budget(**{name: value})


class BudgetSection(SolverSection):
    """When to give up: the limits of `wf.Budget`. Without any: 100,000 decisions and 200 per cell."""

    check_value = check_budget

    ms: float | None = Field(
        title="Time, in milliseconds",
        default=None,
        description="milliseconds; they may stop work early, but never change a map",
    )
    decisions: int | None = Field(
        title="Decisions", default=None, description="decisions, undone or not; the same on every machine"
    )
    backtracks: int | None = Field(
        title="Steps back", default=None, description="decisions undone; the same on every machine"
    )


# --- budgets as people write them: "50ms", "10000", "2s, 500 backtracks" --------------------------------

NO_LIMIT = "unlimited"
ENDLESS = 10**18  # decisions; in a configuration, no value would mean the default budget
LONGEST_SHOWN = 60  # characters
LIMITS = ("ms", "decisions", "backtracks")
AMOUNT = re.compile(r"([0-9][0-9_]{0,17}(?:\.[0-9]{1,9})?)\s*([A-Za-z]*)")
UNITS: dict[str, tuple[str, int]] = {  # what a unit counts, and how many of it
    "": ("decisions", 1),
    "ms": ("ms", 1),
    "s": ("ms", 1_000),
    "min": ("ms", 60_000),
    "decision": ("decisions", 1),
    "decisions": ("decisions", 1),
    "backtrack": ("backtracks", 1),
    "backtracks": ("backtracks", 1),
}
EXPECTED = "write a time such as 50ms, 2s or 1min, a number of decisions, or several, separated by commas"


def parse_limits(text: str) -> dict[str, float | int | None]:
    """The limits a text names, by their names in `Budget`; None for those it does not name."""
    limits: dict[str, float | int | None] = dict.fromkeys(LIMITS)
    if text.strip() == NO_LIMIT:
        return limits | {"decisions": ENDLESS}
    for part in text.split(","):
        name, amount = parse_limit(part.strip(), text)
        if limits[name] is not None:
            what = "a time" if name == "ms" else name
            raise ConfigError(f"the budget {text!r} names {what} twice; keep one of them")
        limits[name] = amount
    return limits


def parse_limit(part: str, text: str) -> tuple[str, float | int]:
    """The name and the amount of one limit."""
    found = AMOUNT.fullmatch(part)
    if found is None:
        shown = text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"
        raise ConfigError(f"{shown!r} is not a budget: {EXPECTED}")
    digits, unit = found[1], found[2]
    if unit.lower() not in UNITS:
        raise ConfigError(
            f"the budget {text!r} has an unknown unit {unit!r}; {suggest(unit, filter(None, UNITS))}"
        )
    name, times = UNITS[unit.lower()]
    if name == "ms":
        if not float(digits):
            raise ConfigError(f"the budget {text!r} allows no time at all; {EXPECTED}")
        return name, float(digits) * times
    if "." in digits:
        raise ConfigError(f"the budget {text!r} has a fraction of {name}: {name} are whole numbers")
    return name, int(digits) * times
