"""The audit in sentences."""

from __future__ import annotations

from wavefold.auditing.certificate import Certificate
from wavefold.auditing.report import Audit

COMPASS = ("north", "south", "east", "west", "up", "down")


def summarize(report: Audit) -> list[str]:
    """What was found; the verdict comes first."""
    found = [describe_verdict(report)]
    if report.certificate.verdict == "periodic":
        size, mixing = format_size(report.certificate), report.certificate.mixing
        found.append(
            f"A map of {size} repeats over the plane, so endless worlds can be made; "
            f"{mixing:.0%} of a window changes when it is made anew."
        )
    elif report.certificate.verdict == "undecided":
        found.append("Whether it can fill the plane is undecided: no map that repeats was found.")
    gone = len(unplaceable_tiles(report))
    if gone:
        words = "tile" if gone == 1 else "tiles"
        found.append(f"{gone} {words} can never appear inside a map, and none was seen at a rim.")
    return found


def describe_verdict(report: Audit) -> str:
    """The one sentence to read."""
    if report.certificate.verdict == "impossible":
        return f"No map can be made: it is proved that {format_size(report.certificate)} cannot be filled."
    if report.sub_complete is not None and report.sub_complete.holds:
        return f"It cannot fail: row by row from the {scan_start(report)}, there is always a tile that fits."
    made, plain, runs = count_trial_maps(report)
    if not made:
        return f"None of {runs} trial maps was made."
    share = f"All {runs}" if made == runs else f"{made} of {runs}"
    if plain == made:
        return f"{share} trial maps were made, by plain backtracking alone."
    return f"{share} trial maps were made; plain backtracking alone made {plain}."


def grade(report: Audit) -> str:
    """ "good" if maps can be expected, "poor" if some fail, "bad" if there are none."""
    made, _, runs = count_trial_maps(report)
    if report.certificate.verdict == "impossible" or not made:
        return "bad"
    return "good" if made == runs else "poor"


def count_trial_maps(report: Audit) -> tuple[int, int, int]:
    """Maps that were made, those by plain backtracking alone, and all that were tried."""
    made, plain, runs = (
        sum(getattr(trial, name) for trial in report.trials) for name in ("full", "plain", "runs")
    )
    return made, plain, runs


def scan_start(report: Audit) -> str:
    """Where the best scan of rows begins."""
    corner = report.sub_complete.corner if report.sub_complete is not None else ()
    if report.tiles.topology == "hex":
        return "".join(corner[1:2])  # of three sides in a row, the middle one
    ranked = sorted(corner, key=COMPASS.index)
    faces = {"up": " at the top", "down": " at the bottom"}
    return "".join(faces.get(side, side) for side in ranked)


def format_size(certificate: Certificate) -> str:
    if set(certificate.size) == {1}:
        return "one cell"
    return f"{' x '.join(map(str, certificate.size))} cells"


def format_cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def unplaceable_tiles(report: Audit) -> list[str]:
    """Tiles of which no pattern can stand inside a map, and none was seen at a rim."""
    lonely = {each.tile for each in report.unplaceable if each.whole_tile}
    return sorted(lonely - {each.tile for each in report.unplaceable if each.at_rim})
