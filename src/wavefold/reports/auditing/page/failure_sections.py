"""Sections about problems: dead ends, failures of trials, tiles that would help, lint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wavefold.render.html import Markup, concatenate, element, embed_image, figure, section
from wavefold.reports.auditing.advice import Suggestion
from wavefold.reports.auditing.corners import Hole
from wavefold.reports.auditing.page.figures import (
    ROOM,
    KindColours,
    draw_pattern,
    fold,
    plot_cell,
    plot_neighbours,
    shorten,
)
from wavefold.reports.auditing.report import Audit, scan_start
from wavefold.reports.auditing.side_kinds import SideKinds
from wavefold.reports.auditing.trials import Failure

SHOWN_AT_ONCE = 8  # figures; more are hidden until opened
FACES = ("up", "down")
NEIGHBOUR = 34  # pixels across a neighbour's picture


def rows_section(report: Audit, colours: KindColours) -> Markup:
    """Whether rows can be filled without a dead end; if not, the dead ends."""
    heading, verdict = "Row by row", report.sub_complete
    if verdict is None:
        return section(
            heading, "The set is too large to check whether rows can be filled without a dead end."
        )
    if verdict.holds:
        text = (
            f"Some pattern fits each of the {verdict.arising:,} combinations that can occur when a map is "
            f"filled row by row from the {scan_start(report)}: in that order no map of any size can fail."
        )
        return section(heading, text)
    text = (
        f"Filled row by row from the {scan_start(report)}, the best start, nothing fits {verdict.failing:,} "
        f"of the {verdict.arising:,} combinations that can occur. They may be rare; a solver looks ahead and "
        "avoids most of them."
    )
    kinds = SideKinds(report.tiles, strict=True)
    return section(heading, text, panels([hole_figure(kinds, hole, colours) for hole in verdict.holes]))


def hole_figure(kinds: SideKinds, hole: Hole, colours: KindColours) -> Markup:
    """A combination that nothing fits, and the pattern that comes closest."""
    caption: list[object] = ["Nothing fits."]
    if len(hole.sides) > 1:
        nearest = element("code", hole.nearest)
        caption = ["Nothing fits. Closest: ", nearest, f", except for its {hole.missing} side."]
    required = dict(zip(hole.sides, hole.kinds, strict=True))
    return figure(kinds_plot(kinds, required, colours), *caption)


def kinds_plot(kinds: SideKinds, required: Mapping[str, str], colours: KindColours) -> Markup:
    """A cell and what its neighbours {side: kind} require, as coloured sides; or pictures of neighbours."""
    tiles = kinds.tiles
    if not kinds.has_sockets and not any(face in tiles.directions for face in FACES):
        plot = plot_neighbours(tiles.directions, example_pictures(kinds, required))
    elif all(has_room(side, kind) for side, kind in required.items()):
        return plot_cell(tiles.directions, required, colours, required)
    else:
        plot = plot_cell(tiles.directions, required, colours, {})
    lines = [element("small", element("b", f"{side} "), kind) for side, kind in required.items()]
    return concatenate([plot, *lines])


def has_room(side: str, kind: str) -> bool:
    """Whether a kind can be written beside its side; the faces above and below have no such place."""
    return side not in FACES and len(shorten(kind, 99)) <= ROOM


def example_pictures(kinds: SideKinds, required: Mapping[str, str]) -> dict[str, str]:
    """{direction: data URI} of some neighbour that requires this kind."""
    tiles = kinds.tiles
    found = {}
    for direction, kind in required.items():
        side = tiles.directions.index(direction)
        neighbours = np.flatnonzero(kinds.kind_of[side] == kinds.labels[side].index(kind))
        found[direction] = embed_image(draw_pattern(tiles, int(neighbours[0])), NEIGHBOUR)
    return found


def failures_section(report: Audit, colours: KindColours) -> Markup:
    """The neighbourhoods in which contradictions occurred."""
    seen = report.failures
    heading = "Where maps failed"
    if not seen.contradictions:
        text = f"Plain backtracking solved {seen.maps} maps without a single contradiction."
        return section(heading, text)
    text = (
        f"{seen.contradictions:,} contradictions in {seen.maps} maps solved by plain backtracking, "
        f"{seen.at_impossible_corners:,} of them where neighbours required what no pattern has."
    )
    kinds = SideKinds(report.tiles)
    figures = [
        figure(
            kinds_plot(kinds, dict(failure.asked), colours),
            element("b", format_times(failure.times)),
            f": {describe_cause(report, failure)}",
        )
        for failure in seen.common
    ]
    return section(heading, text, panels(figures))


def format_times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def describe_cause(report: Audit, failure: Failure) -> str:
    """The cause of a contradiction, as far as the neighbours show it."""
    if failure.known:
        return "an impossible corner"
    if not failure.asked:
        return "no neighbour was decided yet"
    if len(failure.asked) == len(report.tiles.directions) and any(tile.apart for tile in report.tiles.tiles):
        return "what fits may not touch its own kind"
    return "nothing that fits these sides fits the other ones"


def suggestions_section(report: Audit, colours: KindColours) -> Markup:
    """New tiles that would fill most failing corners."""
    if not report.suggestions:
        return Markup()
    text = (
        "New tiles, in all orientations, and how many of the possible corners that no pattern fits they "
        "would fill, counted with the tile added to the set. The audit checks sockets only; the looks of a "
        "tile are up to its author."
    )
    figures = [suggestion_figure(report, each, colours) for each in report.suggestions]
    return section("Tiles that would help", text, panels(figures))


def suggestion_figure(report: Audit, suggestion: Suggestion, colours: KindColours) -> Markup:
    """A suggested tile, shown by its sockets."""
    compass = report.tiles.directions
    sockets = dict(zip(compass, suggestion.sockets, strict=True))
    names = dict(zip(compass, suggestion.sides, strict=True))
    faces = [element("small", element("b", f"{side} "), names[side]) for side in compass if side in FACES]
    return figure(
        concatenate([plot_cell(compass, sockets, colours, names), *faces]),
        element("b", f"fills {suggestion.fills:,}"),
        f" of {suggestion.failing_before:,} corners; {suggestion.failing_after:,} remain",
    )


def panels(figures: Sequence[Markup]) -> Markup:
    """Side by side, the first few visible at once."""
    return fold(figures, SHOWN_AT_ONCE, lambda some: element("div", *some, class_="suggested"))


def lint_section(report: Audit) -> Markup:
    """What looks like a mistake in the tile set."""
    if not report.doubts:
        return Markup()
    items = [element("li", each) for each in report.doubts]
    shown = fold(items, SHOWN_AT_ONCE, lambda some: element("ul", *some))
    return section("What looks like a mistake", shown)
