"""The report of an audit: its data, and sentences for the page and the terminal."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from wavefold.reports.auditing.advice import Advice, Suggestion
from wavefold.reports.auditing.corners import Corner, SubComplete
from wavefold.reports.auditing.looks import OrderLook, choose_order
from wavefold.reports.auditing.proofs import UnplaceablePattern
from wavefold.reports.auditing.side_kinds import Side
from wavefold.reports.auditing.trials import Failures, Trial
from wavefold.solver import Solution
from wavefold.solver.search.certificate import Certificate
from wavefold.tiles import TileSet

COMPASS = ("north", "south", "east", "west", "up", "down")
FACES = {"up": " at the top", "down": " at the bottom"}


@dataclass(frozen=True, slots=True, eq=False)
class Audit:
    """The result of `audit`.

    sides : the kinds of sides that neighbours can require, and how many patterns fit each; `dead_ends` and
        `fragile_sides` are those that few patterns fit
    pairs, triples : the combinations of kinds on two or three touching sides that can be filled, by corner
    without : {kind of side: the number of impossible triples without it}
    sub_complete : whether rows can be filled without a dead end; None if the set is too large to check
    unplaceable : patterns that cannot appear inside a map, with reasons
    certificate : a map that repeats over the plane, or a proof that no map exists
    correlation : [distance] how much more often than by chance cells at this distance have the same tile
    correlation_length, reach : the distances at which it falls below 1/e and below 0.1; None if it does not
    trials, failures : solved maps, and contradictions during their search
    looks : the looks of maps by order; `fair_order` is the order that is safe, isotropic and faithful
    advice, suggestions : settings that suit the set, and tiles that would help
    doubts : possible mistakes in the set
    example : the solved map with the most different patterns
    seconds : the duration of the audit
    """

    tiles: TileSet
    deep: bool
    side_kinds: int
    sides: tuple[Side, ...]
    pairs: tuple[Corner, ...]
    triples: tuple[Corner, ...]
    without: dict[str, int]
    sub_complete: SubComplete | None
    unplaceable: tuple[UnplaceablePattern, ...]
    certificate: Certificate
    correlation: tuple[float, ...]
    correlation_length: int | None
    reach: int | None
    trials: tuple[Trial, ...]
    advice: Advice
    suggestions: tuple[Suggestion, ...]
    failures: Failures
    looks: tuple[OrderLook, ...]
    doubts: tuple[str, ...]
    example: Solution | None
    seconds: float

    @property
    def patterns(self) -> int:
        """The number of patterns of the set."""
        return len(self.tiles)

    @property
    def fair_order(self) -> str | None:
        """The most faithful of the orders that are safe and isotropic; None if no map was solved."""
        return choose_order(self.looks)

    @property
    def dead_ends(self) -> list[Side]:
        """Sides that at most one pattern fits."""
        return [side for side in self.sides if side.verdict in ("impossible", "dead end")]

    @property
    def fragile_sides(self) -> list[Side]:
        """Sides that two to four patterns fit."""
        return [side for side in self.sides if side.verdict == "fragile"]

    @property
    def worst_pair(self) -> Corner:
        """The corner of two sides with the most impossible combinations."""
        return max(self.pairs, key=lambda corner: corner.impossible)

    @property
    def worst_triple(self) -> Corner | None:
        """The corner of three sides with the most impossible combinations; None if not counted."""
        return max(self.triples, key=lambda corner: corner.impossible, default=None)

    def __repr__(self) -> str:
        title = self.tiles.name or "tile set"
        return f"Audit({title!r}: {self.patterns} patterns, {self.side_kinds} kinds of sides, {self.verdict})"

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        if self.certificate.verdict == "impossible":
            return "impossible"
        if self.sub_complete is not None and self.sub_complete.holds:
            return f"cannot fail row by row from the {self.sub_complete.start}"
        solved, _, runs = count_trial_maps(self)
        return f"{solved} of {runs} maps were solved"

    def to_dict(self) -> dict[str, object]:
        """Return plain data for JSON."""
        certificate, base, triple = self.certificate, self.certificate.base, self.worst_triple
        names = np.array(self.tiles.rules.names, object)
        return {
            "name": self.tiles.name,
            "topology": self.tiles.topology,
            "deep": self.deep,
            "verdict": self.verdict,
            "tiles": len(self.tiles.tiles),
            "patterns": self.patterns,
            "side_kinds": self.side_kinds,
            "impossible_pairs": self.worst_pair.impossible,
            "fragile_pairs": self.worst_pair.fragile,
            "pair_combinations": self.worst_pair.combinations,
            "impossible_triples": None if triple is None else triple.impossible,
            "fragile_triples": None if triple is None else triple.fragile,
            "triple_combinations": None if triple is None else triple.combinations,
            "impossible_triples_without": self.without,
            "sides": [asdict(side) | {"verdict": side.verdict} for side in self.sides],
            "pairs": [asdict(corner) for corner in self.pairs],
            "triples": [asdict(corner) for corner in self.triples],
            "sub_complete": None if self.sub_complete is None else asdict(self.sub_complete),
            "never_appear": [asdict(each) for each in self.unplaceable],
            "certificate": {
                "verdict": certificate.verdict,
                "size": list(certificate.size),
                "base": None if base is None else names[base].tolist(),
                "mixing": certificate.mixing,
                "sizes_tried": certificate.tried,
            },
            "correlation": list(self.correlation),
            "correlation_length": self.correlation_length,
            "reach": self.reach,
            "trials": [asdict(trial) for trial in self.trials],
            "advice": asdict(self.advice),
            "suggestions": [asdict(each) for each in self.suggestions],
            "failures": asdict(self.failures),
            "looks": [each.to_dict() for each in self.looks],
            "fair_order": self.fair_order,
            "doubts": list(self.doubts),
            "seconds": self.seconds,
        }


# --- sentences ------------------------------------------------------------------------------------


def summarize(report: Audit) -> list[str]:
    """Summarize the findings in sentences, the verdict first."""
    found = [describe_verdict(report)]
    if report.certificate.verdict == "periodic":
        size, mixing = format_size(report.certificate), report.certificate.mixing
        found.append(
            f"A map of {size} repeats over the plane, so endless worlds are possible. Solving a window of it "
            f"again changes {mixing:.0%} of its cells."
        )
    elif report.certificate.verdict == "undecided":
        found.append("Whether the set can fill the plane is undecided: no repeating map was found.")
    gone = len(list_unplaceable_tiles(report))
    if gone:
        tiles = "1 tile" if gone == 1 else f"{gone} tiles"
        found.append(f"{tiles} cannot appear inside a map, and did not appear at an edge.")
    return found


def describe_verdict(report: Audit) -> str:
    """Describe the verdict in a sentence."""
    if report.certificate.verdict == "impossible":
        return f"No map is possible: it is proved that {format_size(report.certificate)} cannot be filled."
    if report.sub_complete is not None and report.sub_complete.holds:
        return f"Solving row by row from the {name_scan_start(report)} cannot fail: some pattern always fits."
    solved, plain, runs = count_trial_maps(report)
    if not solved:
        return f"None of {runs} trial maps was solved."
    share = f"All {runs}" if solved == runs else f"{solved} of {runs}"
    if plain == solved:
        return f"{share} trial maps were solved by plain backtracking alone."
    return f"{share} trial maps were solved; plain backtracking alone solved {plain}."


def grade_audit(report: Audit) -> str:
    """Return "good" if all trial maps were solved, "poor" if some were, "bad" if none was."""
    solved, _, runs = count_trial_maps(report)
    if report.certificate.verdict == "impossible" or not solved:
        return "bad"
    return "good" if solved == runs else "poor"


def count_trial_maps(report: Audit) -> tuple[int, int, int]:
    """Count the solved trial maps, those solved by plain backtracking alone, and all."""
    solved, plain, runs = (
        sum(getattr(trial, name) for trial in report.trials) for name in ("full", "plain", "runs")
    )
    return solved, plain, runs


def name_scan_start(report: Audit) -> str:
    """Return the name of the corner from which rows are best filled."""
    corner = report.sub_complete.corner if report.sub_complete is not None else ()
    if any(side not in COMPASS for side in corner):
        return "".join(corner[1:2])  # hexagons: the middle one of three adjacent sides
    return "".join(FACES.get(side, side) for side in sorted(corner, key=COMPASS.index))


def format_size(certificate: Certificate) -> str:
    if set(certificate.size) == {1}:
        return "one cell"
    return f"{' x '.join(map(str, certificate.size))} cells"


def format_cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def list_unplaceable_tiles(report: Audit) -> list[str]:
    """List tiles without a pattern that can appear inside a map or appeared at an edge."""
    whole = {each.tile for each in report.unplaceable if each.whole_tile}
    return sorted(whole - {each.tile for each in report.unplaceable if each.at_rim})


def describe_looks(report: Audit) -> str:
    """Name the order with the best looks, and the reason, in a sentence."""
    order = report.fair_order
    look = next((each for each in report.looks if each.order == order), None)
    if look is None:
        return "No map was solved."
    safe = "safe" if look.safe else "not safe, but no order is"
    even = {True: "and prefers no direction", False: "but prefers some directions", None: ""}
    words = [safe, even[look.is_isotropic]] if look.is_isotropic is not None else [safe]
    return f"Of the plain orders, {order} looks best: it is {' '.join(words)}."
