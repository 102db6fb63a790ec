"""Watch a cone form: train a small masked language model, and check Eq. 1 to 3 of BERT-flow on it.

A word x is hidden in its context c. The network makes a vector h_c of the context, and w_x is the
vector of the word. Li et al. (2020) explain the narrow cone of BERT's vectors by three equations:

    Eq. 1   p(x|c) = exp(h_c . w_x) / sum over all words v of exp(h_c . w_v)
    Eq. 2   h_c . w_x = log p*(x|c) + lambda_c    if the model has learnt the text's own p*
    Eq. 3   h_c . w_x = PMI(x, c) + log p*(x) + lambda_c    since PMI = log p*(x|c) - log p*(x)

By Eq. 3 word vectors must encode how frequent a word is. Nobody can count p* for the contexts of
BERT. Here the text is small and a context is the pair of words around a gap, so p* is known.

    python examples/newborn.py --out newborn.json

This trains on the captions of the package for half a minute and prints the coefficients, which
are 1 in a perfect model. The page "How a cone forms" plays data/results/newborn.json.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bertflow_core import Lab, Recipe, pairwise_cosine, score_pairs
from bertflow_core.analysis.frequency import coordinate_rhos
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.evaluation import random_pair_cosine
from bertflow_core.exhibits.newborn import bins_of, shown_ranks, with_places
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.studies.space.cone import SPECS, openings

WORD = re.compile(r"\w+|[^\w\s]")  # words and single punctuation marks
PAD, UNKNOWN, MASK = range(3)  # the first rows of the table of word vectors
N_SPECIAL, N_UNUSED = 3, 50  # words that never occur are the last rows, like BERT's [unused0]
MAX_VOCABULARY, MAX_WORDS = 5_000, 32  # in the table, in a sentence
WIDTH, N_LAYERS, N_HEADS = 64, 2, 4
BATCH, LEARNING_RATE, MASK_SHARE = 128, 2e-3, 0.15
FRAME_EVERY, CHECK_EVERY = 5, 50  # steps


class Newborn(nn.Module):
    """A BERT without dropout and token types, whose softmax shares the table of word vectors."""

    def __init__(self, sentences: Sequence[str], seed: int) -> None:
        super().__init__()
        counts = Counter(word for sentence in sentences for word in WORD.findall(sentence.lower()))
        kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_VOCABULARY]
        self.words, self.counts = [word for word, _ in kept], np.array([n for _, n in kept])
        self.numbers = {word: number for number, word in enumerate(self.words, N_SPECIAL)}
        self.table = nn.Embedding(N_SPECIAL + len(kept) + N_UNUSED, WIDTH)
        self.positions = nn.Embedding(MAX_WORDS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        options = {"dropout": 0.0, "activation": "gelu", "batch_first": True}
        layer = nn.TransformerEncoderLayer(WIDTH, N_HEADS, 4 * WIDTH, **options)
        self.layers = nn.TransformerEncoder(layer, N_LAYERS, enable_nested_tensor=False)
        generator = torch.Generator().manual_seed(seed)
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02, generator=generator)  # as BERT begins
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Return h, shape (N, T, D), at every word of N sentences, shape (N, T)."""
        h = self.norm(self.table(ids) + self.positions.weight[: ids.shape[1]])
        return self.layers(h, src_key_padding_mask=ids == PAD)

    def encode(self, sentences: Sequence[str]) -> Tensor:
        """Return the numbers of each sentence's words, padded to one length, shape (N, T)."""
        cut = (WORD.findall(sentence.lower())[:MAX_WORDS] for sentence in sentences)
        rows = [[self.numbers.get(word, UNKNOWN) for word in words] or [UNKNOWN] for words in cut]
        return nn.utils.rnn.pad_sequence([*map(torch.tensor, rows)], batch_first=True)

    @torch.no_grad()
    def sentence_vectors(self, ids: Tensor) -> FloatArray:
        """Return the mean of h over each sentence's words, shape (N, D)."""
        h = torch.cat([self(rows) for rows in ids.split(256)])
        is_word = (ids != PAD).unsqueeze(-1)
        return ((h * is_word).sum(dim=1) / is_word.sum(dim=1)).numpy()


def loss_of(model: Newborn, ids: Tensor, generator: torch.Generator) -> Tensor:
    """Hide some words of sentences, and return the mean of -log p(x|c) over them, in nats."""
    ids = ids[:, : (ids != PAD).sum(dim=1).max()]
    hidden = (torch.rand(ids.shape, generator=generator) < MASK_SHARE) & (ids >= N_SPECIAL)
    h = model(ids.masked_fill(hidden, MASK))[hidden]
    scores = h @ model.table.weight.T  # h_c . w_v for each word v of the table
    log_p = scores - scores.logsumexp(dim=1, keepdim=True)  # Eq. 1
    return -log_p.gather(1, ids[hidden].unsqueeze(1)).mean()


def train(model: Newborn, ids: Tensor, n_steps: int, seed: int) -> Iterator[tuple[int, float]]:
    """Train the model. At each frame, yield the step and the mean loss since the last frame."""
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE, eps=1e-6)
    size, batches, losses = min(BATCH, len(ids)), [], []
    for step in range(n_steps + 1):
        if not batches:  # shuffle anew; a last, smaller batch is left out
            order = torch.randperm(len(ids), generator=generator)
            batches = [rows for rows in order.split(size) if len(rows) == size]
        loss = loss_of(model, ids[batches.pop(0)], generator)
        losses.append(loss.item())
        if step % FRAME_EVERY == 0 or step == n_steps:
            yield step, sum(losses) / len(losses)
            losses.clear()
        if step < n_steps:
            adam.zero_grad()
            loss.backward()
            adam.step()


class Contexts:
    """Frequent contexts c, frequent words x in them, and PMI(x, c) and log p(x) of these pairs."""

    def __init__(self, ids: Tensor) -> None:
        found: dict[Any, dict[int, list[Any]]] = defaultdict(lambda: defaultdict(list))
        n_word, end = Counter(), -1  # a sentence begins and ends with a mark
        for row, sentence in enumerate(ids):
            words = [end, *sentence[sentence != PAD].tolist(), end]
            n_word.update(words[1:-1])
            for place, word in enumerate(words[1:-1]):
                found[words[place], words[place + 2]][word].append((row, place))
        n, self.names, gaps, pairs = n_word.total(), [], [], []
        for name, places in found.items():
            n_context = sum(map(len, places.values()))
            often = {word: len(where) for word, where in places.items() if len(where) >= 3}
            if n_context < 30 or len(often) < 2:
                continue  # the counts of rarer contexts and words are mostly chance
            where = sorted(gap for gaps in places.values() for gap in gaps)[
                :50
            ]  # enough for a mean
            gaps += [(len(self.names), *gap) for gap in where]
            pairs += [(len(self.names), word, n_both, n_context) for word, n_both in often.items()]
            self.names.append(name)
        self.gaps = torch.tensor(gaps).T  # the context, sentence and position of each gap
        self.context, self.word, n_both, n_context = np.array(pairs).T
        n_x = np.array([n_word[word] for word in self.word])
        self.pmi, self.log_p = np.log(n_both * n / (n_x * n_context)), np.log(n_x / n)

    @torch.no_grad()
    def scores(self, model: Newborn, ids: Tensor) -> FloatArray:
        """Return h_c . w_x of each pair; h_c is the mean of h over the gaps of a context."""
        context, row, position = self.gaps
        masked = ids[row].scatter(1, position.unsqueeze(1), MASK)
        at = zip(masked.split(256), position.split(256), strict=True)
        h = torch.cat([model(ids)[torch.arange(len(ids)), place] for ids, place in at]).double()
        sums = torch.zeros(len(self.names), WIDTH, dtype=h.dtype).index_add(0, context, h)
        h_c = (sums / context.bincount().unsqueeze(1)).numpy()
        return (h_c[self.context] * model.table.weight.numpy()[self.word]).sum(axis=1)

    def within(self, values: FloatArray) -> FloatArray:
        """Subtract from each pair's value the mean over its context, which removes lambda_c."""
        means = np.bincount(self.context, values) / np.bincount(self.context)
        return values - means[self.context]

    def fit(self, scores: FloatArray) -> dict[str, float]:
        """Fit Eq. 2, where log p(x|c) is PMI + log p(x), and Eq. 3; R2 is the share explained."""
        y, pmi, log_p = map(self.within, (scores, self.pmi, self.log_p))

        def fitted(*terms: FloatArray) -> list[float]:
            slopes, *_ = np.linalg.lstsq(np.column_stack(terms), y, rcond=None)
            rest = y - np.column_stack(terms) @ slopes
            return [*slopes.tolist(), float(1 - rest @ rest / (y @ y))]

        found = dict(zip(("conditional", "r2_conditional"), fitted(pmi + log_p), strict=True))
        found |= zip(("pmi", "log_p", "r2"), fitted(pmi, log_p), strict=True)
        found |= {"r2_pmi": fitted(pmi)[-1], "r2_log_p": fitted(log_p)[-1]}
        return found | {"n_pairs": len(y), "n_contexts": len(self.names)}

    def points(self, scores: FloatArray, words: Sequence[str]) -> dict[str, list[Any]]:
        """Return 200 pairs as text, with the score that Eq. 3 predicts and the model's own."""
        fit, some = self.fit(scores), sample_rows(len(scores), 200, seed=0)
        expected = self.within(fit["pmi"] * self.pmi + fit["log_p"] * self.log_p)
        names = ("[PAD]", "[UNK]", "[MASK]", *words, "|")  # -1 marks an end
        gaps = ((*self.names[self.context[i]], self.word[i]) for i in some)
        texts = [f"{names[left]} [{names[word]}] {names[right]}" for left, right, word in gaps]
        columns = (values[some].round(3).tolist() for values in (expected, self.within(scores)))
        return dict(zip(("texts", "expected", "score"), (texts, *columns), strict=True))


def record(recipe: Recipe, n_steps: int) -> dict[str, Any]:
    """Train a model on a data set, and return the recording that `exhibits/newborn.py` reads."""
    pairs, corpus = Lab().load(recipe)
    model, untrained = (Newborn(corpus.sentences, recipe.seed) for _ in range(2))
    ids, texts = map(model.encode, (corpus.sentences, pairs.texts))
    contexts, n = Contexts(ids), len(model.words)
    shown, frames, vectors, equation = shown_ranks(n), [], [], []
    for step, loss in train(model, ids, n_steps, recipe.seed):
        words = model.table.weight.detach().numpy()[N_SPECIAL:]
        sentences, norms = model.sentence_vectors(texts), np.linalg.norm(words, axis=1)
        cosines = pairwise_cosine(*np.split(sentences, 2))
        measures = {
            "loss": loss,
            "mean_cosine": mean_cosine(words[:n]),
            "frequency_rho": coordinate_rhos(words[:n], np.log(model.counts), n_coordinates=1)[0],
            "unused_norm": norms[n:].mean(),
            "rho": score_pairs(cosines, pairs.targets, pairs.subsets).spearman.all,
            "random_cosine": random_pair_cosine(sentences),
        }
        frames.append({"step": step} | {key: round(float(v), 4) for key, v in measures.items()})
        frames[-1]["norms"] = [round(norms[slice(*bin_)].mean().item(), 4) for bin_ in bins_of(n)]
        vectors.append(np.concatenate([words[shown], words[n:]]))
        if step % CHECK_EVERY == 0 or step == n_steps:
            scores = contexts.scores(model, ids)
            equation.append({"step": step, **contexts.fit(scores)})
            print(f"loss {loss:.2f}", {key: round(x, 2) for key, x in equation[-1].items()})
    x = [[each.sentence_vectors(rows) for rows in (ids, texts)] for each in (model, untrained)]
    embedded = [Embedded(recipe, pairs, corpus, *each, 0, 0, {}, 0.0) for each in x]
    after, before = ([each.under(spec) for spec in SPECS] for each in embedded)
    opened = openings(after)
    for row, control in zip(opened.rows, before, strict=True):
        row |= {"rho_untrained": control.rho, "random_cosine_untrained": control.random_cosine}
    return {
        "words": [*(model.words[i] for i in shown), *(f"[unused{i}]" for i in range(N_UNUSED))],
        "counts": [*model.counts[shown].tolist(), *[0] * N_UNUSED],
        **{"n_words": n, "frames": with_places(frames, vectors, len(shown))},
        **{"equation": equation, "points": contexts.points(scores, model.words)},
        **{"pairs": opened.facts["pairs"], "spaces": opened.rows},
    }


def main() -> None:
    """Read the options, train and write the recording."""
    parser = argparse.ArgumentParser(description="Train a small language model and record it.")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    parser.add_argument("--steps", type=int, default=200, help="1 to 2,500")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not 1 <= options.steps <= 2_500:
        parser.error(f"--steps must be from 1 to 2,500, got {options.steps}")
    if options.out.is_dir() or not options.out.parent.is_dir():
        parser.error(f"--out must be a file in a folder that exists, got {options.out}")
    recipe = Recipe(model="newborn", layers="last", dataset="captions", seed=options.seed)
    recording = {"n_steps": options.steps, "seed": options.seed, **record(recipe, options.steps)}
    options.out.write_text(json.dumps(recording, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
