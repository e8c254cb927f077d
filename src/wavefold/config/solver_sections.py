"""The sections that mirror parts of the solver: heuristics, search and budget.

A test compares their keys and defaults with those of the solver, so that no option is missing.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Literal

from pydantic import Field, model_validator

from wavefold.config.sections import Factor, SolverSection


def check_heuristics(name: str, value: Any) -> object:
    """Raise unless `wf.Heuristics` takes this."""
    from wavefold.solver import Heuristics

    if name == "order":
        return value == "auto" or Heuristics.of(value)
    return None if name == "influence" else Heuristics(**{name: value})


class HeuristicsSection(SolverSection):
    """Which cell is decided next, and which tile it becomes: the options of `wf.Heuristics`."""

    check_value = check_heuristics

    order: str = Field(
        default="auto",
        description='which cell next: `"auto"` (a short race decides), `"entropy"`, `"domain"`, `"both"`, '
        '`"score"`, `"scanline"`, `"scanline:southeast"`, `"spiral"` or `"random"`',
    )
    corner: Literal["northwest", "northeast", "southwest", "southeast"] = Field(
        default="northwest", description='where `"scanline"` starts'
    )
    ties: str = Field(
        default="random",
        description='which of equal cells comes first: `"random"`, `"scanline"` or `"spiral"`',
    )
    most_constraining: bool = Field(
        default=False, description='with `"both"`: among equals, the cell with most undecided neighbours'
    )
    most_constraining_alone: bool = Field(default=False, description="… and with a single criterion, too")
    central: bool = Field(default=False, description="among equals, the cell nearest to the centre")
    shortlist: int = Field(default=32, description="how many equal cells are compared at most, 1 to 1024")
    domain_factor: float = Field(
        default=1.0, description='what `"score"` multiplies the number of patterns by'
    )
    entropy_factor: float = Field(default=1.0, description='what `"score"` multiplies the entropy by')
    degree: float = Field(
        default=0.0, description="added to a cell's key for each neighbour that is decided or missing"
    )
    bias: float = Field(default=0.0, description="the key is multiplied by `1 + bias * influence`")
    influence: str | None = Field(default=None, description="for `bias`: a field, or an expression of fields")
    perimeter: float = Field(
        default=0.0,
        description="the key of cells at the edge is multiplied by `1 + perimeter`: above 0 the interior "
        "comes first, below 0 the edge",
    )
    pick: str = Field(
        default="weighted", description='which tile: `"weighted"` (drawn by weight) or `"heaviest"`'
    )
    match_neighbours: bool = Field(
        default=False,
        description="multiply weights by `match_base + match_boost * neighbours of the same tile`",
    )
    match_base: float = Field(default=1.0, description="the first number of that formula")
    match_boost: float = Field(default=3.0, description="the second")
    uniform_pick_fraction: float = Field(
        default=0.0, description="0 draws by weight, 1 evenly, between them a blend"
    )
    local_share: float = Field(
        default=1.0,
        description="below 1, tiles that are used more often than their weight suggests become rarer",
    )
    caps: dict[str, Factor] = Field(
        default={}, description="`{tile = most cells it should take}`; a share of all cells if below 1"
    )


def check_search(name: str, value: Any) -> object:
    """Raise unless `wf.Ladder` takes this."""
    from wavefold.solver.search.ladder import Ladder, find_ladder

    return find_ladder(value) if name == "ladder" else Ladder(**{name: value})


class SearchSection(SolverSection):
    """What to do at a dead end: a ladder by name, and the options of `wf.Ladder` to change it."""

    check_value = check_search

    ladder: str = Field(
        default="auto",
        description='`"auto"`, `"backtrack"`, `"backjump"`, `"repair"`, `"restart"`, `"exact"` or `"sat"`; '
        "the keys below start with its values",
    )
    patience: int = Field(
        default=24, description="conflicts without progress before the next rung; -1: unlimited"
    )
    jumps: int = Field(default=2, description="jumps back in one attempt")
    repairs: int = Field(default=64, description="local repairs in one attempt")
    repairs_per_cell: float = Field(default=0.25, description="this many more for each cell of the map")
    radius: int = Field(default=2, description="radius of the first local repair, in cells")
    restarts: int = Field(default=8, description="attempts with the next seed of the chain")
    exact: bool = Field(
        default=True, description="whether to end with complete search, which may prove that nothing exists"
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
        default=None, description="milliseconds; they may stop work early, but never change a map"
    )
    decisions: int | None = Field(
        default=None, description="decisions, undone or not; the same on every machine"
    )
    backtracks: int | None = Field(default=None, description="decisions undone; the same on every machine")
