"""A connection does not run ahead of a client that does not read."""

import asyncio
import json
from contextlib import contextmanager

import pytest
from starlette.websockets import WebSocketState

from wavefold_server.live import connection, frames
from wavefold_server.live.connection import LiveConnection
from wavefold_server.live.sliced_run import Pace
from wavefold_server.service import Service

OPEN = {"command": "open", "tileset": "pipes", "topology": {"width": 64, "height": 64}}


class FakeSocket:
    """A WebSocket whose client reads only what it is allowed to."""

    def __init__(self):
        self.inbox, self.sent = asyncio.Queue(), []
        self.application_state = WebSocketState.CONNECTED
        self.reads = asyncio.Event()
        self.reads.set()

    def ask(self, **command):
        self.inbox.put_nowait({"type": "websocket.receive", "text": json.dumps(command)})

    async def receive(self):
        return await self.inbox.get()

    async def send(self, message):
        await self.reads.wait()
        if self.application_state is WebSocketState.DISCONNECTED:
            raise RuntimeError("this socket is closed")  # as Starlette's
        self.sent.append(message.get("text") or message.get("bytes"))

    async def close(self, code=1000, reason=""):
        self.sent.append((code, reason))

    async def wait_for_answer(self, name):
        """The answer to a command, and everything that was sent until then."""
        async with asyncio.timeout(300):
            while True:
                for each in self.sent:
                    if isinstance(each, str) and json.loads(each)["answer"] == name:
                        return json.loads(each)
                await asyncio.sleep(0.005)


def connect(settings, scenario):
    """Run a scenario with a connection to a service."""

    async def run():
        service = Service(settings)
        socket = FakeSocket()
        serving = asyncio.ensure_future(LiveConnection(service, socket, lambda: True).serve())
        try:
            return await scenario(service, socket)
        finally:
            socket.inbox.put_nowait({"type": "websocket.disconnect", "code": 1001})
            await asyncio.wait_for(serving, 300)
            await service.stop()

    return asyncio.run(run())


def test_a_run_waits_while_its_client_does_not_read(settings):
    async def scenario(service, socket):
        socket.ask(**OPEN)
        await socket.wait_for_answer("open")
        socket.reads.clear()
        socket.ask(command="run")
        while not service.quick.length:
            await asyncio.sleep(0)
        idle = 0
        while idle < 20:  # nothing is done any more, though the map is not finished
            await asyncio.sleep(0.005)
            idle = 0 if service.quick.length else idle + 1
        assert [each for each in socket.sent[2:] if isinstance(each, bytes)] == []
        socket.reads.set()
        answer = await socket.wait_for_answer("run")
        assert answer["ending"] == "solved"
        sizes = [len(frames.decode(each).rows) for each in socket.sent[2:] if isinstance(each, bytes)]
        assert len(sizes) > 1
        assert max(sizes) <= frames.MOST_ROWS

    connect(settings, scenario)


def test_pause_is_noticed_while_the_client_does_not_read(settings):
    async def scenario(service, socket):
        socket.ask(**OPEN)
        await socket.wait_for_answer("open")
        socket.reads.clear()
        socket.ask(command="run")
        socket.ask(command="pause")
        while not socket.inbox.empty():
            await asyncio.sleep(0.005)
        socket.reads.set()
        assert (await socket.wait_for_answer("run"))["ending"] == "paused"
        assert (await socket.wait_for_answer("pause"))["decided"] < 4096

    connect(settings, scenario)


@contextmanager
def full_pool(service):
    """Until the end of the block, the pool refuses all work."""
    queue, service.quick.queue = service.quick.queue, -service.quick.workers
    yield
    service.quick.queue = queue


async def start_run(socket):
    """Open a session, and run it until there is something to see."""
    socket.ask(**OPEN)
    await socket.wait_for_answer("open")
    first = len(socket.sent)
    socket.ask(command="run")
    async with asyncio.timeout(300):
        while len(socket.sent) == first:
            await asyncio.sleep(0)


def test_a_run_outlasts_a_full_pool(settings):
    async def scenario(service, socket):
        await start_run(socket)
        with full_pool(service):
            await asyncio.sleep(0.05)
        answer = await socket.wait_for_answer("run")
        assert (answer["ending"], answer.get("problem")) == ("solved", None)

    connect(settings, scenario)


def test_what_a_run_did_before_the_pool_was_full_is_in_the_log(settings, monkeypatch):
    monkeypatch.setattr(connection, "MOST_REFUSALS", 2)

    async def scenario(service, socket):
        await start_run(socket)
        with full_pool(service):
            refused = await socket.wait_for_answer("run")
        assert refused["problem"]["error"] == "Busy"
        assert 0 < refused["decided"] < 4096
        socket.sent.clear()
        socket.ask(**OPEN, commands=[refused["log"]])
        again = await socket.wait_for_answer("open")
        assert {each: again[each] for each in ("decisions", "decided")} == {
            each: refused[each] for each in ("decisions", "decided")
        }

    connect(settings, scenario)


def test_pause_is_noticed_while_the_pool_is_full(settings, monkeypatch):
    monkeypatch.setattr(connection, "MOST_REFUSALS", 10**9)

    async def scenario(service, socket):
        await start_run(socket)
        with full_pool(service):
            socket.ask(command="pause")
            answer = await socket.wait_for_answer("run")
        assert (answer["ending"], answer.get("problem")) == ("paused", None)
        assert "log" in answer

    connect(settings, scenario)


def test_a_client_that_leaves_ends_a_refinement(settings):
    async def scenario(service, socket):
        socket.ask(**OPEN)
        socket.ask(command="run", show="end")
        assert (await socket.wait_for_answer("run"))["status"] == "solved"
        socket.ask(command="refine", sweeps=1000)
        while not service.quick.length:
            await asyncio.sleep(0)

    connect(settings, scenario)  # ends in time, although 1000 sweeps would take minutes


def test_a_socket_that_is_found_closed_while_sending_is_no_error(settings):
    async def scenario(service, socket):
        socket.ask(**OPEN)
        await socket.wait_for_answer("open")
        socket.application_state = WebSocketState.DISCONNECTED
        socket.ask(command="garbage")  # answered by the task that receives

    connect(settings, scenario)


def test_steps_are_due_at_the_speed_that_was_asked():
    now = 100.0
    pace = Pace(10.0, lambda: now)
    assert pace.count_steps(0) == 1
    assert pace.delay(1, now) == pytest.approx(0.1)
    assert pace.delay(1, now + 0.3) == pytest.approx(0.3), "nothing could be shown before"
    now = 100.55
    assert pace.delay(1, 0.0) < 0
    assert pace.count_steps(1) == 5


def test_at_full_speed_nothing_waits():
    pace = Pace("max", lambda: 0.0)
    assert (pace.count_steps(5), pace.delay(5, 1.0)) == (None, 0.0)
