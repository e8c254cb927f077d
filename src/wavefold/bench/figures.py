"""Figures: what was measured, the goal it is held against, and tables of them."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any

from rich.table import Table
from rich.text import Text

COMPARISONS = {"<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. A goal is written as a comparison: "<= 1.05", ">= 3", "= 0"."""

    name: str
    value: float
    unit: str
    goal: str
    how: str

    @property
    def met(self) -> bool | None:
        """Whether the goal was reached; None without a goal."""
        if not self.goal:
            return None
        comparison, limit = self.goal.split()
        return bool(COMPARISONS[comparison](self.value, float(limit)))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "name": self.name,
            "value": self.value if isfinite(self.value) else None,
            "unit": self.unit,
            "goal": self.goal or None,
            "met": self.met,
            "how": self.how,
        }

    def text(self) -> Text:
        """The number, and its goal with the verdict."""
        shown = Text(f"{format_number(self.value)} {self.unit}".rstrip())
        if self.met is not None:
            shown.append(
                f"\n{self.goal} {'met' if self.met else 'MISSED'}", "green" if self.met else "bold red"
            )
        return shown


@dataclass(slots=True)
class FigureSection:
    """A table of figures that were measured in one way, or the reason why there are none."""

    key: str
    title: str
    how: str
    remarks: list[str] = field(default_factory=list)
    skipped: str = ""
    _cells: dict[str, dict[str, Figure]] = field(default_factory=dict)  # row -> column -> figure

    def add(
        self, row: str, column: str, value: float, unit: str = "", goal: str = "", *, how: str = ""
    ) -> None:
        """Put a figure into a row and a column; both come into being when first named."""
        figure = Figure(f"{row}: {column}", float(value), unit, goal, how or self.how)
        self._cells.setdefault(row, {})[column] = figure

    @property
    def figures(self) -> list[Figure]:
        """All of them, row by row."""
        return [figure for cells in self._cells.values() for figure in cells.values()]

    def forget_goals(self) -> None:
        """Keep only what must hold at any size: goals of "= 0"."""
        for cells in self._cells.values():
            for column, figure in cells.items():
                cells[column] = replace(figure, goal=figure.goal if figure.goal == "= 0" else "")

    def skip(self, reason: str) -> FigureSection:
        """Leave the section out, and say why."""
        self.skipped = reason
        return self

    def table(self) -> Table:
        """The figures as a table for the terminal."""
        columns = list(dict.fromkeys(column for cells in self._cells.values() for column in cells))
        table = Table(title=self.title, caption=self.how, title_justify="left", caption_justify="left")
        table.add_column("")
        for column in columns:
            table.add_column(column, justify="right")
        for row, cells in self._cells.items():
            table.add_row(row, *(cells[each].text() if each in cells else "" for each in columns))
        return table

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {
            "section": self.key,
            "title": self.title,
            "skipped": self.skipped or None,
            "remarks": self.remarks,
            "figures": [figure.to_dict() for figure in self.figures],
        }


def format_number(value: float) -> str:
    """A number with about three digits that matter."""
    if not isfinite(value):
        return "none"
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
