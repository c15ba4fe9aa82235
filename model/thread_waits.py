"""How long threads of torch wait for one another before they let others have the processor.

torch divides a product among threads, one for each core. Who is done first waits for the others in a loop, so that it
goes on at once. Where other programs want the cores, too, the thread that is waited for may have no turn, while the one
that waits keeps a core busy for many milliseconds. Two programs that each ran SmolLM2 over 128 tokens on the same two
cores took 6 s a run. With a shorter wait they took 0.65 s. Alone, a run takes 0.18 s either way.
"""

from __future__ import annotations

from collections.abc import MutableMapping

SPINS = "GOMP_SPINCOUNT"  # a variable of libgomp, with which torch is built for Linux; others do not know it
# A fraction of a millisecond, longer than the time between two products. So a step of SmolLM2 takes 28 ms, as with
# libgomp's own 300,000. With 1,000 it would take 48 ms: threads that sleep wake up too late.
COUNT = 10_000
OF_AN_OPERATOR = (SPINS, "OMP_WAIT_POLICY")


def shorten_waits(environment: MutableMapping[str, str]) -> None:
    """Let threads that wait spin for a short time. To be called before torch is loaded, which reads it once.

    A variable by which an operator says how threads wait has the last word.
    """
    if not any(name in environment for name in OF_AN_OPERATOR):
        environment[SPINS] = str(COUNT)
