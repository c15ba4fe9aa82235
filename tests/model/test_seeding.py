"""Starting weights from a seed: the same in every session, also when several make networks at once."""

from concurrent.futures import ThreadPoolExecutor

import torch

from model.experiments.gradient_by_distance import make_untrained
from model.experiments.gradients import fresh
from model.seeding import seeded
from model.train.live import make_network as live_network
from model.train.live_tasks import Setup, make
from tests.model.networks import config


def weights(network: torch.nn.Module) -> list[torch.Tensor]:
    return [parameter.detach() for parameter in network.parameters()]


def test_the_generator_is_left_as_it_was() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    with seeded(8):
        torch.rand(5)
    assert torch.equal(torch.rand(2), expected)


def test_sessions_that_make_networks_at_once_get_the_same_weights() -> None:
    task, shape = make(Setup("reverse")), config()
    makers = [
        lambda: live_network(task, 0),
        lambda: make_untrained(shape, 0),
        lambda: fresh(shape, depth=2, residual=True, norm=True),
    ] * 12
    alone = [weights(make()) for make in makers[:3]]
    with ThreadPoolExecutor(6) as threads:
        together = list(threads.map(lambda make: weights(make()), makers))
    for place, found in enumerate(together):
        assert all(torch.equal(a, b) for a, b in zip(found, alone[place % 3], strict=True))
