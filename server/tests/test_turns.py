"""Turns: first come, first served, one at a time for each resource."""

import asyncio

import pytest

from wavefold_server import turns as module
from wavefold_server.pool import ClientLeft
from wavefold_server.problems import Problem
from wavefold_server.turns import ConflictTurns, Turns


class Client:
    """A request whose client leaves when told to."""

    def __init__(self):
        self.left = asyncio.Event()

    async def receive(self):
        await self.left.wait()
        return {"type": "http.disconnect"}


def test_turns_are_taken_one_at_a_time_in_order():
    async def run():
        turns, order, inside = Turns(), [], []

        async def work(number):
            async with turns.take("a", Client()):
                inside.append(number)
                await asyncio.sleep(0)
                assert inside == [number]
                inside.remove(number)
                order.append(number)

        await asyncio.gather(*(work(number) for number in range(5)))
        return order

    assert asyncio.run(run()) == [0, 1, 2, 3, 4]


def test_resources_do_not_wait_for_each_other():
    async def run():
        turns = Turns()
        async with turns.take("a", Client()), asyncio.timeout(300), turns.take("b", Client()):
            return True

    assert asyncio.run(run())


def test_who_leaves_while_waiting_does_not_hold_up_the_others():
    async def run():
        turns, leaving, done = Turns(), Client(), []

        async def work(name, client):
            async with turns.take("a", client):
                done.append(name)

        async with turns.take("a", Client()):
            first = asyncio.create_task(work("first", leaving))
            second = asyncio.create_task(work("second", Client()))
            await asyncio.sleep(0)
            leaving.left.set()
            with pytest.raises(ClientLeft):
                await first
            assert done == []
        await second
        return done

    assert asyncio.run(run()) == ["second"]


def test_too_many_who_wait_are_sent_away(monkeypatch):
    monkeypatch.setattr(module, "MOST_WAITING", 1)

    async def run():
        turns = Turns()
        async with turns.take("a", Client()):
            with pytest.raises(Problem) as found:
                async with turns.take("a", Client()):
                    pass
        return found.value

    problem = asyncio.run(run())
    assert problem.status == 503
    assert problem.headers == {"Retry-After": "2"}


# --- after conflicts --------------------------------------------------------------------------------


def test_after_a_conflict_the_other_client_comes_first(monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 60)

    async def run():
        turns, order = ConflictTurns(), []
        turns.note_change("a", ("fast",))
        turns.note_conflict("a", ("slow",))

        async def change(client):
            await turns.give_way("a", client)
            order.append(client[0])
            turns.note_change("a", client)

        fast = asyncio.create_task(change(("fast",)))
        for _ in range(5):
            await asyncio.sleep(0)
        await change(("slow",))
        await fast
        await change(("slow",))  # without a conflict, there is nothing to wait for
        await change(("slow",))
        return order

    assert asyncio.run(run()) == ["slow", "fast", "slow", "slow"]


def test_a_client_that_does_not_try_again_is_not_waited_for_long(monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.001)

    async def run():
        turns = ConflictTurns()
        turns.note_change("a", ("fast",))
        turns.note_conflict("a", ("slow",))
        async with asyncio.timeout(10):
            await turns.give_way("a", ("fast",))
            await turns.give_way("a", ("other",))
        return turns

    assert vars(asyncio.run(run()))["_retries"] == {}


def test_conflicts_with_itself_and_about_other_resources_make_nobody_wait(monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 60)

    async def run():
        turns = ConflictTurns()
        turns.note_conflict("a", ("slow",))  # nothing was changed before
        turns.note_change("a", ("fast",))
        turns.note_conflict("a", ("fast",))
        turns.note_change("b", ("fast",))
        turns.note_conflict("b", ("slow",))
        turns.forget("b")
        async with asyncio.timeout(10):
            await turns.give_way("a", ("fast",))
            await turns.give_way("b", ("fast",))

    asyncio.run(run())
