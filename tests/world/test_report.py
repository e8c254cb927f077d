"""Reports of worlds: old names go on working, with a warning."""

import pytest

from wavefold.world.report import StageReport, WorldReport
from wavefold.world.store.chunks import StoreReport
from wavefold.world.streaming.budget import BudgetReport

STAGE = StageReport(1, 2, 3, 4, 5)
OLD = [
    (STAGE, "renewed", 1),
    (STAGE, "swept", 2),
    (STAGE, "kept", 3),
    (STAGE, "small_windows", 4),
    (STAGE, "small_windows_kept", 5),
    (WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6), "wishes_asked", 7),
    (WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6), "wishes_met", 6),
    (WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6), "kept", 32),
    (StoreReport(1, 2, 3, 4), "let_go", 3),
    (BudgetReport(calls=4, in_time=1), "kept", 1),
    (BudgetReport(calls=4, in_time=1), "promise", 0.25),
    (BudgetReport(chunks=2, first_in_time=1), "kept_at_once", 1),
    (BudgetReport(chunks=2, first_in_time=1), "promise_at_once", 0.5),
]


@pytest.mark.parametrize(("report", "name", "value"), OLD, ids=[name for _, name, _ in OLD])
def test_an_old_name_is_deprecated_and_has_the_value_of_the_new_one(report, name, value):
    with pytest.warns(DeprecationWarning, match=f"{name} is deprecated; use "):
        assert getattr(report, name) == value


def test_documents_have_their_values_under_old_and_new_keys():
    data = WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6).to_dict()
    assert data["soft_masks_asked"] == data["wishes_asked"] == 7
    assert data["unchanged"] == data["witnesses_kept"] == 32
    assert data["corner"]["solved"] == data["corner"]["renewed"] == 1
    assert BudgetReport().to_dict()["promise"] == 1.0
