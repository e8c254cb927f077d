"""Sections about the rules: tiles, unplaceable tiles, sides and corners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from wavefold.render.html import Markup, concatenate, details, element, legend, section, table
from wavefold.reports.auditing.corners import Corner, count_fits, list_corner_pairs
from wavefold.reports.auditing.page.figures import fold, note_omitted, pattern_element, plot_pairs
from wavefold.reports.auditing.proofs import UnplaceablePattern
from wavefold.reports.auditing.report import Audit
from wavefold.reports.auditing.side_kinds import Side, SideKinds

MOST_KINDS = 40  # of sides: a matrix of more is not drawn
SHOWN_AT_ONCE = 24  # entries of a list; more are hidden until opened
MOST_SHOWN = 400  # entries on the page, hidden or not
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


def tiles_section(report: Audit) -> Markup:
    """Every tile with its picture and its sockets."""
    tiles = report.tiles
    names = [pattern.tile.name for pattern in tiles.patterns]
    first = {name: pattern for pattern, name in reversed(list(enumerate(names)))}
    counts = Counter(names)
    entries = []
    for tile in tiles.tiles[:MOST_SHOWN]:
        size = f"{count_patterns(counts[tile.name])}, weight {tile.weight:g}"
        sockets = element("small", format_sockets(tile.sockets)) if tile.sockets else ""
        text = element("div", tile.name, element("small", size), sockets)
        entries.append(element("div", pattern_element(tiles, first[tile.name]), text, class_="tile"))
    shown = fold(entries, SHOWN_AT_ONCE, lambda some: element("div", *some, class_="tiles"), len(tiles.tiles))
    return section("Tiles", shown)


def count_patterns(count: int) -> str:
    return f"{count} pattern{'s' if count > 1 else ''}"


def format_sockets(sockets: Sequence[str]) -> str:
    """One word if all are the same."""
    return str(sockets[0]) if len(set(sockets)) == 1 else " · ".join(map(str, sockets))


def unplaceable_section(report: Audit) -> Markup:
    """Tiles that cannot appear inside a map, or not in every orientation, and why."""
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
            patterns[0].why,  # of the others, the same with another side
        )
        for tile, patterns in sorted(by_tile.items(), key=lambda item: item[1][0].at_rim)[:MOST_SHOWN]
    ]
    text = "These cannot be surrounded. Some may still appear at the edge of a map, where sides are free."
    shown = fold(rows, SHOWN_AT_ONCE, lambda some: table(UNPLACEABLE_HEADINGS, some), len(by_tile))
    return section("Tiles that cannot appear inside a map", text, shown)


def sides_section(report: Audit) -> Markup:
    """The requirements of neighbours, and how many patterns fit each; fewest first."""
    ranked = sorted(report.sides, key=lambda side: side.patterns)
    notable = [side for side in ranked if side.verdict != "fine"]
    return section(
        "Sides",
        "What a neighbour on one side can require of a cell, and how many patterns fit.",
        side_table(notable[:SHOWN_AT_ONCE])
        if notable
        else "At least five patterns fit every side: there are no dead ends.",
        details(
            f"all {len(ranked):,} sides",
            side_table(ranked[:MOST_SHOWN]),
            note_omitted(len(ranked[MOST_SHOWN:])),
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
    """Which pairs of sides can be filled, as matrices; figures of all corners of two and three sides."""
    text = (
        "What two or three neighbours around a corner require together. An impossible combination is not a "
        "problem by itself: only those that can occur in a map matter, and “Row by row” examines these."
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
    """The matrix of the worst corner; the others are hidden until opened."""
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
    """One row per corner; corners with equal figures, often all of them, share one."""
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
