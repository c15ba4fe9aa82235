"""`python -m model.train NAME`: trains a bundled model and writes `assets/models/NAME/`.

python -m model.train tiny-lm                 # train, measure, write
python -m model.train tiny-lm --resume        # go on with a stopped run
python -m model.train tiny-lm --evaluate      # measure the shipped weights again
python -m model.train tiny-lm --start-from assets/models/tiny-lm   # train the shipped weights further
python -m model.train en-ur --everyday LIST   # what the shipped translator gets wrong, and how sure it may be
torchrun --nproc-per-node 2 -m model.train tiny-lm   # the same, in several processes
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from model.errors import GlassformerError
from model.process_memory import keep_freed_memory
from model.train.checkpoint import Checkpoint
from model.train.comparison import compare
from model.train.en_ur import EnglishUrdu
from model.train.errors import UnknownTask
from model.train.everyday import read_sentences
from model.train.files import explain_write_errors, write_json
from model.train.loop import Run, measure, train
from model.train.processes import choose_device, choose_precision, join_processes
from model.train.publish import publish
from model.train.registry import TASKS, make_task
from model.train.task import Task
from model.train.trust import measure_trust
from model.zoo import bundled, cards
from model.zoo.build import build

ROOT = Path(__file__).resolve().parents[2]


def arguments() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog="python -m model.train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", help=f"one of: {', '.join(TASKS)}")
    parser.add_argument("--evaluate", action="store_true", help="measure the shipped weights; train nothing")
    parser.add_argument("--everyday", type=Path, metavar="LIST", help="judge a translator by a list of sentences")
    parser.add_argument("--store", action="store_true", help="with those two: put the measures into the card")
    parser.add_argument("--sample", type=positive, help="with --evaluate: about so many items for each measure")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint of a run that was stopped")
    parser.add_argument("--restart", action="store_true", help="discard the checkpoint of a run that was stopped")
    parser.add_argument("--start-from", type=Path, metavar="FOLDER", help="begin with the weights of a trained model")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto", help="auto: a GPU if there is one")
    parser.add_argument(
        "--precision",
        choices=("auto", "float32", "bfloat16"),
        default="auto",
        help="of products; auto: bfloat16 where it is fast",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the starting weights, the data and the dropout")
    parser.add_argument("--steps", type=positive, help="train so many steps instead of the recipe's")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--output", type=Path, default=cards.ASSETS, help="the folder that gets NAME/")
    parser.add_argument("--work", type=Path, default=ROOT / ".training", help="where checkpoints are kept")
    return parser


def positive(text: str) -> int:
    """A whole number of at least 1. Raises `ArgumentTypeError`."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is not at least 1")
    return number


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status. It prints mistakes that a reader can mend in one line."""
    options = arguments().parse_args(argv)
    try:
        task = make_task(options.name)
        if options.everyday is not None:
            found = judge_everyday(task, options.output / task.name, options.everyday, options.store)
            print(json.dumps(found, ensure_ascii=False, indent=1))
        elif options.evaluate:
            print(json.dumps(evaluate(task, options.output / task.name, options.sample, options.store), indent=1))
        else:
            train_and_publish(task, options)
    except GlassformerError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nStopped. Go on with --resume.", file=sys.stderr)
        return 130
    return 0


def evaluate(task: Task, folder: Path, sample: int | None = None, store: bool = False) -> dict[str, float]:
    """The measures of the weights in `folder`. With `store`, the card gets them, with the task's reports and words.

    Raises `DamagedWeights`, `DiskError`.
    """
    network = build(task.config, bundled.read_weights(folder / "model.safetensors"), task.make)
    metrics = measure(task, network, sample)
    if store:
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        with explain_write_errors(f"The card of {task.name}"):
            write_json(folder / "card.json", card | task.describe() | {"metrics": metrics, **task.finish(network)})
    return metrics


def judge_everyday(task: Task, folder: Path, path: Path, store: bool = False) -> dict[str, Any]:
    """What the translator in `folder` makes of the sentences of a list (`model.train.trust`).

    Raises `UnknownTask` for a model that is no translator, `ListError`, `DamagedWeights`, `DiskError`.
    """
    if not isinstance(task, EnglishUrdu):
        raise UnknownTask(f"{task.name} does not translate: --everyday is for en-ur.")
    return measure_trust(task, folder, read_sentences(path), store)


def train_and_publish(task: Task, options: argparse.Namespace) -> None:
    """Trains, writes the model's folder, and removes the checkpoint. Raises `CheckpointError`, `DiskError`."""
    if options.steps is not None:
        task.recipe = replace(task.recipe, steps=options.steps)
    work = options.work / task.name
    device = choose_device(options.device)
    with join_processes(device) as processes:
        run = Run(
            folder=work,
            seed=options.seed,
            device=device,
            precision=choose_precision(options.precision, device),
            processes=processes,
            resume=options.resume,
            restart=options.restart,
            start=options.start_from,
            quiet=options.quiet,
        )
        network, progress = train(task, run)
        if processes.first:
            card = publish(task, run, network, progress, options.output / task.name)
            compare(options.output, task.family)
            Checkpoint(work).remove()
            print(json.dumps({"seconds": card["training"]["seconds"], **card["metrics"]}, indent=1))


if __name__ == "__main__":
    keep_freed_memory()  # from one step to the next
    sys.exit(main())
