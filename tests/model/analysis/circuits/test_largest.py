import torch

from model.analysis.circuits.largest import EndsKeeper


def test_blocks_have_the_ends_of_the_whole() -> None:
    whole = torch.randn(3, 50, generator=torch.Generator().manual_seed(0))
    keeper = EndsKeeper(3, 6)
    for start in (0, 4, 40, 49):
        stop = {0: 4, 4: 40, 40: 49, 49: 50}[start]
        keeper.add(start, whole[:, start:stop])
    ends = keeper.ends
    assert ends.most_ids.tolist() == whole.topk(6).indices.tolist()
    assert ends.most.tolist() == whole.topk(6).values.tolist()
    assert ends.least_ids.tolist() == (-whole).topk(6).indices.tolist()
    assert ends.least.tolist() == (-(-whole).topk(6).values).tolist()
