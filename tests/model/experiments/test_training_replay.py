"""A published training, replayed: by the real client of the hub, against `transformers`."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest
import torch
from huggingface_hub import constants, hf_hub_download

from model import Model, load
from model.adding import download
from model.adding.add import add
from model.adding.borrowing import alone_with, kept_revisions, remove_kept
from model.adding.revisions import Revision, choose_revisions, list_revisions
from model.analysis.induction import LENGTH
from model.errors import HubError, ModelMismatch
from model.experiments import kept_measures, training_replay
from model.experiments.checkpoints import Measures, repeated_ids
from model.experiments.training_replay import Replay
from tests.conftest import loaded
from tests.model.adding.conftest import empty_machine, hub, hub_of_session
from tests.model.adding.hub_server import TOKEN, HubServer, Repository, repository_of
from tests.model.adding.tiny_training import NAME, STEPS, commit_of, make_steps, publish
from tests.model.zoo import tiny_families

__all__ = ["empty_machine", "hub", "hub_of_session"]

pytestmark = pytest.mark.slow  # each test downloads the steps of a training
TEXT = "I am a robot and I am a cat"
Made = dict[int, tuple[Any, Path]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    return make_steps(tmp_path_factory.mktemp("neox"))


@pytest.fixture
def repository(hub: HubServer, made: Made) -> Repository:
    return publish(hub, made)


@pytest.fixture
def base(repository: Repository) -> Model:
    """The model as a reader has added it: its main branch."""
    add(NAME)
    return load(NAME)


def replay_of(base: Model, **how: Any) -> Replay:
    return Replay(base, list_revisions(NAME), TEXT, **how)


def weights_here(machine: Path) -> set[str]:
    """The commits whose weights are on the disk."""
    return {path.parent.name for path in (machine / "hub").rglob("snapshots/*/*.safetensors")}


def downloads(repository: Repository, step: int) -> int:
    asked = repository.revisions[f"step{step}"].asked
    return sum(line.startswith("GET model.safetensors") and not line.endswith("-100000") for line in asked)


@torch.no_grad()
def test_every_step_has_the_numbers_of_transformers(base: Model, made: Made) -> None:
    replay = replay_of(base)
    replay.work(lambda: True)
    view = replay.view()
    assert (view.fault, view.over, tuple(view.measures)) == ("", True, STEPS)
    ids = torch.tensor([[token.id for token in base.tokens_of(TEXT)]])
    repeated = torch.tensor([repeated_ids(base)])
    assert repeated.shape == (1, 2 * LENGTH)
    for step, (reference, _) in made.items():
        measures, out = view.measures[step], reference(ids, output_attentions=True)
        losses = torch.nn.functional.cross_entropy(out.logits[0, :-1], ids[0, 1:], reduction="none")
        assert np.allclose(measures.losses, losses, atol=1e-4)
        assert measures.loss == pytest.approx(float(reference(ids, labels=ids).loss), abs=1e-4)
        assert np.allclose(measures.weights, torch.cat(out.attentions), atol=1e-3)
        shares, likeliest = out.logits[0, -1].softmax(-1).topk(5)
        assert measures.next_ids.tolist() == likeliest.tolist()
        assert np.allclose(measures.next_shares, shares, atol=1e-5)
        assert np.allclose(measures.induction, prefix_matching(reference, repeated), atol=1e-4)
        written = reference.generate(ids, max_new_tokens=14, do_sample=False, eos_token_id=None)[0, ids.shape[1] :]
        assert measures.answer.tolist() == until_end(written.tolist(), base.tokenizer.end)
    assert len({measures.digest for measures in view.measures.values()}) == len(STEPS)
    assert view.same_files == []


def prefix_matching(reference: Any, repeated: torch.Tensor) -> np.ndarray:
    """The mean weight of each token of the second half on the one that followed it in the first: (layers, heads)."""
    half = repeated.shape[1] // 2
    maps = torch.cat(reference(repeated, output_attentions=True).attentions)  # (layers, heads, queries, keys)
    return np.array([[np.mean([m[q, q - half + 1] for q in range(half, 2 * half)]) for m in heads] for heads in maps])


def until_end(ids: list[int], end: int | None) -> list[int]:
    return ids[: ids.index(end)] if end in ids else ids


def test_one_revision_is_on_the_disk_at_a_time(base: Model, repository: Repository, empty_machine: Path) -> None:
    added, most = weights_here(empty_machine), 0

    def look() -> bool:
        nonlocal most
        most = max(most, len(weights_here(empty_machine) - added))
        return True

    replay_of(base).work(look)
    assert most == 1
    assert weights_here(empty_machine) == added
    assert load(NAME).trace(TEXT).logits.shape[0] > 1, "the added model is whole"
    assert [downloads(repository, step) for step in STEPS[:-1]] == [1] * 5
    assert downloads(repository, STEPS[-1]) == 0, "its weights are those of the added model, whose file is here"
    shared = [line for each in repository.revisions.values() for line in each.asked if "GET tokenizer" in line]
    assert not shared, "all steps have the tokenizer of the added model"


def test_files_are_kept_when_asked_and_removed_when_asked(
    base: Model, repository: Repository, empty_machine: Path
) -> None:
    added = weights_here(empty_machine)
    replay = replay_of(base, keep=True)
    assert replay.count_downloads() == len(STEPS)
    replay.work(lambda: True)
    assert weights_here(empty_machine) - added == {commit_of(step) for step in STEPS}
    other = Replay(base, list_revisions(NAME), "I am a cat")
    assert other.count_downloads() == 0
    other.work(lambda: True)
    assert tuple(other.view().measures) == STEPS
    assert [downloads(repository, step) for step in STEPS[:-1]] == [1] * 5
    assert weights_here(empty_machine) - added == {commit_of(step) for step in STEPS}, (
        "another sentence takes none away"
    )
    assert len(kept_revisions(NAME)) == len(STEPS)
    assert kept_revisions("someone/else") == []
    remove_kept(NAME)
    assert weights_here(empty_machine) == added
    assert kept_revisions(NAME) == []


def test_two_readers_fetch_each_step_once(base: Model, repository: Repository, empty_machine: Path) -> None:
    repository.revisions["step0"].gate = gate = Event()
    replays = [replay_of(base), replay_of(base)]
    threads = [Thread(target=each.work, args=(lambda: True,)) for each in replays]
    for thread in threads:
        thread.start()
    assert repository.revisions["step0"].is_held.wait(30)
    gate.set()
    for thread in threads:
        thread.join(60)
    assert [tuple(each.view().measures) for each in replays] == [STEPS, STEPS]
    assert [downloads(repository, step) for step in STEPS[:-1]] == [1] * 5
    assert weights_here(empty_machine) == {repository.commit}


def test_what_was_measured_is_kept_before_another_reader_may_look(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def wait(*_: object) -> None:
        raise InterruptedError

    def write(*given: Any) -> None:
        with pytest.raises(InterruptedError), alone_with(NAME, wait):
            pass
        write_kept(*given)

    write_kept = training_replay.write_kept
    monkeypatch.setattr(training_replay, "write_kept", write)
    replay = replay_of(base)
    replay.work(lambda: True)
    assert tuple(replay.view().measures) == STEPS


def test_who_waits_for_another_reader_may_stop(base: Model) -> None:
    replay, told = replay_of(base), []

    def go_on() -> bool:
        told.append(replay.view().doing)
        return "another reader" not in told[-1]

    with alone_with(NAME, lambda doing, share: None):
        replay.work(go_on)
    assert told[-1] == "Waiting for another reader of this model"
    assert not replay.view().measures


def test_what_others_have_downloaded_stays(base: Model, repository: Repository, empty_machine: Path) -> None:
    for name in repository.revisions["step4"].files:
        hf_hub_download(NAME, name, revision=commit_of(4))
    replay_of(base).work(lambda: True)
    assert commit_of(4) in weights_here(empty_machine)
    assert commit_of(8) not in weights_here(empty_machine)


def test_it_stops_and_goes_on_where_it_was(base: Model, repository: Repository, empty_machine: Path) -> None:
    replay = replay_of(base)
    replay.work(lambda: not (replay.view().step == 4 and replay.view().share > 0.3))
    view = replay.view()
    assert (tuple(view.measures), view.over, view.fault) == ((0, 1, 2), False, "")
    (part,) = (empty_machine / "hub").rglob("*.part")
    held = part.stat().st_size
    assert 0 < held < len(repository.revisions["step4"].files["model.safetensors"])
    again = replay_of(base)  # another program, or this one after a restart
    assert tuple(again.view().measures) == (0, 1, 2)
    again.work(lambda: True)
    assert tuple(again.view().measures) == STEPS
    assert f"GET model.safetensors bytes={held}-" in repository.revisions["step4"].asked
    assert [downloads(repository, step) for step in (0, 1, 2)] == [1, 1, 1]
    assert not list((empty_machine / "hub").rglob("*.part"))


def test_what_a_killed_program_has_left_is_removed(
    base: Model, empty_machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> Measures:
        raise SystemExit

    added = weights_here(empty_machine)
    with monkeypatch.context() as patch:
        patch.setattr(training_replay, "measure", die)
        patch.setattr("model.adding.borrowing.delete_commit", lambda repository, commit: die())
        with pytest.raises(SystemExit):
            replay_of(base).work(lambda: True)
    assert weights_here(empty_machine) - added == {commit_of(0)}
    revisions = [each for each in list_revisions(NAME) if each.step == 8]
    Replay(base, revisions, TEXT).work(lambda: True)
    assert weights_here(empty_machine) == added


def test_the_same_file_under_two_steps_is_fetched_once_and_told(base: Model, repository: Repository) -> None:
    repository.revisions["step1"].files = repository.revisions["step0"].files
    replay = replay_of(base)
    replay.work(lambda: True)
    assert replay.view().same_files == [[0, 1]]
    assert downloads(repository, 1) == 0
    assert replay_of(base).view().same_files == [[0, 1]], "it is known from the disk, too"


def test_a_step_without_safetensors_is_left_out(base: Model, repository: Repository) -> None:
    files = repository.revisions["step2"].files
    files["pytorch_model.bin"] = files.pop("model.safetensors")
    replay = replay_of(base)
    replay.work(lambda: True)
    view = replay.view()
    assert tuple(view.measures) == (0, 1, 4, 8, 1000)
    assert "a pickle" in view.left_out[2]
    assert view.over


def test_a_step_that_is_gone_since_it_was_listed_is_left_out(base: Model, repository: Repository) -> None:
    replay = replay_of(base)
    del repository.revisions["step4"]
    replay.work(lambda: True)
    assert tuple(replay.view().measures) == (0, 1, 2, 8, 1000)
    assert "no revision of the name" in replay.view().left_out[4]


def test_a_step_of_another_shape_is_left_out(base: Model, repository: Repository, tmp_path: Path) -> None:
    tiny_families.make("gpt_neox", tmp_path / "larger", num_hidden_layers=4)
    repository.revisions["step2"] = repository_of(tmp_path / "larger", commit=commit_of(2))
    replay = replay_of(base)
    replay.work(lambda: True)
    assert "another number of layers" in replay.view().left_out[2]


def test_a_full_disk_ends_it_in_words(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SPARE_BYTES", 1 << 60)
    replay = replay_of(base)
    replay.work(lambda: True)
    assert "Make room there" in replay.view().fault
    assert not replay.view().over


def test_no_network_ends_it_in_words_and_what_was_measured_stays(base: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    revisions = list_revisions(NAME)
    Replay(base, revisions[:2], TEXT).work(lambda: True)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    assert list_revisions(NAME) == revisions, "as they were listed before"
    replay = Replay(base, revisions, TEXT)
    replay.work(lambda: True)
    assert "does not answer" in replay.view().fault
    assert tuple(replay.view().measures) == (0, 1)


def test_a_model_of_this_machine_and_an_encoder_have_no_replay() -> None:
    with pytest.raises(ModelMismatch, match="does not come from the hub"):
        Replay(loaded("tiny-lm"), (), TEXT)
    with pytest.raises(ModelMismatch, match="writes no text token by token"):
        Replay(loaded("tiny-encoder"), (), TEXT)


def test_what_is_kept_is_bounded(base: Model, monkeypatch: pytest.MonkeyPatch, empty_machine: Path) -> None:
    replay = replay_of(base)
    replay.work(lambda: True)
    folder = kept_measures.folder_of_checkpoints()
    size = max(path.stat().st_size for path in folder.glob("*.npz"))
    monkeypatch.setattr(kept_measures, "MAX_KEPT_BYTES", 3 * size)
    measures = replay.view().measures[8]
    kept_measures.write_kept(NAME, commit_of(8), (1, 2), measures)
    assert len(list(folder.glob("*.npz"))) == 3
    found = kept_measures.read_kept(NAME, commit_of(8), (1, 2))
    assert found is not None
    assert np.array_equal(found.weights, measures.weights)
    assert (found.digest, found.losses.tolist()) == (measures.digest, measures.losses.tolist())


def test_a_damaged_record_is_measured_again(base: Model, empty_machine: Path) -> None:
    replay_of(base).work(lambda: True)
    for path in kept_measures.folder_of_checkpoints().glob("*.npz"):
        path.write_bytes(path.read_bytes()[:-60])
    assert not replay_of(base).view().measures


def test_revisions_are_listed_in_order_and_others_left(repository: Repository) -> None:
    found = list_revisions(NAME)
    assert [(each.step, each.name, each.commit) for each in found] == [
        (step, f"step{step}", commit_of(step)) for step in STEPS
    ]


def test_a_gated_or_unknown_repository(hub: HubServer, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(HubError, match="The hub has no model nobody/nothing"):
        list_revisions("nobody/nothing")
    repository.gated = True
    with pytest.raises(HubError, match="is gated"):
        list_revisions(NAME)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert list_revisions(NAME)


def test_the_choice_is_even_on_a_logarithmic_axis() -> None:
    pythia = [0, *(2**n for n in range(10)), *range(1000, 143_001, 1000)]
    assert len(pythia) == 154
    chosen = [each.step for each in choose_revisions([Revision(step, "", "") for step in pythia])]
    assert chosen == [0, *(2**n for n in range(10)), *(1000 * 2**n for n in range(8)), 143_000]
    assert choose_revisions([]) == ()
    thousands = [Revision(step, "", "") for step in range(3000, 100_000, 3000)]
    assert [each.step for each in choose_revisions(thousands)] == [3000, 6000, 12_000, 24_000, 48_000, 96_000, 99_000]
