"""How long threads of torch spin, waiting for one another, before they let other programs have the processor.

torch divides a product among threads, one for each core. A thread that is done spins in a loop until the others are
done, so that it goes on at once. Where other programs want the cores, too, a spinning thread may keep a core busy for
many milliseconds, while the thread that it waits for has no core. Two programs that each ran SmolLM2 over 128 tokens
on the same two cores took 6 s a run. With a shorter wait they took 0.65 s. Alone, a run takes 0.18 s either way.
"""

from __future__ import annotations

from collections.abc import MutableMapping

SPINS = "GOMP_SPINCOUNT"  # a variable of libgomp, with which torch is built for Linux; others do not know it
# A fraction of a millisecond, longer than the time between two products. So a step of SmolLM2 takes 28 ms, as with
# libgomp's own 300,000. With 1,000 it would take 48 ms: threads that sleep wake up too late.
COUNT = 10_000
OF_AN_OPERATOR = (SPINS, "OMP_WAIT_POLICY")


def shorten_spin_wait(environment: MutableMapping[str, str]) -> None:
    """Make waiting threads of torch spin for a short time. Call it before torch is loaded, which reads the value once.

    Nothing is changed where an operator has set one of the variables `OF_AN_OPERATOR`.
    """
    if not any(name in environment for name in OF_AN_OPERATOR):
        environment[SPINS] = str(COUNT)
