"""The hub of the tests, and a machine that has added nothing, as in `tests/model/adding`."""

from tests.model.adding.conftest import empty_machine, hub, hub_of_session

__all__ = ["empty_machine", "hub", "hub_of_session"]
