"""Sections of the page of an audit about rules and failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from wavefold.render.html import (
    Markup,
    concatenate,
    details,
    element,
    embed_image,
    figure,
    legend,
    section,
    table,
)
from wavefold.reports.auditing.advice import Suggestion
from wavefold.reports.auditing.corners import Corner, Hole, count_fits, list_corner_pairs
from wavefold.reports.auditing.page.figures import (
    MOST_SIDE_LETTERS,
    KindColours,
    draw_pattern,
    fold,
    note_omitted,
    pattern_element,
    plot_cell,
    plot_neighbours,
    plot_pairs,
    shorten,
)
from wavefold.reports.auditing.proofs import UnplaceablePattern
from wavefold.reports.auditing.report import Audit, name_scan_start
from wavefold.reports.auditing.side_kinds import Side, SideKinds
from wavefold.reports.auditing.trials import Failure

SHOWN_FIGURES = 8  # more are hidden until opened
FACES = ("up", "down")
NEIGHBOUR_PIXELS = 34  # across a neighbour's picture
MOST_KINDS = 40  # of sides in a matrix
SHOWN_ENTRIES = 24  # of a list; more are hidden until opened
MOST_ENTRIES = 400  # of a list, including hidden ones
MOST_NAMES = 8
GRADES = {"impossible": "bad", "dead end": "bad", "fragile": "poor", "fine": "good"}
SIDE_HEADINGS = ("side", "required", "patterns that fit", "", "of these tiles")
UNPLACEABLE_HEADINGS = ("", "tile", "patterns", "seen at an edge", "reason")
CORNER_HEADINGS = ("corner", "combinations", "impossible", "", "fragile")
MATRIX_LEGEND = (
    ("impossible", "nothing fits"),
    ("fragile", "one or two patterns"),
    ("fine", "three or more"),
)


def rows_section(report: Audit, colours: KindColours) -> Markup:
    """Build the section about rows without dead ends, or with their dead ends."""
    heading, verdict = "Row by row", report.sub_complete
    if verdict is None:
        return section(
            heading, "The set is too large to check whether rows can be filled without a dead end."
        )
    if verdict.holds:
        text = (
            f"Some pattern fits each of the {verdict.arising:,} combinations that can occur if a map is "
            f"filled row by row from the {name_scan_start(report)}. In this order, no map can fail."
        )
        return section(heading, text)
    text = (
        f"If a map is filled row by row from the {name_scan_start(report)}, the best start, nothing fits "
        f"{verdict.failing:,} of the {verdict.arising:,} combinations that can occur. They may be rare, and "
        "the solver avoids most of them by looking ahead."
    )
    kinds = SideKinds(report.tiles, strict=True)
    return section(heading, text, panels([hole_figure(kinds, hole, colours) for hole in verdict.holes]))


def hole_figure(kinds: SideKinds, hole: Hole, colours: KindColours) -> Markup:
    """Draw a combination that nothing fits, and name the pattern that comes closest."""
    caption: list[object] = ["Nothing fits."]
    if len(hole.sides) > 1:
        nearest = element("code", hole.nearest)
        caption = ["Nothing fits. Closest: ", nearest, f", except on its {hole.missing} side."]
    required = dict(zip(hole.sides, hole.kinds, strict=True))
    return figure(kinds_plot(kinds, required, colours), *caption)


def kinds_plot(kinds: SideKinds, required: Mapping[str, str], colours: KindColours) -> Markup:
    """Draw a cell with the kinds its neighbours require {side: kind} as colours, or the neighbours."""
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
    """Return whether a kind can be written beside its side; there is no room at top and bottom faces."""
    return side not in FACES and len(shorten(kind, 99)) <= MOST_SIDE_LETTERS


def example_pictures(kinds: SideKinds, required: Mapping[str, str]) -> dict[str, str]:
    """Draw an example of a neighbour that requires each kind; returns {direction: data URI}."""
    tiles = kinds.tiles
    found = {}
    for direction, kind in required.items():
        side = tiles.directions.index(direction)
        neighbours = np.flatnonzero(kinds.kind_of[side] == kinds.labels[side].index(kind))
        found[direction] = embed_image(draw_pattern(tiles, int(neighbours[0])), NEIGHBOUR_PIXELS)
    return found


def failures_section(report: Audit, colours: KindColours) -> Markup:
    """Build the section about the neighbourhoods of contradictions."""
    seen = report.failures
    heading = "Where maps failed"
    if not seen.contradictions:
        text = f"Plain backtracking solved {seen.maps} maps without a single contradiction."
        return section(heading, text)
    text = (
        f"{seen.contradictions:,} contradictions in {seen.maps} maps solved by plain backtracking, "
        f"{seen.at_impossible_corners:,} of them at impossible corners, which no pattern fits."
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
    """Describe the cause of a contradiction, as far as the neighbours show it."""
    if failure.known:
        return "an impossible corner"
    if not failure.asked:
        return "no neighbour was decided"
    if len(failure.asked) == len(report.tiles.directions) and any(tile.apart for tile in report.tiles.tiles):
        return "the tiles that fit may not touch their own kind"
    return "nothing that fits these sides fits the others"


def suggestions_section(report: Audit, colours: KindColours) -> Markup:
    """Build the section about new tiles that would fill the most failing corners."""
    if not report.suggestions:
        return Markup()
    text = (
        "New tiles, in all orientations, and how many of the failing corners each would fill if it were "
        "added to the set. The audit considers only sockets, not the looks of tiles."
    )
    figures = [suggestion_figure(report, each, colours) for each in report.suggestions]
    return section("Tiles that would help", text, panels(figures))


def suggestion_figure(report: Audit, suggestion: Suggestion, colours: KindColours) -> Markup:
    """Draw the sockets of a suggested tile."""
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
    """Arrange figures side by side, with only the first few visible."""
    return fold(figures, SHOWN_FIGURES, lambda some: element("div", *some, class_="suggested"))


def lint_section(report: Audit) -> Markup:
    """Build the section about possible mistakes in the tile set."""
    if not report.doubts:
        return Markup()
    items = [element("li", each) for each in report.doubts]
    shown = fold(items, SHOWN_FIGURES, lambda some: element("ul", *some))
    return section("Possible mistakes", shown)


def tiles_section(report: Audit) -> Markup:
    """Build the section with the picture and the sockets of every tile."""
    tiles = report.tiles
    names = [pattern.tile.name for pattern in tiles.patterns]
    first = {name: pattern for pattern, name in reversed(list(enumerate(names)))}
    counts = Counter(names)
    entries = []
    for tile in tiles.tiles[:MOST_ENTRIES]:
        size = f"{count_patterns(counts[tile.name])}, weight {tile.weight:g}"
        sockets = element("small", format_sockets(tile.sockets)) if tile.sockets else ""
        text = element("div", tile.name, element("small", size), sockets)
        entries.append(element("div", pattern_element(tiles, first[tile.name]), text, class_="tile"))
    shown = fold(entries, SHOWN_ENTRIES, lambda some: element("div", *some, class_="tiles"), len(tiles.tiles))
    return section("Tiles", shown)


def count_patterns(count: int) -> str:
    return f"{count} pattern{'s' if count > 1 else ''}"


def format_sockets(sockets: Sequence[str]) -> str:
    """Join sockets; a single word if all are the same."""
    return str(sockets[0]) if len(set(sockets)) == 1 else " · ".join(map(str, sockets))


def unplaceable_section(report: Audit) -> Markup:
    """Build the section about tiles that cannot appear inside a map, or not in every orientation."""
    if not report.unplaceable:
        return Markup()
    by_tile: dict[str, list[UnplaceablePattern]] = {}
    for each in report.unplaceable:
        by_tile.setdefault(each.tile, []).append(each)
    number = {name: pattern for pattern, name in enumerate(report.tiles.rules.names)}
    rows = [
        (
            pattern_element(report.tiles, number[patterns[0].pattern], 32),
            tile,
            "all" if patterns[0].whole_tile else format_names([each.pattern for each in patterns]),
            "yes" if any(each.at_rim for each in patterns) else "",
            patterns[0].why,  # those of the other patterns differ only in the side
        )
        for tile, patterns in sorted(by_tile.items(), key=lambda item: item[1][0].at_rim)[:MOST_ENTRIES]
    ]
    text = "These cannot be surrounded. Some may still appear at the edge of a map, where sides are free."
    shown = fold(rows, SHOWN_ENTRIES, lambda some: table(UNPLACEABLE_HEADINGS, some), len(by_tile))
    return section("Tiles that cannot appear inside a map", text, shown)


def sides_section(report: Audit) -> Markup:
    """Build the section about the requirements of neighbours, those that the fewest patterns fit first."""
    ranked = sorted(report.sides, key=lambda side: side.patterns)
    notable = [side for side in ranked if side.verdict != "fine"]
    return section(
        "Sides",
        "The requirements of neighbours on each side, and how many patterns fit.",
        side_table(notable[:SHOWN_ENTRIES])
        if notable
        else "At least five patterns fit every side, so there are no dead ends.",
        details(
            f"all {len(ranked):,} sides",
            side_table(ranked[:MOST_ENTRIES]),
            note_omitted(len(ranked[MOST_ENTRIES:])),
        ),
    )


def side_table(sides: Sequence[Side]) -> Markup:
    rows = [
        (
            side.side,
            side.kind,
            side.patterns,
            element("span", side.verdict, class_=GRADES[side.verdict]),
            format_names(side.tiles),
        )
        for side in sides
    ]
    return table(SIDE_HEADINGS, rows)


def format_names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def corners_section(report: Audit) -> Markup:
    """Build the section with matrices of pairs of sides, and figures of all corners."""
    text = (
        "The combined requirements of two or three neighbours around a corner. An impossible combination "
        "matters only if it can occur in a map; “Row by row” examines these."
    )
    kinds = SideKinds(report.tiles)
    parts: list[object] = [text]
    if max(len(fits) for fits in kinds.fits) <= MOST_KINDS:
        parts.append(pair_matrices(report, kinds))
    parts.append(table(CORNER_HEADINGS, corner_rows(report.pairs) + corner_rows(report.triples)))
    if report.without and len(report.without) <= MOST_KINDS:
        counts = table(("without", "impossible triples"), list(report.without.items()))
        parts.append(details("impossible triples if one kind of side is left out", counts))
    return section("Corners", *parts)


def pair_matrices(report: Audit, kinds: SideKinds) -> Markup:
    """Draw the matrix of the worst corner; the others are hidden until opened."""
    worst = report.pairs.index(report.worst_pair)
    matrices = [
        plot_pairs(
            count_fits(kinds, pair),
            [report.tiles.directions[side] for side in pair],
            [kinds.labels[side] for side in pair],
        )
        for pair in list_corner_pairs(report.tiles.topology)
    ]
    shown = element("figure", matrices.pop(worst))
    others = element("div", *(element("figure", each) for each in matrices), class_="figures")
    return concatenate([shown, legend(MATRIX_LEGEND), details("the other corners", others)])


def corner_rows(corners: Sequence[Corner]) -> list[tuple[object, ...]]:
    """Build a row for each corner; corners with equal figures share one."""
    alike: dict[tuple[int, int, int], list[str]] = {}
    for corner in corners:
        figures = (corner.combinations, corner.impossible, corner.fragile)
        alike.setdefault(figures, []).append(", ".join(corner.sides))
    return [
        (
            f"each of {len(names)}, such as {names[0]}" if len(names) > 1 else names[0],
            combinations,
            impossible,
            f"{impossible / max(1, combinations):.1%}",
            fragile,
        )
        for (combinations, impossible, fragile), names in alike.items()
    ]
