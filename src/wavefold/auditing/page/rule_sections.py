"""Parts of the page about the rules: tiles, what never appears, sides and corners."""

from __future__ import annotations

from collections.abc import Sequence

from wavefold.auditing.corners import Corner, corner_pairs, count_fits
from wavefold.auditing.page.images import pattern_picture
from wavefold.auditing.page.plots import plot_pairs
from wavefold.auditing.report import Audit
from wavefold.auditing.side_kinds import Side, SideKinds
from wavefold.auditing.unplaceable import UnplaceablePattern
from wavefold.render.html import Markup, concatenate, details, element, table
from wavefold.tiles import Tile

MOST_KINDS = 40  # of sides, for a drawn matrix
SHOWN_AT_ONCE = 24  # entries of a list; the rest is folded
MOST_SHOWN = 400  # entries of a folded list
MOST_NAMES = 8

MOODS = {"impossible": "bad", "dead end": "bad", "fragile": "poor", "fine": "good"}


def tile_list(report: Audit) -> Markup:
    """Every tile with its picture and what its sides show."""
    first = {name: pattern for pattern, name in reversed(list(enumerate(pattern_tiles(report))))}
    entries = [tile_entry(report, tile, first[tile.name]) for tile in report.tiles.tiles[:MOST_SHOWN]]
    parts = [element("h2", "Tiles"), element("div", *entries[:SHOWN_AT_ONCE], class_="tiles")]
    if len(entries) > SHOWN_AT_ONCE:
        rest = element("div", *entries[SHOWN_AT_ONCE:], class_="tiles")
        parts.append(
            details(
                f"{len(report.tiles.tiles) - SHOWN_AT_ONCE:,} more", rest, count_omitted(report.tiles.tiles)
            )
        )
    return concatenate(parts)


def pattern_tiles(report: Audit) -> list[str]:
    """[pattern] the name of its tile."""
    return [pattern.tile.name for pattern in report.tiles.patterns]


def tile_entry(report: Audit, tile: Tile, pattern: int) -> Markup:
    count = pattern_tiles(report).count(tile.name)
    words = f"{count} pattern{'s' if count > 1 else ''}, weight {tile.weight:g}"
    sockets = element("small", format_sockets(tile.sockets)) if tile.sockets else ""
    text = element("div", tile.name, element("small", words), sockets)
    return element("div", pattern_picture(report.tiles, pattern), text, class_="tile")


def format_sockets(sockets: Sequence[str]) -> str:
    """One word if all are the same."""
    return str(sockets[0]) if len(set(sockets)) == 1 else " · ".join(map(str, sockets))


def count_omitted(entries: Sequence[object]) -> Markup:
    """What even a folded list leaves out."""
    more = len(entries) - MOST_SHOWN
    return element("p", f"{more:,} more are in the JSON report.", class_="quiet") if more > 0 else Markup()


def never(report: Audit) -> Markup:
    """Tiles that cannot stand inside a map, or not in every turn, and why."""
    if not report.unplaceable:
        return Markup()
    found: dict[str, list[UnplaceablePattern]] = {}
    for each in report.unplaceable:
        found.setdefault(each.tile, []).append(each)
    number = {name: pattern for pattern, name in enumerate(report.tiles.rules.names)}
    rows = [
        (
            pattern_picture(report.tiles, number[patterns[0].pattern], 32),
            tile,
            "all" if patterns[0].whole_tile else format_names([each.pattern for each in patterns]),
            "yes" if any(each.at_rim for each in patterns) else "",
            patterns[0].why,  # of others, the same with another side
        )
        for tile, patterns in sorted(found.items(), key=lambda item: item[1][0].at_rim)[:MOST_SHOWN]
    ]
    headings = ("", "tile", "patterns", "seen at a rim", "because")
    text = "These cannot be surrounded. Some may still stand at the rim of a map, where sides are free."
    parts = [element("h2", "What can never appear inside a map"), element("p", text)]
    parts.append(table(headings, rows[:SHOWN_AT_ONCE]))
    if len(rows) > SHOWN_AT_ONCE:
        more = f"{len(found) - SHOWN_AT_ONCE:,} more"
        parts.append(details(more, table(headings, rows[SHOWN_AT_ONCE:]), count_omitted(list(found))))
    return concatenate(parts)


def sides(report: Audit) -> Markup:
    """What a neighbour can ask for, and how many patterns have it; the narrowest first."""
    ranked = sorted(report.sides, key=lambda side: side.patterns)
    notable = [side for side in ranked if side.verdict != "fine"]
    text = "What a neighbour on one side can ask of a cell, and how many patterns would do."
    parts = [element("h2", "Sides"), element("p", text)]
    if notable:
        parts.append(side_table(notable[:SHOWN_AT_ONCE]))
    else:
        parts.append(element("p", "Five patterns or more fit every side: there are no dead ends."))
    parts.append(
        details(f"all {len(ranked):,} sides", side_table(ranked[:MOST_SHOWN]), count_omitted(ranked))
    )
    return concatenate(parts)


def side_table(chosen: Sequence[Side]) -> Markup:
    rows = [
        (
            side.side,
            side.kind,
            side.patterns,
            element("span", side.verdict, class_=MOODS[side.verdict]),
            format_names(side.tiles),
        )
        for side in chosen
    ]
    return table(("on the", "asked for", "patterns that fit", "", "of these tiles"), rows)


def format_names(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def corners(report: Audit) -> Markup:
    """Which pairs of sides can be filled, drawn; and how the corners of two and three sides fare."""
    text = (
        "What two or three neighbours around a corner ask for together. What is impossible here is no fault "
        "by itself: only what can arise in a map matters, and that is looked at under “Row by row”."
    )
    parts = [element("h2", "Corners"), element("p", text)]
    demands = SideKinds(report.tiles)
    pairs = corner_pairs(report.tiles.topology)
    if max(len(met) for met in demands.fits) <= MOST_KINDS:
        parts.append(matrices(report, demands, pairs))
    rows = corner_rows(report.pairs) + corner_rows(report.triples)
    parts.append(table(("corner", "combinations", "impossible", "", "fragile"), rows))
    if report.without and len(report.without) <= MOST_KINDS:
        left_out = [(kind, count) for kind, count in report.without.items()]
        headings = ("without", "impossible triples")
        parts.append(details("impossible triples if one kind of side is left out", table(headings, left_out)))
    return concatenate(parts)


def matrices(report: Audit, demands: SideKinds, pairs: Sequence[tuple[int, int]]) -> Markup:
    """The worst corner, and the others folded unless they are just the same turned."""
    worst = report.pairs.index(report.worst_pair)
    drawings = [
        plot_pairs(
            count_fits(demands, pair),
            [report.tiles.directions[side] for side in pair],
            [demands.labels[side] for side in pair],
        )
        for pair in pairs
    ]
    legend = element(
        "p",
        *(
            element("span", element("i", class_=f"swatch {mood}"), words)
            for mood, words in (
                ("impossible", "nothing fits"),
                ("fragile", "one or two patterns"),
                ("fine", "three or more"),
            )
        ),
        class_="legend",
    )
    others = [each for place, each in enumerate(drawings) if place != worst]
    figures = element("div", *(element("figure", each) for each in others), class_="figures")
    return concatenate([element("figure", drawings[worst]), legend, details("the other corners", figures)])


def corner_rows(found: Sequence[Corner]) -> list[tuple[object, ...]]:
    """A row for each corner; those with the same figures, which are often all, share one."""
    alike: dict[tuple[int, int, int], list[str]] = {}
    for corner in found:
        figures = (corner.combinations, corner.impossible, corner.fragile)
        alike.setdefault(figures, []).append(", ".join(corner.sides))
    return [
        (
            f"each of {len(names)}, as {names[0]}" if len(names) > 1 else names[0],
            combinations,
            impossible,
            f"{impossible / max(1, combinations):.1%}",
            fragile,
        )
        for (combinations, impossible, fragile), names in alike.items()
    ]
