"""Reports of worlds as plain data."""

from wavefold.worlds.report import StageReport, WorldReport

STAGE = StageReport(1, 2, 3, 4, 5)


def test_a_document_has_the_counts_of_each_stage_and_their_sums():
    data = WorldReport(STAGE, STAGE, STAGE, STAGE, 7, 6).to_dict()
    assert (data["soft_masks_asked"], data["soft_masks_met"]) == (7, 6)
    assert data["windows"] == 24
    assert data["unchanged"] == 32
    assert data["corner"]["solved"] == 1
