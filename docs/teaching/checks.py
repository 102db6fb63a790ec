"""The checks of assignment.ipynb: each says what is wrong with a function, not how to write it.

The answers of the examples are worked out by hand, or follow from theory. Data: MiniLM's vectors
of captions, which `load` reads from data.npz, or computes with bertflow_core where there is none.
"""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

FIT_ON = "captions:2000"
WORDS = ("calibrate", "leave", "cannot tell")

Array = NDArray[np.float64]
Arguments = tuple[Any, ...]


class Vectors(NamedTuple):
    """Vectors of one layer: of 2,000 sentences to fit on, and of both sentences of each pair."""

    fit: NDArray[np.float32]
    first: NDArray[np.float32]
    second: NDArray[np.float32]


def load(path: str = "data.npz") -> tuple[Vectors, Vectors, Array]:
    """Return the vectors of layer 4 and of the output, and the pairs' gold scores."""
    if not Path(path).exists():
        _embed(path)
    with np.load(path) as file:
        layer4, output = (
            Vectors(*(file[f"{layer}_{name}"] for name in Vectors._fields))
            for layer in ("layer4", "output")
        )
        return layer4, output, file["gold"]


def _embed(path: str) -> None:
    from bertflow_core import Lab, Recipe

    lab, recipe = Lab(), Recipe(layers="layer:4", fit_on=FIT_ON)
    pairs, corpus = lab.load(recipe)
    texts = {"fit": corpus.sentences, "first": pairs.first, "second": pairs.second}
    found = {"gold": np.asarray(pairs.gold)}
    for layer, layers in {"layer4": "layer:4", "output": "model"}.items():
        for name, sentences in texts.items():
            found[f"{layer}_{name}"] = lab.embed("minilm", sentences, layers=layers)
    np.savez(path, **found)


class Mistake(Exception):
    """One sentence about what is wrong with an answer."""


@dataclass(frozen=True)
class Case:
    """One call of a function, its right answer, and the answers that known mistakes give."""

    arguments: Arguments
    expected: ArrayLike
    otherwise: str
    mistakes: tuple[tuple[ArrayLike, str], ...] = ()


@dataclass(frozen=True)
class Question:
    """A function to write, and how its answers are read and compared.

    `further` makes arguments for grading from a random generator. Answers may differ by
    `tolerance` times the range of the right answer.
    """

    name: str
    task: int
    points: int
    cases: tuple[Case, ...]
    further: Callable[[np.random.Generator], list[Arguments]]
    read: Callable[[Any], Array] = lambda answer: np.asarray(answer, dtype=float)
    tolerance: float = 0.0
    in_torch: bool = False

    def answer(self, function: Callable[..., Any], arguments: Arguments) -> Array:
        """Return what a function answers, as an array; raise `Mistake` where it gives none."""
        given = deepcopy(arguments)
        if self.in_torch:
            try:
                import torch
            except ImportError as error:
                raise Mistake("it needs torch, which is not installed here") from error
            given = tuple(torch.tensor(a) if isinstance(a, np.ndarray) else a for a in given)
        try:
            answer = function(*given)
        except Exception as error:
            raise Mistake(f"it raises {type(error).__name__}: {error}") from error
        if answer is None:
            raise Mistake("it returns nothing yet")
        try:
            return self.read(answer)
        except (TypeError, ValueError, RuntimeError) as error:
            raise Mistake(f"what it returns is no array of numbers: {error}") from error

    def is_right(self, answer: Array, expected: ArrayLike) -> bool:
        """Return whether an answer equals another up to rounding and the tolerance."""
        right = np.asarray(expected, dtype=float)
        most = 1e-6 + self.tolerance * np.ptp(right)
        return answer.shape == right.shape and bool((np.abs(answer - right) <= most).all())

    def judge(self, case: Case, answer: Array) -> None:
        """Raise `Mistake` if the answer to a case is wrong."""
        if self.is_right(answer, case.expected):
            return
        if answer.shape != np.shape(case.expected):
            raise Mistake(f"expected the shape {np.shape(case.expected)}, got {answer.shape}")
        known = (text for wrong, text in case.mistakes if self.is_right(answer, wrong))
        raise Mistake(next(known, case.otherwise))


def check(function: Callable[..., Any]) -> None:
    """Print whether a function of the assignment is right, or what is wrong with it."""
    question = QUESTIONS[function.__name__]
    try:
        for case in question.cases:
            question.judge(case, question.answer(function, case.arguments))
    except Mistake as mistake:
        print(f"Task {question.task}, {question.name}: {mistake}.")
    else:
        print(f"Task {question.task}, {question.name}: right.")


def _products(answer: ArrayLike) -> Array:
    """Return the products of all rows, which a rotation and empty coordinates leave unchanged."""
    z = np.asarray(answer, dtype=float)
    if z.ndim != 2:
        raise ValueError(f"expected a row for each row of x, got the shape {z.shape}")
    return z @ z.T


def _word(answer: object) -> Array:
    if answer not in WORDS:
        raise ValueError(f"expected one of {WORDS}, got {answer!r}")
    return np.array(float(WORDS.index(str(answer))))


def _rows(*shapes: tuple[int, int]) -> Callable[[np.random.Generator], list[Arguments]]:
    """Return a maker of random rows in a cone, whose coordinates differ in variance."""
    return lambda rng: [
        tuple(rng.normal(2, 1, shape) * np.arange(1, shape[1] + 1) for shape in shapes)
    ]


def _noisy(rng: np.random.Generator, gold: Array, *noise: float) -> Arguments:
    """Return gold scores under noise of several sizes, and the scores."""
    return (*(gold + each * rng.normal(size=len(gold)) for each in noise), gold)


def _fisher(before: Array, gold: Array, z: float) -> Array:
    """Return an interval of 1 - rho by Fisher's transformation, for `after` equal to `gold`."""
    from scipy.stats import spearmanr

    half = z * np.sqrt(1.06 / (len(gold) - 3))  # Fieller, Hartley and Pearson (1957)
    rho = np.arctanh(spearmanr(before, gold).statistic)
    return 1 - np.tanh([rho + half, rho - half])


THREE = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 2.0]])  # cosines 0.6, 0.8 and 0
ROWS = np.array([[5.0, 5.0], [7.0, 9.0]])
CONE = np.array([[10.0, 2.0, 0.0], [10.0, -2.0, 1.0], [10.0, 0.0, 2.0]])  # its mean: 10, 0, 1
CROSS = np.array([[5.0, 0.0], [1.0, 0.0], [3.0, 1.0], [3.0, -1.0]])  # its mean: 3, 0
HALVES = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, -1.0, 2.0, 2.0]])
FIRST = np.pad(HALVES[:, :2], [(0, 0), (2, 0)])  # the half that stays, in the other one's columns
_scale, _shift = (lambda half: half), (lambda half: 2 * half)
GOLD = np.arange(200.0)
NOISY, LESS_NOISY, _ = _noisy(np.random.default_rng(1), GOLD, 60, 40)
OPPOSITE = np.array([[1.0, -1.0], [-1.0, 1.0]])


def _coupled(x: Array) -> Array:
    return np.hstack([x[:, :2], x[:, 2:] * np.exp(x[:, :2]) + 2 * x[:, :2]])


def _halves(rng: np.random.Generator) -> list[Arguments]:
    return [(rng.normal(size=(6, 4)), _scale, _shift)]


_QUESTIONS = (
    Question(
        *("random_cosine", 1, 2),
        (
            Case(
                (THREE,),
                1.4 / 3,
                "for (3, 4), (1, 0) and (0, 2) the three cosines are 0.6, 0.8 and 0",
                (
                    (11 / 3, "these are dot products: a cosine does not depend on lengths"),
                    (5.8 / 9, "each vector is also paired with itself, with a cosine of 1"),
                    (2.8 / 3, "each pair counts twice"),
                ),
            ),
        ),
        _rows((30, 5)),
    ),
    Question(
        *("mean_share", 2, 1),
        (
            Case(
                (THREE,),
                5.8 / 9,
                "for (3, 4), (1, 0) and (0, 2) the mean of the unit vectors is (1.6, 1.8) / 3",
                (
                    (np.sqrt(5.8) / 3, "that is the length of the mean, not its square"),
                    ((16 + 36) / 9, "the vectors do not have length 1 yet"),
                ),
            ),
        ),
        _rows((30, 5)),
    ),
    Question(
        *("centre", 2, 1),
        (
            Case(
                (ROWS, np.array([[1.0, 2.0], [3.0, 4.0]])),
                [[3, 2], [5, 6]],
                "the mean of fit (1, 2), (3, 4) is (2, 3)",
                (
                    (ROWS, "the mean is not subtracted"),
                    ([[-1, -2], [1, 2]], "the mean is that of x, not that of fit"),
                    ([[2.5, 2.5], [4.5, 6.5]], "each coordinate has a mean of its own"),
                ),
            ),
        ),
        _rows((8, 5), (30, 5)),
    ),
    Question(
        *("contributions", 3, 2),
        (
            Case(
                (THREE,),
                [0.2, 0.8 / 3],
                "the contributions must sum to the random cosine, here 1.4 / 3",
                (
                    ([2.56 / 9, 3.24 / 9], "each vector is also paired with itself"),
                    ([3 / 7, 4 / 7], "the contributions sum to the random cosine, not to 1"),
                    ([1, 8 / 3], "the vectors do not have length 1 yet"),
                ),
            ),
        ),
        _rows((30, 5)),
    ),
    Question(
        *("leave_out", 4, 1),
        (
            Case(
                (np.array([[10.0, 3.0, 1.0], [10.0, 1.0, 2.0]]), CONE, 1),
                [[9, 3], [3, 2]],
                "for fit (10, 2, 0), (10, -2, 1), (10, 0, 2) and k = 1 the first coordinate is "
                "left out and the mean of the others is (0, 1)",
                (
                    ([[10, 5], [5, 5]], "the mean is not subtracted"),
                    ([[1.25, -1.25], [-1.25, 1.25]], "the mean is that of x, not that of fit"),
                    ([[0, 0], [0, 1]], "the largest variance is not the largest contribution"),
                ),
            ),
        ),
        lambda rng: [(*_rows((8, 5), (30, 5))(rng)[0], 2)],
        _products,
    ),
    Question(
        *("rho", 4, 1),
        (
            Case(
                (
                    np.tile([1.0, 0.0], (4, 1)),
                    np.array([[0.0, 1.0], [4.0, 3.0], [30.0, 40.0], [1.0, 0.0]]),
                    np.array([0.0, 1.0, 3.0, 5.0]),
                ),
                0.8,
                "for cosines 0, 0.8, 0.6, 1 and gold scores 0, 1, 3, 5 rho is 0.8",
                (
                    (0.4, "these are dot products: a cosine does not depend on lengths"),
                    (80, "rho lies between -1 and 1; only tables have it times 100"),
                    (np.corrcoef([0, 0.8, 0.6, 1], [0, 1, 3, 5])[0, 1], "that is Pearson's r"),
                ),
            ),
        ),
        lambda rng: [(*_rows((20, 5), (20, 5))(rng)[0], rng.normal(size=20))],
    ),
    Question(
        *("whiten", 5, 2),
        (
            Case(
                (CROSS, CROSS),
                1.5 * np.kron(np.eye(2), OPPOSITE),
                "the covariance of whiten(fit, fit) must be the identity, and its mean 0",
                (
                    (
                        2 * np.kron(np.eye(2), OPPOSITE),
                        "the variances divide by n: the unbiased ones divide by n - 1",
                    ),
                    (3 * CROSS @ np.linalg.pinv(CROSS), "the mean of fit is not subtracted"),
                    (
                        np.kron(np.eye(2), OPPOSITE) / 2,
                        "the lengths are those of singular vectors, not of variance 1",
                    ),
                    (np.kron(np.diag([4, 1]), OPPOSITE), "the rows are rotated, but not scaled"),
                    (np.kron(np.diag([9 / 16, 9 / 4]), OPPOSITE), "the divisors are variances"),
                ),
            ),
            Case(
                (np.array([[5.0, 0.0], [3.0, 1.0]]), CROSS),
                [[1.5, 0], [0, 1.5]],
                "the mean and the directions must be those of fit, not those of x",
            ),
        ),
        _rows((8, 5), (40, 5)),
        _products,
    ),
    Question(
        *("inverse", 6, 1),
        (
            Case(
                (_coupled(HALVES), _scale, _shift),
                HALVES,
                "inverse(coupling(x, scale, shift), scale, shift) must be x",
                (
                    (_coupled(_coupled(HALVES)), "that is the coupling, not its inverse"),
                    (_coupled(HALVES) / np.exp(FIRST) - 2 * FIRST, "undo the last step first"),
                ),
            ),
        ),
        _halves,
        in_torch=True,
    ),
    Question(
        *("log_determinant", 6, 1),
        (
            Case(
                (HALVES, _scale, _shift),
                [3, -1],
                "autograd disagrees: for scale(a) = a the rows (1, 2, 3, 4) and (0, -1, 2, 2) "
                "have 3 and -1",
                (
                    ([-3, 1], "the sign: that is the log-determinant of the inverse"),
                    (np.exp([3, -1]), "that is the determinant, not its logarithm"),
                ),
            ),
        ),
        _halves,
        in_torch=True,
    ),
    Question(
        *("interval", 7, 2),
        (
            Case(
                (NOISY, NOISY, GOLD, 100),
                [0, 0],
                "the same cosines before and after differ by 0 in every resample: the unit that "
                "is drawn is a pair, with its gold score and both of its cosines",
            ),
            Case(
                (NOISY, GOLD, GOLD, 1000),
                _fisher(NOISY, GOLD, 1.96),
                "expected about {} to {}".format(*_fisher(NOISY, GOLD, 1.96).round(2)),
                (
                    (-_fisher(NOISY, GOLD, 1.96)[::-1], "that is before minus after"),
                    (100 * _fisher(NOISY, GOLD, 1.96), "rho lies between -1 and 1"),
                    (_fisher(NOISY, GOLD, 1.645), "that is about a 90 % interval"),
                ),
            ),
        ),
        lambda rng: [(*_noisy(rng, rng.normal(size=150), 1.0, 0.7), 2000)],
        tolerance=0.08,
    ),
    Question(
        *("decide", 8, 2),
        (
            Case((-GOLD, GOLD, GOLD), 0, "the candidate is far better, so calibrate"),
            Case((GOLD, -GOLD, GOLD), 1, "the candidate is far worse, so leave the vectors"),
            Case((NOISY, NOISY, GOLD), 2, "the candidate is as good, so these pairs cannot tell"),
            Case(
                (NOISY[::20], LESS_NOISY[::20], GOLD[::20]),
                2,
                "10 pairs are few: what does the interval of the difference include?",
            ),
        ),
        lambda rng: [
            _noisy(rng, rng.normal(size=200), 3.0, 0.3),
            _noisy(rng, rng.normal(size=200), 0.3, 3.0),
            _noisy(rng, rng.normal(size=8), 1.0, 1.0),
        ],
        _word,
    ),
)
QUESTIONS = {question.name: question for question in _QUESTIONS}
