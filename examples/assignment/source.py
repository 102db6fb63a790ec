"""The assignment with its solution, in cells; make.py writes both notebooks from it.

A cell begins with `# %%`, text with `# %% [markdown]`. What stands between the markers of a
solution, which are those of nbgrader, is left out of the students' notebook.
"""

# %% [markdown]
# # What makes sentences alike, and would you calibrate?
#
# Two sentences that have nothing to do with each other can have a cosine of 0.7. In eight tasks you
# measure why, write the usual cures, and decide whether to use one. This takes about 90 minutes.
#
# Fill in the functions. `check` tells you whether a function is right, or what is wrong with it.
# Each task has two points. Keep the names of the functions, and run the cells in their order.
#
# You need numpy, scipy and, for task 6, torch. JupyterLite has no torch: there tasks 1 to 5, 7 and
# 8 work. The first cell reads `data.npz`. Where that file is missing, it computes the vectors with
# `bertflow_core`, which takes about a minute.

# %%
import numpy as np
from checks import check, load
from scipy.stats import rankdata, spearmanr

layer4, output, gold = load()
print(
    "pairs:", gold.shape, " first sentences:", layer4.first.shape, " to fit on:", layer4.fit.shape
)

# %% [markdown]
# `layer4` and `output` hold vectors of captions from MiniLM: a middle layer, and what the model
# returns. Vectors are rows. `first` and `second` hold the two sentences of each pair, `fit` holds
# 2,000 sentences, drawn from all captions, to fit on. `gold` says how alike people find a pair,
# from 0 to 5; fitting does not use it.
#
# ## 1. The cosine of two random sentences
#
# `random_cosine(x)` returns the mean cosine of all pairs of two different rows of `x`.


# %%
def random_cosine(x: np.ndarray) -> float:
    """Return the mean cosine of all pairs of different rows of x, shape (N, D)."""
    ### BEGIN SOLUTION
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    cosines = unit @ unit.T
    return cosines[np.triu_indices(len(x), 1)].mean()
    ### END SOLUTION


check(random_cosine)

# %%
print("layer 4:", random_cosine(layer4.first), " output:", random_cosine(output.first))

# %% [markdown]
# ## 2. The mean
#
# `mean_share(x)` scales all rows to length 1 and returns the squared length of their mean. This is
# the share of the squared length that all sentences have in common. `centre(x, fit)` scales
# nothing: it subtracts the mean of the rows of `fit` from the rows of `x`.


# %%
def mean_share(x: np.ndarray) -> float:
    """Return the squared length of the mean of the rows of x, each of length 1."""
    ### BEGIN SOLUTION
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return np.sum(unit.mean(axis=0) ** 2)
    ### END SOLUTION


def centre(x: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Return x without the mean of fit; both have D columns."""
    ### BEGIN SOLUTION
    return x - fit.mean(axis=0)
    ### END SOLUTION


check(mean_share)
check(centre)

# %%
centred = centre(layer4.first, layer4.fit)
print("share of the mean in layer 4:", mean_share(layer4.first))
if centred is not None:
    print("random cosine without the mean:", random_cosine(centred))

# %% [markdown]
# Why are the share and the random cosine of task 1 nearly the same?
#
# ## 3. The contribution of each coordinate
#
# A cosine of unit vectors is a sum over coordinates, and so is the random cosine.
# `contributions(x)` returns what each of the D coordinates adds. The D numbers sum to
# `random_cosine(x)`.


# %%
def contributions(x: np.ndarray) -> np.ndarray:
    """Return the contribution of each coordinate to the random cosine of x, shape (D,)."""
    ### BEGIN SOLUTION
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    n = len(unit)
    return (unit.sum(axis=0) ** 2 - (unit**2).sum(axis=0)) / (n * (n - 1))
    ### END SOLUTION


check(contributions)

# %%
if (found := contributions(layer4.fit)) is not None:
    largest = np.argsort(found)[::-1][:5]
    for coordinate, share in zip(largest, found[largest] / found.sum(), strict=True):
        print(f"coordinate {coordinate}: {100 * share:.0f} % of the random cosine")

# %% [markdown]
# ## 4. Remove and score
#
# `leave_out(x, fit, k)` leaves out of `x` the `k` coordinates that contribute most to the random
# cosine of `fit`, and then subtracts the mean of `fit`. `rho(first, second, gold)` is Spearman's
# rho between the cosine of each pair and its gold score.


# %%
def leave_out(x: np.ndarray, fit: np.ndarray, k: int) -> np.ndarray:
    """Return x without the k coordinates that contribute most on fit, and without fit's mean."""
    ### BEGIN SOLUTION
    kept = np.argsort(contributions(fit))[: fit.shape[1] - k]
    return x[:, kept] - fit[:, kept].mean(axis=0)
    ### END SOLUTION


def rho(first: np.ndarray, second: np.ndarray, gold: np.ndarray) -> float:
    """Return Spearman's rho of the cosines of N pairs of rows and their gold scores."""
    ### BEGIN SOLUTION
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return spearmanr((first * second).sum(axis=1) / lengths, gold).statistic
    ### END SOLUTION


check(leave_out)
check(rho)

# %%
print("layer 4 as it is:", rho(layer4.first, layer4.second, gold))
for k in (0, 1, 2, 5):
    first, second = (leave_out(x, layer4.fit, k) for x in (layer4.first, layer4.second))
    if first is not None:
        print(k, "coordinates and the mean left out:", rho(first, second, gold))

# %% [markdown]
# ## 5. Whiten
#
# `whiten(x, fit)` subtracts the mean of `fit`, rotates to its principal directions and divides each
# by its standard deviation, so that the covariance of `whiten(fit, fit)` is the identity. Use the
# singular value decomposition `np.linalg.svd(..., full_matrices=False)`, and the unbiased variance.


# %%
def whiten(x: np.ndarray, fit: np.ndarray) -> np.ndarray:
    """Return x, whitened with the mean and the covariance of fit."""
    ### BEGIN SOLUTION
    mean = fit.mean(axis=0)
    _, lengths, directions = np.linalg.svd(fit - mean, full_matrices=False)
    return (x - mean) @ directions.T / (lengths / np.sqrt(len(fit) - 1))
    ### END SOLUTION


check(whiten)

# %%
for name, layer in {"layer 4": layer4, "output": output}.items():
    first, second = (whiten(x, layer.fit) for x in (layer.first, layer.second))
    if first is not None:
        print(name, rho(layer.first, layer.second, gold), "whitened:", rho(first, second, gold))

# %% [markdown]
# ## 6. A layer of a flow
#
# A flow is a chain of invertible layers, such as this coupling: it leaves one half of the
# coordinates unchanged, and scales and shifts the other half by functions of the first. The density
# of a flow needs its log-determinant, log |det dy/dx|, for each row. Write the inverse, and a
# formula for the log-determinant. The functions `scale` and `shift` map (N, D / 2) to (N, D / 2).


# %%
def coupling(x, scale, shift):
    """Return the coupling of the rows of x, a tensor of shape (N, D)."""
    import torch

    a, b = x.chunk(2, dim=1)
    return torch.cat([a, b * torch.exp(scale(a)) + shift(a)], dim=1)


def inverse(y, scale, shift):
    """Return the x whose coupling is y, shape (N, D)."""
    ### BEGIN SOLUTION
    import torch

    a, b = y.chunk(2, dim=1)
    return torch.cat([a, (b - shift(a)) / torch.exp(scale(a))], dim=1)
    ### END SOLUTION


def log_determinant(x, scale, shift):
    """Return the log-determinant of the coupling at each row of x, shape (N,)."""
    ### BEGIN SOLUTION
    a, _ = x.chunk(2, dim=1)
    return scale(a).sum(dim=1)
    ### END SOLUTION


check(inverse)
check(log_determinant)

# %% [markdown]
# Compare with automatic differentiation: the Jacobian of the coupling at one row, and its
# determinant.

# %%
try:
    import torch
except ImportError:
    print("There is no torch here: task 6 does not work.")
else:
    point, double = torch.tensor([[0.5, -1.0, 2.0, 1.0]]), lambda a: 2 * a
    jacobian = torch.autograd.functional.jacobian(lambda x: coupling(x, torch.sin, double), point)
    print("autograd:", torch.linalg.slogdet(jacobian[0, :, 0]).logabsdet)
    print("yours:   ", log_determinant(point, torch.sin, double))

# %% [markdown]
# ## 7. How sure is a difference?
#
# `interval(before, after, gold, n_draws)` gets two cosines of each pair, and the gold scores. It
# returns the lower and the upper end of the 95 % bootstrap interval of rho after minus rho before.
# In each draw take as many units as there are, with replacement. Which unit is independent of the
# others?


# %%
def interval(
    before: np.ndarray, after: np.ndarray, gold: np.ndarray, n_draws: int = 1000
) -> tuple[float, float]:
    """Return the 95 % percentile interval of rho(after) - rho(before)."""
    ### BEGIN SOLUTION
    drawn = np.random.default_rng(0).integers(len(gold), size=(n_draws, len(gold)))  # pairs
    ranks = (rankdata(values[drawn], axis=1) for values in (before, after, gold))
    b, a, g = (each - each.mean(axis=1, keepdims=True) for each in ranks)
    of_before, of_after = (
        (x * g).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (g**2).sum(axis=1)) for x in (b, a)
    )
    low, high = np.quantile(of_after - of_before, [0.025, 0.975])
    return low, high
    ### END SOLUTION


check(interval)

# %% [markdown]
# ## 8. Would you calibrate?
#
# `decide(plain, candidate, gold)` gets the cosines of each pair under the vectors that you would
# use otherwise, and under a candidate. It returns `"calibrate"`, `"leave"` or `"cannot tell"`.


# %%
def decide(plain: np.ndarray, candidate: np.ndarray, gold: np.ndarray) -> str:
    """Return what to do, by the interval of the difference in rho."""
    ### BEGIN SOLUTION
    low, high = interval(plain, candidate, gold)
    if low > 0:
        return "calibrate"
    return "leave" if high < 0 else "cannot tell"
    ### END SOLUTION


check(decide)


# %%
def cosines(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosine of each pair of rows."""
    lengths = np.linalg.norm(first, axis=1) * np.linalg.norm(second, axis=1)
    return (first * second).sum(axis=1) / lengths


if whiten(layer4.first, layer4.fit) is not None:
    plain = {name: cosines(x.first, x.second) for name, x in [("4", layer4), ("output", output)]}
    whitened = {
        name: cosines(whiten(x.first, x.fit), whiten(x.second, x.fit))
        for name, x in [("4", layer4), ("output", output)]
    }
    print("layer 4 whitened, instead of layer 4:", decide(plain["4"], whitened["4"], gold))
    print(
        "output whitened, instead of the output:", decide(plain["output"], whitened["output"], gold)
    )
    print("layer 4 whitened, instead of the output:", decide(plain["output"], whitened["4"], gold))

# %% [markdown]
# Would you calibrate this model? Answer in one sentence, and name the number that decides it:
