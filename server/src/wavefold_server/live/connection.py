"""One WebSocket: receives commands, has them done one after another, and sends what is to be seen.

Two tasks of the event loop: one receives, so that `pause` and a newer `open` are noticed at once; the other
works. The solver itself runs in the pool, a few milliseconds at a time, so that all clients get their turn.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from wavefold.errors import WavefoldError
from wavefold_server.live import logged_commands as logged
from wavefold_server.live import models
from wavefold_server.live.finished_maps import FRAME_SECONDS
from wavefold_server.live.messages import ABNORMAL, NORMAL, REFUSED, Closed, Fault, MessageReader
from wavefold_server.live.session import Answer, LiveSession, Shown
from wavefold_server.live.sliced_run import Pace
from wavefold_server.live.views import ANSWERS
from wavefold_server.logs import log
from wavefold_server.problems import Problem, problem_of
from wavefold_server.solves.models import SolveRequest

if TYPE_CHECKING:
    from wavefold_server.service import Service

Result = TypeVar("Result")

SLICE = 0.004  # seconds
BUSY_SECONDS = 0.02  # until what a full pool refused is tried again
MOST_REFUSALS = 250  # in succession, by a full pool; then a command gives up
CLOSE_SECONDS = 1.0  # for a client that reads nothing to be told why
MOST_WAITING = 64  # commands; more are not received until some are done, or none waits after a long one
# What a newer command may end half-way, since the session stays as it is until they are done.
REPLACED_BY = {
    "open": ("open", "seed", "refine", "explain"),
    "seed": ("seed", "refine"),
    "refine": ("refine",),
    "pause": ("refine",),
}
# What ends steps or a run before their time. What needs a finished map waits for it.
ENDS_STEPS = ("pause", "open", "seed", "close")
ENDS_RUN = (*ENDS_STEPS, "step", "run", "undo", "pin", "ban", "unpin")


class LiveConnection:
    """A client and its session.

    still_allowed : whether the client's key has not been revoked
    """

    def __init__(self, service: Service, websocket: WebSocket, still_allowed: Callable[[], bool]) -> None:
        self._service, self._websocket, self._still_allowed = service, websocket, still_allowed
        self._reader = MessageReader(service, websocket)
        self._inbox: deque[Any] = deque()  # commands that wait
        self._arrived, self._taken = asyncio.Event(), asyncio.Event()
        self._replaceable = ""  # the name of the command under way, as long as a newer one may end it
        self._job: asyncio.Task[None] | None = None
        self._session: LiveSession | None = None

    async def serve(self) -> None:
        """Until either side has had enough."""
        tasks = [asyncio.ensure_future(self._receive()), asyncio.ensure_future(self._work())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except Closed as end:
            with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):  # it may be closed already
                await asyncio.wait_for(self._websocket.close(end.code, end.reason), CLOSE_SECONDS)
        except WebSocketDisconnect:
            pass
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # Receiving

    async def _receive(self) -> None:
        while True:
            message, is_long = await self._reader.read(lambda: self._job is not None)
            self._check_key()
            if isinstance(message, Fault):
                await self._send_answer({"answer": None, "version": message.version}, message.problem)
                continue
            if message.command == "open":
                await self._drop_waiting()
            if self._job is not None and self._replaceable in REPLACED_BY.get(message.command, ()):
                self._job.cancel()
            self._inbox.append(message)
            self._arrived.set()
            while len(self._inbox) >= (1 if is_long else MOST_WAITING):
                self._taken.clear()
                await self._taken.wait()

    async def _drop_waiting(self) -> None:
        """A new session begins: what waits was meant for the one before."""
        waiting = list(self._inbox)
        self._inbox.clear()
        for command in waiting:
            await self._send_problem(command, superseded_problem())

    # Working

    async def _work(self) -> None:
        while True:
            while not self._inbox:
                self._arrived.clear()
                await self._arrived.wait()
            command = self._take()
            if command.command == "close":
                raise Closed(NORMAL, "closed as asked")
            self._replaceable = command.command
            self._job = asyncio.ensure_future(self._do(command))
            try:
                await asyncio.wait({self._job})
                await self._send_outcome(command, self._job)
            finally:
                self._job.cancel()
                self._job = None

    def _take(self) -> Any:
        self._taken.set()
        return self._inbox.popleft()

    async def _send_outcome(self, command: Any, job: asyncio.Task[None]) -> None:
        """Answer a command that failed; one that was done has been answered."""
        if job.cancelled():
            return await self._send_problem(command, superseded_problem())
        error = job.exception()
        if isinstance(error, Closed | WebSocketDisconnect):
            raise error
        if error is not None:
            await self._send_problem(command, error)

    async def _do(self, command: Any) -> None:
        if command.command in ("open", "seed"):
            return await self._begin(command)
        session = self._find_session()
        if command.command in ("step", "run"):
            await self._advance(session, command)
        elif command.command == "refine":
            await self._refine(session, command)
        else:
            await self._ask(command)

    async def _ask(self, command: Any) -> None:
        """Do what is done at once."""
        session = self._find_session()
        messages, answer = await self._run(lambda: encode_frames(session.execute(command)))
        await self._send_all(messages)
        await self._send_answer(name_answer(command) | answer)

    async def _begin(self, command: models.Open | models.NewSeed) -> None:
        request: SolveRequest = (
            command if isinstance(command, models.Open) else self._find_session().with_seed(command.seed)
        )
        session, messages, answer = await self._run_long(
            partial(open_session, self._service, request, command.version)
        )
        self._session, self._replaceable = session, ""
        await self._send_all(messages)
        await self._send_answer(name_answer(command) | answer)

    async def _advance(self, session: LiveSession, command: logged.Step | logged.Run) -> None:
        """Advance slice by slice, until it is over or something else is to be done."""
        clock = asyncio.get_running_loop().time
        progress, due = session.start(command), clock()
        is_run, refusals = isinstance(command, logged.Run), 0
        pace, run = Pace(getattr(command, "speed", "max"), clock), self._run_long if is_run else self._run
        messages: list[bytes] = []
        answer: Answer | None = None
        problem: Problem | None = None
        while answer is None:
            if await self._is_interrupted(command) or problem is not None:
                # Not in the pool, which may be full: what was done must be in the log.
                messages, answer = await asyncio.to_thread(session.finish, progress, problem is None)
            elif (delay := pace.delay(progress.steps, due)) > 0:
                await self._wait_for_command(delay)
            else:
                shows, steps = clock() + SLICE >= due, pace.count_steps(progress.steps)
                try:
                    messages, answer = await run(partial(session.advance, progress, SLICE, steps, shows))
                    refusals = 0
                except (WavefoldError, Problem) as error:
                    refusals += 1
                    if problem_of(error).error != "Busy" or refusals > MOST_REFUSALS:
                        problem = problem_of(error)
                    else:
                        await asyncio.sleep(BUSY_SECONDS)
            if messages:
                if answer is None:
                    await self._wait_for_command(due - clock())
                await self._send_all(messages)
                messages, due = [], clock() + FRAME_SECONDS
        await self._send_answer(name_answer(command) | answer, problem)

    async def _is_interrupted(self, command: logged.Step | logged.Run) -> bool:
        """Answer questions that have arrived meanwhile; whether something came that ends this command."""
        while self._inbox and self._inbox[0].command in ANSWERS.keys() - {"pause"}:
            question = self._take()
            try:
                await self._ask(question)
            except (WavefoldError, Problem) as error:
                await self._send_problem(question, error)
        ends = ENDS_STEPS if command.command == "step" else ENDS_RUN
        return any(each.command in ends for each in self._inbox)

    async def _wait_for_command(self, seconds: float) -> None:
        self._arrived.clear()
        if not self._inbox and seconds > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._arrived.wait(), seconds)

    async def _refine(self, session: LiveSession, command: logged.Refine) -> None:
        """Refine in one go, and show boards on the way: only the newest, however slowly they are read."""
        newest: deque[bytes] = deque(maxlen=1)
        job = asyncio.ensure_future(self._run_long(partial(session.refine, command, newest.append)))
        try:
            while not job.done():
                await asyncio.wait({job}, timeout=FRAME_SECONDS)
                if newest:
                    await self._send(newest.pop())
            found, self._replaceable = job.result(), ""
        finally:
            job.cancel()
        messages, answer = await self._run(lambda: encode_frames(session.take_refined(command, found)))
        await self._send_all(messages)
        await self._send_answer(name_answer(command) | answer)

    def _find_session(self) -> LiveSession:
        if self._session is None:
            raise Problem(409, "there is no session yet", error="NoSession", advice="Send `open` first.")
        return self._session

    async def _run(self, work: Callable[[], Result]) -> Result:
        """Do in a thread what takes a few milliseconds."""
        return await self._service.quick.run(work)

    async def _run_long(self, work: Callable[[], Result]) -> Result:
        """Do in a thread what may take longer, when it is its turn."""
        async with self._service.live.slots:
            return await self._service.quick.run(work)

    # Sending

    async def _send_problem(self, command: Any, error: BaseException) -> None:
        problem = problem_of(error)
        if problem.status == 500:
            fields = {"command": command.command}
            log.error("live command failed", extra={"fields": fields}, exc_info=error)
        await self._send_answer(name_answer(command), problem)

    async def _send_answer(self, answer: Answer, problem: Problem | None = None) -> None:
        whole = answer | ({"problem": problem.to_dict()} if problem is not None else {})
        await self._send(json.dumps(whole, ensure_ascii=False, allow_nan=False))

    async def _send_all(self, messages: list[bytes]) -> None:
        for message in messages:
            await self._send(message)

    async def _send(self, message: str | bytes) -> None:
        """Wait until the client has read most of what it was sent before, then send."""
        kind = "text" if isinstance(message, str) else "bytes"
        if self._websocket.application_state is WebSocketState.DISCONNECTED:  # the other task noticed first
            raise WebSocketDisconnect(ABNORMAL)
        self._check_key()
        await self._websocket.send({"type": "websocket.send", kind: message})

    def _check_key(self) -> None:
        if not self._still_allowed():
            raise Closed(REFUSED, "the API key is no longer valid")


def open_session(
    service: Service, request: SolveRequest, version: int
) -> tuple[LiveSession, list[bytes], Answer]:
    """A session, its first board, and the answer. Takes a while: for a thread of the pool."""
    session = LiveSession(request, service.tilesets.load(request.tileset), service.limits)
    answer = session.describe_problem() | session.describe()
    return session, [session.show_board(version).encode()], answer


def encode_frames(shown: Shown) -> tuple[list[bytes], Answer]:
    """Frames as messages."""
    frames, answer = shown
    return [frame.encode() for frame in frames], answer


def name_answer(command: Any) -> Answer:
    """What every answer begins with."""
    return {"answer": command.command, "version": command.version}


def superseded_problem() -> Problem:
    """What a command is answered that a newer one made pointless."""
    return Problem(409, "a newer command came before this one was done", error="Superseded",
                   advice="Nothing needs to be done: the answer to the newer one follows.")  # fmt: skip
