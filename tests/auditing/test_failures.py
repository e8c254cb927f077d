"""Failures: what was around the cells that had nothing left."""

from support import CASTLE, CHESS
from wavefold.auditing.failures import any_pattern_fits, collect_failures
from wavefold.auditing.side_kinds import SideKinds
from wavefold.kernels.jit import COMPILED


def test_failures_name_what_neighbours_required():
    kinds = SideKinds(CASTLE)
    found = collect_failures(kinds, 12 if COMPILED else 6, 3, "entropy", 60_000)
    assert found.maps == 3
    assert found.contradictions > 0
    assert sum(each.times for each in found.common) <= found.contradictions
    assert found.at_impossible_corners <= found.contradictions
    for failure in found.common:
        numbers = tuple(
            (CASTLE.directions.index(side), kinds.labels[CASTLE.directions.index(side)].index(kind))
            for side, kind in failure.asked
        )
        assert failure.known == (not any_pattern_fits(kinds, numbers))


def test_a_set_that_cannot_fail_has_no_failures():
    found = collect_failures(SideKinds(CHESS), 6, 2, "entropy", 60_000)
    assert (found.maps, found.contradictions, found.common) == (2, 0, ())


def test_patience_ends_the_search_for_failures():
    found = collect_failures(SideKinds(CASTLE), 12, 3, "entropy", patience=0)
    assert found.maps == 0
