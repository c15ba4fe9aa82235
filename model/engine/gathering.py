"""Requests of many threads, gathered into few calls.

A call to another process costs as much for one run as for sixteen. While calls are under way, what is asked meanwhile
waits, and goes together in the next one. A request that comes alone waits for nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Condition
from typing import Generic, TypeVar

CALLS_AT_ONCE = 2  # one is computed while the answers of the other travel
GATHER_SECONDS = 0.002

Request = TypeVar("Request")
Answer = TypeVar("Answer")


class Gathering(Generic[Request, Answer]):
    """Gathers requests. It has no thread of its own: one of the threads that ask makes the call for those that wait."""

    def __init__(
        self,
        call: Callable[[Sequence[Request]], Sequence[Answer | Exception]],
        size: Callable[[Request], int],
        most: int,
        calls_at_once: int = CALLS_AT_ONCE,
    ) -> None:
        """`call` answers requests in their order; an exception among the answers is raised where it was asked for.

        The sizes of the requests of a call make at most `most` together. A larger request goes alone. At most
        `calls_at_once` calls are under way.
        """
        self._call, self._size, self._most, self._calls_at_once = call, size, most, calls_at_once
        self._changed = Condition()
        self._waiting: deque[tuple[Request, Future[Answer]]] = deque()
        self._calls = 0  # under way

    def ask(self, request: Request) -> Answer:
        """The answer to one request. Raises its exception, or the one that the call raised."""
        answer: Future[Answer] = Future()
        with self._changed:
            self._waiting.append((request, answer))
        while not answer.done():
            if together := self._take_turn(answer):
                self._make_call(together)
        return answer.result()

    def _take_turn(self, answer: Future[Answer]) -> list[tuple[Request, Future[Answer]]]:
        """The requests of the next call, which this thread makes; none if the answer is there before its turn."""
        with self._changed:
            self._changed.wait_for(lambda: answer.done() or self._has_turn())
            if self._calls:  # those that the last call answered come back one after another
                self._changed.wait_for(answer.done, GATHER_SECONDS)
            if answer.done() or not self._has_turn():
                return []
            self._calls += 1
            return self._take()

    def _has_turn(self) -> bool:
        return bool(self._waiting) and self._calls < self._calls_at_once

    def _take(self) -> list[tuple[Request, Future[Answer]]]:
        """Those that have waited longest, as many as fit into one call."""
        together = [self._waiting.popleft()]
        room = self._most - self._size(together[0][0])
        while self._waiting and (room := room - self._size(self._waiting[0][0])) >= 0:
            together.append(self._waiting.popleft())
        return together

    def _make_call(self, together: Sequence[tuple[Request, Future[Answer]]]) -> None:
        answers: Sequence[Answer | BaseException]
        try:
            answers = self._call([request for request, _ in together])
        except BaseException as error:  # each thread that waits for this call raises it
            answers = [error] * len(together)
        with self._changed:
            self._calls -= 1
            for (_, future), answer in zip(together, answers, strict=True):
                if isinstance(answer, BaseException):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)
            self._changed.notify_all()
