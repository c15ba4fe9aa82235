"""Where a model computes: the choice of the device, and the way there and back."""

from __future__ import annotations

import pytest
import torch

from model import device as devices
from model import load
from model.device import PLAIN, Placement, choose, copy_to, to_cpu, within_memory
from model.errors import DeviceFull, DeviceMissing
from tests.model import networks, standin
from tests.model.devices import OTHERS, lend, on_the_standin


def has(monkeypatch: pytest.MonkeyPatch, *, cuda: bool, mps: bool) -> None:
    """A machine with these GPUs and no setting."""
    monkeypatch.delenv("GLASSFORMER_DEVICE")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)


@pytest.mark.parametrize(
    ("cuda", "mps", "first"), [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu"), (True, False, "cuda")]
)
def test_auto_takes_cuda_then_mps_then_the_cpu(monkeypatch, cuda: bool, mps: bool, first: str) -> None:
    has(monkeypatch, cuda=cuda, mps=mps)
    assert choose() == Placement(torch.device(first), torch.float32)
    assert choose("cpu") == PLAIN


def test_the_environment_says_what_auto_means_and_an_argument_overrules_it(monkeypatch) -> None:
    has(monkeypatch, cuda=False, mps=True)
    monkeypatch.setenv("GLASSFORMER_DEVICE", "cpu")
    monkeypatch.setenv("GLASSFORMER_DTYPE", "bfloat16")
    assert choose() == Placement(torch.device("cpu"), torch.bfloat16)
    assert choose("mps", "float16") == Placement(torch.device("mps"), torch.float16)
    assert choose("mps", torch.float32) == Placement(torch.device("mps"), torch.float32)


@pytest.mark.parametrize(
    ("device", "dtype", "said"),
    [
        ("tpu", "auto", "'tpu'. Choose one of auto, cuda, mps, cpu"),
        ("cuda", "auto", "no cuda device on this machine; it has: mps, cpu.*GLASSFORMER_DEVICE"),
        ("cpu", "float64", "'float64'. Choose one of float32, bfloat16, float16"),
    ],
)
def test_a_place_that_is_not_here_is_an_error_that_names_the_choices(monkeypatch, device, dtype, said) -> None:
    has(monkeypatch, cuda=False, mps=True)
    with pytest.raises(DeviceMissing, match=said):
        choose(device, dtype)
    monkeypatch.setenv("GLASSFORMER_DEVICE", device)
    monkeypatch.setenv("GLASSFORMER_DTYPE", dtype)
    with pytest.raises(DeviceMissing, match=said):
        load("tiny-lm")


def test_a_gpu_is_told_to_multiply_float32_as_float32(monkeypatch) -> None:
    has(monkeypatch, cuda=True, mps=False)
    monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)
    before = torch.get_float32_matmul_precision()
    try:
        torch.set_float32_matmul_precision("high")
        choose("cpu")
        assert torch.get_float32_matmul_precision() == "high"  # no business of a model on the CPU
        choose("cuda")
        assert torch.get_float32_matmul_precision() == "highest"
        assert not torch.backends.cudnn.allow_tf32
    finally:
        torch.set_float32_matmul_precision(before)


def test_a_place_says_what_it_is() -> None:
    assert (PLAIN.title, PLAIN.width, PLAIN.note, str(PLAIN)) == ("CPU", "float32", "", "cpu float32")
    half = Placement(torch.device("mps"), torch.float16)
    assert half.title == "Apple GPU (mps)"
    assert half.note == "in float16, where a tensor is off by up to 2% of its size"


def test_what_is_on_the_cpu_is_not_copied() -> None:
    tensors = {"a": torch.randn(3), "b": torch.randn(2, 2)}
    assert all(to_cpu(tensors)[name] is tensor for name, tensor in tensors.items())
    network = networks.network()
    assert copy_to(network, PLAIN) is network


@pytest.mark.parametrize("device", OTHERS)
def test_a_run_comes_to_the_cpu_whole_and_a_tensor_of_two_names_stays_one(device: str) -> None:
    here = {"a": torch.randn(3, 4), "b": torch.tensor(2.5), "c": torch.randn(5, 2, dtype=torch.float16)}
    there = {name: tensor.to(device) for name, tensor in here.items()}
    there |= {"a turned": there["a"].mT, "a again": there["a"]}
    back = to_cpu(there)
    assert list(back) == list(there)
    for name, tensor in (here | {"a turned": here["a"].mT, "a again": here["a"]}).items():
        assert back[name].device.type == "cpu"
        assert torch.equal(back[name], tensor.float())
    assert back["a again"] is back["a"]


@pytest.mark.parametrize("device", OTHERS)
def test_a_copy_keeps_tied_tables_tied_and_leaves_the_network_where_it_is(device: str) -> None:
    network = networks.variant("one vocabulary")
    network.encoder.blocks[0].ffn.expand.weight.requires_grad_(True)
    there = copy_to(network, Placement(torch.device(device), torch.float16))
    assert there.decoder.embed.tokens.weight is there.encoder.embed.tokens.weight
    assert {(weights.device.type, weights.dtype) for weights in there.parameters()} == {(device, torch.float16)}
    assert {weights.device.type for weights in network.parameters()} == {"cpu"}
    assert there.encoder.blocks[0].ffn.expand.weight.requires_grad
    assert len(list(there.parameters())) == len(list(network.parameters()))


@pytest.mark.parametrize(
    "error",
    [torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)")],
)
def test_a_full_gpu_is_one_message_that_says_what_to_do(error: RuntimeError) -> None:
    with pytest.raises(DeviceFull, match=r'memory of the GPU is full.*Shorten the text.*device="cpu"'), within_memory():
        raise error


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(RuntimeError, match="shapes cannot be multiplied"), within_memory():
        torch.zeros(2, 3) @ torch.zeros(2, 3)


@on_the_standin
class TestStandin:
    """The stand-in is as strict as a GPU, or more: else the tests that use it would prove nothing."""

    def test_a_tensor_that_was_made_without_a_device_is_refused(self) -> None:
        there = torch.randn(3, device=standin.KIND)
        with pytest.raises(RuntimeError, match="meets a tensor of the CPU"):
            there + torch.ones(3)
        with pytest.raises(RuntimeError, match="meets a tensor of the CPU"):
            torch.cat((there, torch.ones(3)))
        assert (there + 1).device.type == standin.KIND

    def test_numpy_cannot_read_it(self) -> None:
        with pytest.raises((RuntimeError, TypeError)):
            torch.ones(3, device=standin.KIND).numpy()

    def test_it_has_no_float64(self) -> None:
        with pytest.raises(TypeError, match="no float64"):
            torch.ones(3, device=standin.KIND).double()

    def test_it_computes_what_the_cpu_computes_also_gradients(self) -> None:
        x, w = torch.randn(4, 3), torch.randn(2, 3)
        there = w.to(standin.KIND).requires_grad_()
        (x.to(standin.KIND) @ there.mT).square().sum().backward()
        here = w.clone().requires_grad_()
        (x @ here.mT).square().sum().backward()
        assert torch.allclose(there.grad.cpu(), here.grad)

    def test_its_memory_can_be_full(self, monkeypatch) -> None:
        monkeypatch.setattr(standin.BACKEND, "limit", 100)
        assert torch.ones(25, device=standin.KIND).nbytes == 100
        with pytest.raises(torch.OutOfMemoryError):
            torch.ones(26, device=standin.KIND)

    def test_auto_does_not_take_it(self, monkeypatch) -> None:
        lend(monkeypatch)
        assert choose().device.type != standin.KIND
        assert choose(standin.KIND) == Placement(torch.device(standin.KIND), torch.float32)
        assert standin.KIND in devices.present_kinds()
