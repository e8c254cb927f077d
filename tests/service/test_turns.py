"""Turns: first come, first served, one at a time for each resource."""

import asyncio

import pytest

from wavefold.service import turns as module
from wavefold.service.pool import ClientLeft
from wavefold.service.problems import Problem
from wavefold.service.turns import Turns


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
        async with turns.take("a", Client()), asyncio.timeout(10), turns.take("b", Client()):
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
