"""How requests are sent: repeated when that is safe, and errors under their own names."""

import pickle

import httpx
import pytest

import wavefold as wf
from wavefold.client import ServiceError, service_error, transport
from wavefold.client.transport import Transport


@pytest.fixture
def pauses(monkeypatch):
    """Seconds that the client would have waited; its clock goes on by them and nothing else."""
    waited = []
    monkeypatch.setattr(transport, "sleep", waited.append)
    monkeypatch.setattr(transport, "monotonic", lambda: sum(waited))
    return waited


def answering(*answers):
    """A transport whose server gives these answers in turn, and a list of the requests it received."""
    remaining, received = list(answers), []

    def answer(request):
        received.append(request)
        found = remaining.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return Transport("http://maps.example", transport=httpx.MockTransport(answer)), received


def busy(seconds="2"):
    document = {"error": "Busy", "detail": "too many requests are waiting", "status": 503}
    return httpx.Response(503, json=document, headers={"Retry-After": seconds})


def test_a_busy_server_is_asked_again_after_the_time_it_names(pauses):
    sender, received = answering(busy(), busy("3"), httpx.Response(200, json=[1]))
    assert sender.get_json("/tilesets") == [1]
    assert pauses == [2, 3]
    assert len(received) == 3


def test_a_server_that_stays_busy_is_an_error_after_half_a_minute(pauses):
    sender, received = answering(*[busy("3600")] * 9)
    with pytest.raises(ServiceError, match="too many requests") as caught:
        sender.get_json("/tilesets")
    assert (caught.value.status, caught.value.name, len(received)) == (503, "Busy", 4)
    assert max(pauses) == transport.MAX_PAUSE_SECONDS


def test_a_server_that_is_restarted_is_asked_again_until_it_is_back(pauses):
    gone = [httpx.RemoteProtocolError("closed"), *[httpx.ConnectError("refused")] * 8]
    sender, received = answering(httpx.Response(200, json=0), busy("5"), *gone, httpx.Response(200, json=[1]))
    sender.get_json("/tilesets")
    assert sender.get_json("/tilesets") == [1]
    assert len(received) == 12
    assert sum(pauses) <= sender.patience


@pytest.mark.parametrize("failure", [busy(), httpx.ConnectError("refused")])
def test_what_could_happen_twice_is_never_repeated(pauses, failure):
    sender, received = answering(httpx.Response(200, json=0), failure, busy())
    sender.get_json("/tilesets")
    with pytest.raises(ServiceError):
        sender.post_json("/worlds/1/edits", {})
    assert (len(received), pauses) == (2, [])


def test_a_request_that_takes_too_long_is_not_sent_again(pauses):
    sender, received = answering(httpx.Response(200, json=0), httpx.ReadTimeout("late"))
    sender.get_json("/tilesets")
    with pytest.raises(ServiceError, match="longer timeout"):
        sender.get_json("/tilesets")
    assert (len(received), pauses) == (2, [])


def test_requests_that_give_the_same_whenever_they_are_sent_may_be_repeated(pauses):
    sender, _ = answering(busy(), httpx.Response(200, json={"id": "1"}))
    assert sender.post_json("/solves", {}, repeatable=True) == {"id": "1"}


def test_the_key_is_sent_with_every_request():
    seen = []
    answer = httpx.MockTransport(lambda request: seen.append(request.headers) or httpx.Response(200, json={}))
    Transport("http://maps.example/", "wf_secret", transport=answer).get_json("/tilesets")
    assert seen[0]["authorization"] == "Bearer wf_secret"


@pytest.mark.parametrize("name", sorted(service_error.LIBRARY_ERRORS))
def test_errors_of_the_library_keep_their_class(name):
    document = {"error": name, "detail": "the detail", "advice": "the advice"}
    sender, _ = answering(httpx.Response(422, json=document, headers={"X-Request-ID": "abc"}))
    with pytest.raises(getattr(wf, name), match="the detail") as caught:
        sender.get_json("/solves/1")
    assert "request id: abc" in caught.value.__notes__
    error = caught.value
    assert (error.status, error.advice, error.request_id) == (422, "the advice", "abc")
    assert error.document == document


def test_a_limit_is_named_with_its_value():
    document = {
        "error": "LimitExceeded",
        "detail": "25 cells",
        "advice": "Ask.",
        "limit": "cells",
        "maximum": 4,
    }
    sender, _ = answering(httpx.Response(422, json=document, headers={"X-Request-ID": "abc"}))
    with pytest.raises(ServiceError) as caught:
        sender.post_json("/solves", {})
    error = pickle.loads(pickle.dumps(caught.value))  # as worker processes send it
    assert (error.status, error.name, error.limit, error.maximum) == (422, "LimitExceeded", "cells", 4)
    assert (str(error), error.advice, error.request_id) == ("25 cells", "Ask.", "abc")


@pytest.mark.parametrize("answer", [httpx.Response(502, text="<html>"), httpx.Response(502, json=["?"])])
def test_answers_of_proxies_are_errors_too(answer):
    sender, _ = answering(answer)
    with pytest.raises(ServiceError, match="502 Bad Gateway"):
        sender.get_json("/tilesets")


def test_no_server_at_all_says_how_to_start_one():
    with pytest.raises(ServiceError, match="wavefold serve") as caught:
        Transport("http://localhost:1").get_json("/tilesets")
    assert caught.value.status is None


@pytest.mark.parametrize("failure", [httpx.ReadTimeout("late"), httpx.RemoteProtocolError("broken")])
def test_connections_that_fail_are_errors_of_ours(failure):
    def fail(_request):
        raise failure

    with pytest.raises(ServiceError, match=r"(to|from) http://maps"):
        Transport("http://maps.example", transport=httpx.MockTransport(fail)).get_json("/tilesets")


def test_events_go_on_after_a_broken_connection_where_they_ended(pauses):
    answers = [
        httpx.Response(200, text='id: 1\ndata: "a"\n\n'),
        httpx.ConnectError("refused"),
        httpx.Response(200, text='id: 2\ndata: "b"\n\n'),
        httpx.Response(204),
    ]
    seen = []

    def answer(request):
        seen.append(request.headers.get("Last-Event-ID"))
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    sender = Transport("http://maps.example", transport=httpx.MockTransport(answer))
    assert [event.data for event in sender.follow("/solves/1/events")] == ["a", "b"]
    assert seen == [None, "1", "1", "2"]
    assert len(pauses) == 3


def test_events_of_a_server_that_is_gone_end_with_an_error(pauses):
    def fail(_request):
        raise httpx.ConnectError("refused")

    with pytest.raises(ServiceError, match="no server at"):
        list(Transport("http://maps.example", transport=httpx.MockTransport(fail)).follow("/solves/1/events"))
    assert pauses == []  # it was never there


def test_events_of_a_server_that_does_not_come_back_end_with_an_error(pauses):
    first = httpx.Response(200, text='id: 1\ndata: "a"\n\n')
    sender, _ = answering(first, busy("5"), *[httpx.ConnectError("refused")] * 99)
    with pytest.raises(ServiceError, match="no server at"):
        list(sender.follow("/solves/1/events"))
    assert sender.patience - 2 <= sum(pauses) <= sender.patience + transport.RECONNECT_SECONDS


def test_events_go_on_after_a_restart(pauses):
    first, second = (httpx.Response(200, text=f"id: {n}\ndata: {n}\n\n") for n in (1, 2))
    gone = [busy("5"), *[httpx.ConnectError("refused")] * 9]
    sender, received = answering(first, *gone, second, *gone, httpx.Response(204))
    assert [event.data for event in sender.follow("/solves/1/events")] == [1, 2]
    assert received[-1].headers["Last-Event-ID"] == "2"


def test_an_error_instead_of_events_is_raised():
    sender, _ = answering(httpx.Response(404, json={"error": "NotFound", "detail": "there is no solve"}))
    with pytest.raises(ServiceError, match="no solve"):
        list(sender.follow("/solves/1/events"))
