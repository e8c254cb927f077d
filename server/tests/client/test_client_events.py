"""Server-sent events are read as browsers read them."""

from wavefold.client.transport import ServerEvent, read_events


def test_an_event_ends_with_an_empty_line():
    lines = ["event: progress", 'data: {"decided": 3}', "id: 7", "", 'data: "unfinished"']
    assert list(read_events(lines)) == [ServerEvent("progress", {"decided": 3}, "7")]


def test_comments_and_events_without_data_are_left_out():
    assert list(read_events([": still there", "", "event: empty", "", "data: 1", ""])) == [
        ServerEvent("message", 1)
    ]


def test_data_may_have_several_lines_and_ids_stay_until_the_next():
    lines = ["id: 1", "data: [1,", "data:2]", "", "data: 3", ""]
    assert list(read_events(lines)) == [ServerEvent("message", [1, 2], "1"), ServerEvent("message", 3, "1")]
