"""Turns at the processor: one after another, and who gives way waits for all of them, but not for ever."""

from threading import Event, Thread

from pages.shared.model_runs.processor_turns import ProcessorTurns


def test_the_second_waits_for_the_first() -> None:
    turns, inside, end = ProcessorTurns(1), Event(), Event()

    def first() -> None:
        with turns.take():
            inside.set()
            end.wait(5)

    thread = Thread(target=first)
    thread.start()
    assert inside.wait(5)
    entered = Event()

    def second() -> None:
        with turns.take():
            entered.set()

    other = Thread(target=second)
    other.start()
    assert not turns.give_way(0.01)
    assert not entered.is_set()
    end.set()
    assert entered.wait(5)
    thread.join()
    other.join()
    assert turns.give_way(0)


def test_a_turn_ends_with_an_error_too() -> None:
    turns = ProcessorTurns(1)
    try:
        with turns.take():
            raise ValueError
    except ValueError:
        pass
    assert turns.give_way(0)
    with turns.take():
        assert not turns.give_way(0)


def test_a_turn_that_is_lent_is_anothers_and_comes_back_after_it() -> None:
    turns, inside, end, back = ProcessorTurns(1), Event(), Event(), Event()

    def other() -> None:
        with turns.take():
            inside.set()
            end.wait(5)

    def first() -> None:
        with turns.take():
            with turns.lend():
                thread.start()
                assert inside.wait(5)
                assert not turns.give_way(0), "who lends a turn still wants it"
            back.set()
            assert end.is_set()

    thread, lender = Thread(target=other), Thread(target=first)
    lender.start()
    assert inside.wait(5)
    assert not back.wait(0.01)
    end.set()
    assert back.wait(5)
    lender.join()
    thread.join()
    assert turns.give_way(0)
