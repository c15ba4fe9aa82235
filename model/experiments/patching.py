"""Activation patching: which part of a run carries what tells two sentences apart?

A clean and a corrupted sentence have equally many tokens. The corrupted one is run again with one part taken from the
clean run. The measure is u[answer] - u[against], the difference of two logits after the last token, or of two classes
of an encoder; of a label that does not exclude the others it is u[answer] alone. A share of it comes back: 0 is the
corrupted run, 1 the clean one. Meng et al. (2022), arXiv:2202.05262; Zhang and Nanda (2024), arXiv:2309.16042.

The tokens that are the same in both runs (`SentencePair.shared`) bring back exactly 0, and are not run.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional as F

from model.cached_property import cached_property
from model.device import PLAIN, Placement, to_cpu
from model.edits.edit import Change
from model.experiments.layerwise_gradient import leaf
from model.experiments.sentence_pair import ALL, SentencePair, Site, UnequalPrompts, sites_of, tokens_before
from model.experiments.surgery import edits_above, edits_of
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import Tape

AT_ONCE = 2048  # tokens in all rows of a batch
KEYS_AT_ONCE = 16384  # keys in all rows of a batch: each row has a copy of those of the tokens before
LONGEST_PATTERN = 512  # tokens: a pattern has a number for each pair of them, in each head and each run
SMALLEST_GAP = 1e-4  # between the measures of both runs; the share of a smaller one would be rounding


def of_tokens(site: Site) -> Site:
    """The site whose rows are the tokens of this one."""
    return Site(site.token_stack, "resid_in")


class Patching:
    """Patches parts of the clean run into the corrupted one. Raises `UnequalPrompts`.

    Everything below the patched layer is as in the corrupted run, so each layer starts from the recorded residual
    stream, and the rows of a layer are a batch. The parts of the clean run are made again from its stream, a layer at a
    time. In a decoder without an encoder, all tokens before the patched one are as in the corrupted run, too. So the
    batch starts at its first patched token, after the recorded keys and values. Edits of the network stay in all runs.
    """

    def __init__(self, network: Transformer, pair: SentencePair, answer: int, against: int | None) -> None:
        if answer == against:
            raise UnequalPrompts("The answer is compared with itself. Choose another token to compare it with.")
        self.network, self.pair = network, pair
        self.tokens = (answer,) if against is None else (answer, against)
        self._rooms: dict[str, dict[str, Tensor]] = {}  # of each stack the tensors of `_make_clean`
        self._made = ""  # the layer whose tensors these are
        clean, corrupted = self.measures
        if abs(clean - corrupted) < SMALLEST_GAP:
            raise UnequalPrompts(
                "Both sentences give the same logit, so there is nothing to bring back. Change another word."
                if against is None
                else "Both sentences give the same difference of these two logits, so there is nothing to bring back. "
                "Choose other tokens, or change another word."
            )

    @property
    def measures(self) -> tuple[float, float]:
        """The measure in the clean and in the corrupted run."""
        clean, corrupted = (float(self.measure(logits)) for logits in self.pair.logits)
        return clean, corrupted

    def measure(self, logits: Tensor) -> Tensor:
        """u[answer] - u[against], or u[answer] where it is compared with none: (..., answers) -> (...)."""
        answer, *against = self.tokens
        return logits[..., answer] - logits[..., against[0]] if against else logits[..., answer]

    def shape(self, site: Site) -> tuple[int, int]:
        """Layers, and rows of each layer."""
        config = self.network.config
        rows = self._heads(site) if site.is_of_heads else len(self.pair.clean.of(site.token_stack))
        return config.n_layers(site.stack), rows

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """What can be patched: all sites of the network, but no patterns of a long text."""
        has_patterns = self._longest <= LONGEST_PATTERN
        return tuple(site for site in sites_of(self.network) if has_patterns or not site.is_pattern)

    def check(self, site: Site) -> None:
        """Raises `UnequalPrompts` for a site that cannot be patched in texts as long as these."""
        if site not in self.sites:
            raise UnequalPrompts(
                f"Attention patterns are patched in texts of at most {LONGEST_PATTERN} tokens, and these have "
                f"{self._longest:,}. Patch queries and keys, which make the patterns."
            )

    @cached_property
    def _longest(self) -> int:
        """The tokens that the stacks read, at most."""
        return max(len(self.pair.clean.of(stack)) for stack in self.network.config.stacks)

    def _heads(self, site: Site) -> int:
        """The heads of a site. Keys and values may have fewer."""
        return self.network.config.kv_heads if site.is_of_keys else self.network.config.n_heads

    def _measure(self, hidden: Tensor) -> Tensor:
        """The measure of the last hidden states: (..., tokens, d_model) -> (...)."""
        return self.measure(self._logits(hidden))

    def _logits(self, hidden: Tensor) -> Tensor:
        """After the last token, at a place, or of the class: (..., tokens, d_model) -> (..., answers)."""
        return self.network.answer(hidden, self.pair.clean.from_end).float()

    def share(self, measure: Tensor) -> Tensor:
        """The share of the difference that comes back: 0 as in the corrupted run, 1 as in the clean one."""
        clean, corrupted = self.measures
        return PLAIN.take((measure - corrupted) / (clean - corrupted))

    def run(self, site: Site, rows: slice = ALL) -> Iterator[Tensor]:
        """The share that each row of a layer brings back, (rows,), layer after layer, as soon as it is known."""
        for layer in range(self.shape(site)[0]):
            yield self.join(site, [self.shares(site, layer, cells) for cells in self.batches(site, rows)], rows)

    def run_head(self, site: Site, layer: int, head: int, rows: slice = ALL) -> Tensor:
        """The share that one head brings back at each token alone: (tokens,), or those that `rows` chooses."""
        found = [self.shares(site, layer, cells) for cells in self.batches_of_head(site, head, rows)]
        return self.join(of_tokens(site), found, rows)

    @torch.inference_mode()
    def run_row(self, site: Site, layer: int, row: int) -> Tensor:
        """The logits of the answers of one patched run: (answers,)."""
        place = row if site.is_of_heads else row - self.pair.shared
        if place < 0:  # a shared token
            return self.pair.logits[1]
        (hidden,) = self._patch(site, layer, self._rows(site)[place : place + 1])
        return PLAIN.take(self._logits(hidden))

    def batches(self, site: Site, rows: slice = ALL) -> list[Tensor]:
        """The cells of the rows of a layer, for `shares`: as many rows together as a batch may have.

        `rows` chooses heads or tokens of the whole text. Those that are shared are not run.
        """
        return self._split(self._rows(site)[self._after_shared(site, rows)])

    def batches_of_head(self, site: Site, head: int, rows: slice = ALL) -> list[Tensor]:
        """As `batches`, with one head at each token alone. `rows` chooses the tokens."""
        tokens = self._rows(of_tokens(site))[self._after_shared(of_tokens(site), rows)]
        return self._split(self._rows(site)[head] & tokens[:, None])

    @staticmethod
    def count_tokens(batches: list[Tensor]) -> int:
        """The tokens that the rows of some batches read together, at most."""
        return sum(len(cells) * cells.shape[-2] for cells in batches)

    def count_runs(self, site: Site, rows: slice = ALL) -> float:
        """About how many runs of the whole text the chosen rows of all layers take together."""
        longest = self._longest
        each = longest - self.pair.shared
        tokens = sum(len(cells) * (each - self._first(cells)) for cells in self.batches(site, rows))
        return tokens / longest * (self.shape(site)[0] + 1) / 2  # from each layer on: half of all layers, on average

    @torch.inference_mode()
    def shares(self, site: Site, layer: int, cells: Tensor) -> Tensor:
        """The share that each row of a batch brings back: (rows,)."""
        return self.share(self._measure(self._patch(site, layer, cells)))

    def join(self, site: Site, found: list[Tensor], rows: slice = ALL) -> Tensor:
        """The shares of the rows that `rows` chooses, from those of all batches. A shared token brings nothing back."""
        start, stop, _ = rows.indices(self.shape(site)[1])
        run = self._after_shared(site, rows)
        return F.pad(torch.cat([torch.empty(0), *found]), (stop - start - (run.stop - run.start), 0))

    def _after_shared(self, site: Site, rows: slice) -> slice:
        """The chosen rows that are run, counted after the shared tokens."""
        start, stop, _ = rows.indices(self.shape(site)[1])
        shared = 0 if site.is_of_heads else self.pair.shared
        return slice(max(start - shared, 0), max(stop - shared, 0))

    def _rows(self, site: Site) -> Tensor:
        """The cells of each row that is run: (heads, heads, tokens, 1) for heads, (tokens, heads, tokens, 1) for all
        heads at one token, (tokens, tokens, 1) else. The tokens are those after the shared ones. Raises what `check`
        raises."""
        self.check(site)
        tokens = self._count(site)
        if site.is_of_heads:
            heads = torch.eye(self._heads(site), dtype=torch.bool)
            return heads[:, :, None, None].expand(-1, -1, tokens, -1)
        each = torch.eye(tokens, dtype=torch.bool)[:, :, None]
        return each[:, None].expand(-1, self._heads(site), -1, -1) if site.has_heads else each

    def _count(self, site: Site) -> int:
        """The tokens of a site after the shared ones."""
        return len(self.pair.clean.of(site.token_stack)) - self.pair.shared

    def _split(self, cells: Tensor) -> list[Tensor]:
        """Rows of cells as batches. A batch that starts at a later token has more rows."""
        longest, found = self._longest, []
        while len(cells):
            tokens = longest - self.pair.shared - self._first(cells)
            count = max(1, min(AT_ONCE // tokens, KEYS_AT_ONCE // longest))
            found.append(cells[:count])
            cells = cells[count:]
        return found

    def _first(self, cells: Tensor) -> int:
        """The token with which the run of a batch starts, counted after the shared ones: the first that is patched or
        asked for. If a token sees later ones, all tokens are run."""
        if self.network.encoder is not None:
            return 0
        prompt = self.pair.clean
        patched = cells.flatten(0, -3).any(0)[:, 0]  # (tokens,)
        return min(int(patched.nonzero()[0]), len(prompt.ids) - self.pair.shared + prompt.from_end)

    def _patch(self, site: Site, layer: int, cells: Tensor) -> Tensor:
        """The hidden states of the last stack, each row with its cells from the clean run: (rows, tokens, d_model)."""
        name, start, first = site.name(layer), f"{site.stack}.{layer}.resid_in", self._first(cells)
        corrupted = self.pair.runs[1]
        cells, values = cells[..., first:, :], self._make_clean(site.stack, layer)[site.tensor][..., first:, :]

        def put(found: Tensor) -> Tensor:
            room = (0, 0, found.shape[-2] - values.shape[-2], 0)  # for keys of the tokens before, which stay
            return torch.where(F.pad(cells, room).to(found.device), F.pad(values, room).to(found), found)

        tape = Tape(edits=(*edits_above(self.network, start, self.pair.shared + first), Change(name, put)))
        x = Placement.of(self.network).take(corrupted[start][first:])
        return self._go_on(site.stack, layer, x.expand(len(cells), *x.shape), tape)

    @torch.inference_mode()
    def _make_clean(self, stack: str, layer: int) -> dict[str, Tensor]:
        """The tensors of the sites of a layer in the clean run, by name, of the tokens after the shared ones.

        The tensors of the next layer overwrite them.
        """
        run, here, start = self.pair.runs[0], Placement.of(self.network), f"{stack}.{layer}.resid_in"
        if stack not in self._rooms:
            self._rooms[stack] = {site.tensor: self._empty(site) for site in self._sites(stack)}
        room = self._rooms[stack]
        if self._made != start:
            names = {site.name(layer): site.tensor for site in self._sites(stack)}

            def take(name: str, tensor: Tensor) -> None:
                if name in names:
                    place = room[names[name]]
                    place.copy_(tensor[..., -place.shape[-2] :, :])

            patterns = {site.name(layer) for site in self._sites(stack) if site.is_pattern}
            tape = Tape(patterns, edits_above(self.network, start, self.pair.shared), look=take)
            memory = here.take(run["memory"]) if stack == "decoder" and "memory" in run else None
            self._layers(stack, here.take(run[start]), tape, memory, layer, layer + 1)
            self._made = start
        return room

    def _sites(self, stack: str) -> list[Site]:
        return [site for site in self.sites if site.stack == stack]

    def _empty(self, site: Site) -> Tensor:
        """A tensor for one layer of a site: (heads, tokens, d_head), (heads, tokens, keys), or (tokens, d_model)."""
        config, tokens = self.network.config, self._count(site)
        if not site.has_heads:
            return torch.empty(tokens, config.d_model)
        width = len(self.pair.clean.of(site.read_stack)) if site.is_pattern else config.head_width
        return torch.empty(self._heads(site), tokens, width)

    def _go_on(self, stack: str, layer: int, x: Tensor, tape: Tape) -> Tensor:
        """The corrupted run from a layer on: (rows, tokens, d_model) -> hidden states of the last stack."""
        memory = self.pair.runs[1].get("memory")
        memory = None if memory is None else memory.to(x).expand(len(x), *memory.shape)
        hidden = self._layers(stack, x, tape, memory, layer)
        if stack == "encoder" and self.network.decoder is not None:
            return self.network.decode(self.pair.corrupted.ids.expand(len(x), -1), hidden)
        return hidden

    def _layers(
        self, stack: str, x: Tensor, tape: Tape, memory: Tensor | None, first: int, stop: int | None = None
    ) -> Tensor:
        """The layers of a stack from `first` on, of the last tokens of a run: (..., tokens, d_model). The tokens before
        them are as in the corrupted run."""
        if stack == "encoder":
            assert self.network.encoder is not None
            return self.network.encoder.run(x, tape, first=first, stop=stop)
        assert self.network.decoder is not None
        new, count = x.shape[-2], len(self.pair.corrupted.ids)
        alone = self.network.encoder is None
        cache = tokens_before(self.network, self.pair.runs[1], count - new) if alone else None
        mask = causal_mask(new, count)
        return self.network.decoder.run(x, tape, mask, memory, cache=cache, first=first, stop=stop)

    @cached_property
    def estimates(self) -> dict[Site, Tensor]:
        """Of each site the shares that a straight line predicts: (layers, rows)."""
        *_, found = self.estimate_layers()
        return found

    def estimate_layers(self) -> Iterator[dict[Site, Tensor]]:
        """Of each site the shares that a straight line predicts, (layers, rows), from one run and one gradient. The
        same tensors are given after each layer. The last stack's last layer is the first to be filled.

        Attribution patching: (clean - corrupted) times the gradient of the measure in the corrupted run. Nanda (2023).
        The gradient comes down a layer at a time, as in `model.experiments.layerwise_gradient`: each layer is run again
        from its recorded stream.
        """
        # Made before the graphs: what stays of one stands in the way of the next one's large tensors.
        found = {site: torch.zeros(self.shape(site)) for site in self.sites}
        above: Tensor | None = None  # d measure / d (what the layer gives)
        for stack in reversed(self.network.config.stacks):
            room = torch.empty_like(self.pair.runs[1][f"{stack}.0.resid_in"])
            of_memory = list[Tensor]()  # each layer of a translator's decoder reads the memory
            for layer in reversed(range(self.network.config.n_layers(stack))):
                below = self._estimate(stack, layer, above, found)
                above = room.copy_(below.pop(f"{stack}.{layer}.resid_in"))
                of_memory += below.values()
                yield found
            above = torch.stack(of_memory).sum(0) if of_memory else None

    def _estimate(self, stack: str, layer: int, above: Tensor | None, found: dict[Site, Tensor]) -> dict[str, Tensor]:
        """Fills in the estimates of one layer. Returns d measure / d (the stream before it, and the memory if any).

        `above` is as in `_gradients`.
        """
        clean, gap = self._make_clean(stack, layer), self.measures[0] - self.measures[1]
        records, gradients = self._gradients(stack, layer, above)
        for site in self._sites(stack):
            name = site.name(layer)
            own = (..., slice(-self._count(site), None), slice(None))  # without the keys of the tokens before
            rises = ((clean[site.tensor] - records[name][own]) * gradients[name][own]).sum(-1)  # (..., tokens)
            if site.has_heads:
                rises = rises.sum(-1 if site.is_of_heads else 0)  # (heads,) or (tokens,)
            found[site][layer] = self.join(site, [rises]) / gap
        return {name: each for name, each in gradients.items() if name in (f"{stack}.{layer}.resid_in", "memory")}

    def _gradients(self, stack: str, layer: int, above: Tensor | None) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        """Runs a layer of the corrupted run again. Returns the tensors of its sites, and d measure / d tensor.

        The gradients are those of these tensors and of the encoder's memory. `above` is the gradient of what the layer
        gives; None where the measure reads it directly.
        """
        corrupted, here, start = self.pair.runs[1], Placement.of(self.network), f"{stack}.{layer}.resid_in"
        above_name = f"{stack}.{layer + 1}.resid_in" if layer + 1 < self.network.config.n_layers(stack) else ""
        with torch.inference_mode(False), torch.enable_grad():
            x = leaf(here.take(corrupted[start]))  # (tokens, d_model)
            reads_memory = stack == "decoder" and "memory" in corrupted
            read = {"memory": leaf(here.take(corrupted["memory"]))} if reads_memory else {}  # (sources, d_model)
            edits = (edit.after(self.pair.shared) for edit in edits_of(self.network))
            keep = {site.name(layer) for site in self._sites(stack)}
            tape = Tape(keep, (*edits, Change(start, lambda _: x)))
            y = self._layers(stack, x, tape, read.get("memory"), layer, layer + 1 if above_name else None)
            y = tape(above_name, y) if above_name else y  # with the edits of the stream that the next layer finds
            goal = self._measure(y) if above is None else (y * here.take(above)).sum()
            wanted = tape.records | read
            gradients = torch.autograd.grad(goal, list(wanted.values()))
        records = {name: tensor.detach() for name, tensor in tape.records.items()}
        return to_cpu(records), to_cpu(dict(zip(wanted, gradients, strict=True)))
