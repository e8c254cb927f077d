"""The findings of an audit in sentences, for the page and the terminal."""

from __future__ import annotations

from wavefold.auditing.certificate import Certificate
from wavefold.auditing.report import Audit

COMPASS = ("north", "south", "east", "west", "up", "down")
FACES = {"up": " at the top", "down": " at the bottom"}


def summarize(report: Audit) -> list[str]:
    """What was found, the verdict first."""
    found = [describe_verdict(report)]
    if report.certificate.verdict == "periodic":
        size, mixing = format_size(report.certificate), report.certificate.mixing
        found.append(
            f"A map of {size} repeats over the plane, so endless worlds are possible; solving a window of it "
            f"again changes {mixing:.0%} of its cells."
        )
    elif report.certificate.verdict == "undecided":
        found.append("Whether the set can fill the plane is undecided: no map that repeats was found.")
    gone = len(unplaceable_tiles(report))
    if gone:
        tiles = "1 tile" if gone == 1 else f"{gone} tiles"
        found.append(f"{tiles} cannot appear inside a map, and did not appear at the edge of one.")
    return found


def describe_verdict(report: Audit) -> str:
    """The one sentence to read."""
    if report.certificate.verdict == "impossible":
        return (
            f"No map is possible: there is a proof that {format_size(report.certificate)} cannot be filled."
        )
    if report.sub_complete is not None and report.sub_complete.holds:
        return f"It cannot fail: row by row from the {scan_start(report)}, some pattern always fits."
    solved, plain, runs = count_trial_maps(report)
    if not solved:
        return f"None of {runs} trial maps was solved."
    share = f"All {runs}" if solved == runs else f"{solved} of {runs}"
    if plain == solved:
        return f"{share} trial maps were solved by plain backtracking alone."
    return f"{share} trial maps were solved; plain backtracking alone solved {plain}."


def grade(report: Audit) -> str:
    """ "good" if all trial maps were solved, "poor" if some were, "bad" if none was."""
    solved, _, runs = count_trial_maps(report)
    if report.certificate.verdict == "impossible" or not solved:
        return "bad"
    return "good" if solved == runs else "poor"


def count_trial_maps(report: Audit) -> tuple[int, int, int]:
    """How many maps were solved, how many by plain backtracking alone, and how many were tried."""
    solved, plain, runs = (
        sum(getattr(trial, name) for trial in report.trials) for name in ("full", "plain", "runs")
    )
    return solved, plain, runs


def scan_start(report: Audit) -> str:
    """The corner from which rows are best filled, in words."""
    corner = report.sub_complete.corner if report.sub_complete is not None else ()
    if any(side not in COMPASS for side in corner):
        return "".join(corner[1:2])  # hexagons: of three adjacent sides the middle one
    return "".join(FACES.get(side, side) for side in sorted(corner, key=COMPASS.index))


def format_size(certificate: Certificate) -> str:
    if set(certificate.size) == {1}:
        return "one cell"
    return f"{' x '.join(map(str, certificate.size))} cells"


def format_cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def unplaceable_tiles(report: Audit) -> list[str]:
    """Tiles of which no pattern can appear inside a map, and none appeared at the edge of one."""
    whole = {each.tile for each in report.unplaceable if each.whole_tile}
    return sorted(whole - {each.tile for each in report.unplaceable if each.at_rim})
