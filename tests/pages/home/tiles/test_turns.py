"""Turns that are fair: nobody waits for all requests of another."""

from __future__ import annotations

import asyncio

import pytest

from pages.home.tiles.turns import FairTurns, TooManyWaiting
from tests.own_loop import run_in_own_loop


class Crowd:
    """Requests that wait at one `FairTurns`. Each holds its turn until it is told to go."""

    def __init__(self, turns: FairTurns) -> None:
        self.turns, self.began, self.refused = turns, list[str](), list[str]()
        self.gates: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, *names: str) -> None:
        """Ask in this order. The network is the first letter of a name, the run the second: "a1"."""
        for name in names:
            self.gates[name] = asyncio.Event()
            self.tasks[name] = asyncio.create_task(self._request(name))
            await self.rest()

    async def _request(self, name: str) -> None:
        try:
            async with self.turns.take(name[0], name[1]):
                self.began.append(name)
                await self.gates[name].wait()
        except TooManyWaiting:
            self.refused.append(name)

    async def go(self, name: str) -> None:
        self.gates[name].set()
        await self.rest()

    async def rest(self) -> None:
        for _ in range(6):
            await asyncio.sleep(0)

    async def finish(self) -> list[str]:
        """All go, in the order in which they began."""
        done = 0
        while done < len(self.began):
            await self.go(self.began[done])
            done += 1
        return self.began


def test_no_more_than_the_places_at_once() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(2))
        await crowd.ask("a1", "a2", "a3", "b1")
        assert crowd.began == ["a1", "a2"]
        await crowd.go("a2")
        assert crowd.began == ["a1", "a2", "a3"]
        assert await crowd.finish() == ["a1", "a2", "a3", "b1"]
        await crowd.ask("c1", "c2")  # all places are free again
        assert crowd.began[-2:] == ["c1", "c2"]
        await crowd.finish()

    run_in_own_loop(run())


def test_clients_take_turns_however_much_one_asks_for() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1))
        await crowd.ask(*(f"a{number}" for number in range(6)), "b0", "c0", "b1")
        assert await crowd.finish() == ["a0", "a1", "b0", "c0", "a2", "b1", "a3", "a4", "a5"]

    run_in_own_loop(run())


def test_the_runs_of_one_network_take_turns_and_delay_no_other_network() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1))
        await crowd.ask("a00", "a01", "a02", "a03", "a10", "b00", "b01")
        assert await crowd.finish() == ["a00", "a01", "b00", "a10", "b01", "a02", "a03"]

    run_in_own_loop(run())


def test_what_is_too_much_for_one_network_is_refused_to_the_run_that_has_most() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1, max_waiting_of_network=2))
        await crowd.ask("a00", "a01", "a02", "a03")
        assert crowd.refused == ["a03"]
        await crowd.ask("a10", "b00", "b01")
        assert crowd.refused == ["a03", "a02"]
        await crowd.ask("a20")  # as much as the others have: the newcomer loses
        assert crowd.refused == ["a03", "a02", "a20"]
        assert await crowd.finish() == ["a00", "a01", "b00", "a10", "b01"]

    run_in_own_loop(run())


def test_what_is_too_much_for_all_is_refused_to_the_network_that_has_most_and_never_to_a_newcomer() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1, max_waiting_in_all=4))
        await crowd.ask("z00", "a00", "a01", "a02", "a10", "b00", "c00")
        assert crowd.refused == ["a02", "a01"]  # the newest of the run that has most
        await crowd.ask("a03")
        assert crowd.refused == ["a02", "a01", "a03"]
        assert await crowd.finish() == ["z00", "a00", "b00", "c00", "a10"]
        await crowd.ask(*(f"{network}{number}" for network in "abcde" for number in range(2)))  # nothing is left over
        assert await crowd.finish()
        assert not crowd.turns._waiting
        assert not crowd.turns._counts

    run_in_own_loop(run())


def test_who_leaves_makes_room_for_others() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1, max_waiting_of_network=2))
        await crowd.ask("a0", "a1", "a2")
        crowd.tasks["a1"].cancel()
        await crowd.rest()
        await crowd.ask("a3")
        assert not crowd.refused
        assert await crowd.finish() == ["a0", "a2", "a3"]

    run_in_own_loop(run())


def test_who_leaves_while_waiting_or_when_its_turn_comes_takes_no_turn_away() -> None:
    async def run() -> None:
        crowd = Crowd(FairTurns(1))
        await crowd.ask("a0", "b0", "c0", "d0")
        crowd.tasks["b0"].cancel()
        await crowd.rest()
        crowd.gates["a0"].set()
        await asyncio.sleep(0)  # c0 has been given the turn, but has not run
        crowd.tasks["c0"].cancel()
        await crowd.rest()
        assert crowd.began[-1] == "d0"
        await crowd.finish()
        await crowd.ask("e0")
        assert crowd.began[-1] == "e0"
        await crowd.finish()

    run_in_own_loop(run())


def test_an_error_gives_the_turn_back() -> None:
    async def run() -> None:
        turns = FairTurns(1)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                async with turns.take("a", 0):
                    raise ZeroDivisionError

    run_in_own_loop(run())
