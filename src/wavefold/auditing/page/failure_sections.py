"""Parts of the page about what goes wrong: dead ends, real failures, tiles that would help, doubts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wavefold.auditing.corners import Hole
from wavefold.auditing.failures import Failure
from wavefold.auditing.page.images import pattern_image
from wavefold.auditing.page.plots import ROOM, KindColours, plot_cell, plot_neighbours, shorten
from wavefold.auditing.page.summary import scan_start
from wavefold.auditing.report import Audit
from wavefold.auditing.side_kinds import SideKinds
from wavefold.auditing.suggestions import Suggestion
from wavefold.render.html import Markup, concatenate, data_uri, details, element

SHOWN_AT_ONCE = 8  # drawings; the rest is folded
FACES = ("up", "down")
NEIGHBOUR = 34  # pixels across a neighbour's picture


def rows(report: Audit, colours: KindColours) -> Markup:
    """Whether rows can be filled without a dead end; if not, where they come to one."""
    heading, verdict = element("h2", "Row by row"), report.sub_complete
    if verdict is None:
        text = "The set is too large to tell whether rows can be filled without a dead end."
        return concatenate([heading, element("p", text)])
    if verdict.holds:
        text = (
            f"All {verdict.arising:,} combinations that can arise when a map is filled row by row from the "
            f"{scan_start(report)} are met by some pattern: in that order no map of any size can fail."
        )
        return concatenate([heading, element("p", text)])
    text = (
        f"Filled row by row from the {scan_start(report)}, the best place to start, {verdict.failing:,} of "
        f"{verdict.arising:,} combinations that can arise are met by nothing. They may be rare; a solver "
        "looks ahead and avoids most of them."
    )
    demands = SideKinds(report.tiles, strict=True)
    drawings = [hole_figure(demands, hole, colours) for hole in verdict.holes]
    return concatenate([heading, element("p", text), panels(drawings)])


def hole_figure(demands: SideKinds, hole: Hole, colours: KindColours) -> Markup:
    """A combination that nothing meets, and what comes nearest."""
    parts: list[object] = ["Nothing fits."]
    if len(hole.sides) > 1:
        near = element("code", hole.nearest)
        parts = ["Nothing fits; nearest is ", near, f", but for its {hole.missing} side."]
    asked = dict(zip(hole.sides, hole.kinds, strict=True))
    return element("figure", kinds_figure(demands, asked, colours), element("figcaption", *parts))


def kinds_figure(demands: SideKinds, asked: Mapping[str, str], colours: KindColours) -> Markup:
    """A cell and what its neighbours ask of it: as coloured sides, or without sockets as pictures of them."""
    tiles = demands.tiles
    has_sockets = all(tile.sockets is not None for tile in tiles.tiles)
    if not has_sockets and tiles.topology != "cube":
        shown = plot_neighbours(tiles.directions, example_pictures(demands, asked))
    elif all(has_room(side, kind) for side, kind in asked.items()):
        return plot_cell(tiles.directions, asked, colours, asked)
    else:
        shown = plot_cell(tiles.directions, asked, colours, {})
    lines = [element("small", element("b", f"{side} "), kind) for side, kind in asked.items()]
    return concatenate([shown, *lines])


def has_room(side: str, kind: str) -> bool:
    """Whether a kind can be written beside its side. Above and below there is no beside."""
    return side not in FACES and len(shorten(kind, 99)) <= ROOM


def example_pictures(demands: SideKinds, asked: Mapping[str, str]) -> dict[str, str]:
    """{direction: the address of a picture} of some neighbour that asks for this kind."""
    tiles = demands.tiles
    found = {}
    for direction, kind in asked.items():
        side = tiles.directions.index(direction)
        asking = np.flatnonzero(demands.kind_of[side] == demands.labels[side].index(kind))
        found[direction] = data_uri(pattern_image(tiles, int(asking[0])), NEIGHBOUR)
    return found


def failures(report: Audit, colours: KindColours) -> Markup:
    """The neighbourhoods in which contradictions happened."""
    seen = report.failures
    heading = element("h2", "Where maps really failed")
    if not seen.contradictions:
        text = f"In {seen.maps} maps made by plain backtracking there was not one contradiction."
        return concatenate([heading, element("p", text)])
    text = (
        f"Contradictions in {seen.maps} maps made by plain backtracking: {seen.contradictions:,}; "
        f"where neighbours asked for what nothing has: {seen.at_impossible_corners:,}."
    )
    demands = SideKinds(report.tiles)
    drawings = [
        element(
            "figure",
            kinds_figure(demands, dict(failure.asked), colours),
            element(
                "figcaption",
                element("b", format_times(failure.times)),
                f": {describe_cause(report, failure)}",
            ),
        )
        for failure in seen.common
    ]
    return concatenate([heading, element("p", text), panels(drawings)])


def format_times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def describe_cause(report: Audit, failure: Failure) -> str:
    """Why nothing was left, as far as the neighbours show it."""
    if failure.known:
        return "an impossible corner"
    if not failure.asked:
        return "no neighbour was decided yet"
    if len(failure.asked) == len(report.tiles.directions) and any(tile.apart for tile in report.tiles.tiles):
        return "what fits may not touch its own kind"
    return "the other sides had nothing left in common with these"


def suggestions(report: Audit, colours: KindColours) -> Markup:
    """New tiles that would fill most of what nothing fills."""
    if not report.suggestions:
        return Markup()
    text = (
        "New tiles, in all their turns, and how many of the corners that can arise and that nothing fills "
        "they would fill; counted anew with the tile in the set. The audit knows sockets, not pictures: "
        "whether a tile would look right is for its author to say."
    )
    drawings = [suggestion_figure(report, each, colours) for each in report.suggestions]
    return concatenate([element("h2", "Tiles that would help"), element("p", text), panels(drawings)])


def suggestion_figure(report: Audit, suggestion: Suggestion, colours: KindColours) -> Markup:
    """A tile that does not exist yet, as its sockets."""
    compass = report.tiles.directions
    sockets = dict(zip(compass, map(str, suggestion.sockets), strict=True))
    names = {
        side: f"{sockets[side]} +{rise}" if rise else sockets[side]
        for side, rise in zip(compass, suggestion.rises, strict=True)
    }
    caption = element(
        "figcaption",
        element("b", f"fills {suggestion.fills:,}"),
        f" of {suggestion.failing_before:,} corners; {suggestion.failing_after:,} are left",
    )
    faces = [element("small", element("b", f"{side} "), names[side]) for side in compass if side in FACES]
    return element("figure", plot_cell(compass, sockets, colours, names), *faces, caption)


def panels(drawings: Sequence[Markup]) -> Markup:
    """Side by side; the first few at once."""
    first = element("div", *drawings[:SHOWN_AT_ONCE], class_="suggested")
    rest = drawings[SHOWN_AT_ONCE:]
    if not rest:
        return first
    return concatenate([first, details(f"{len(rest)} more", element("div", *rest, class_="suggested"))])


def doubts(report: Audit) -> Markup:
    """What looks like a mistake."""
    if not report.doubts:
        return Markup()
    items = [element("li", each) for each in report.doubts]
    parts = [element("h2", "What looks like a mistake"), element("ul", *items[:SHOWN_AT_ONCE])]
    if len(items) > SHOWN_AT_ONCE:
        rest = items[SHOWN_AT_ONCE:]
        parts.append(details(f"{len(rest)} more", element("ul", *rest)))
    return concatenate(parts)
