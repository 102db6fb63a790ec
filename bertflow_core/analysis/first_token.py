"""The share of a sentence's vector that is its first token, such as `<bos>`, the attention sink.

Xiao et al. (2024, https://arxiv.org/abs/2309.17453) call a first token a sink if all other tokens
attend to it. Its hidden state is often many times as long as those of other tokens, and equal in
every sentence.
"""

import numpy as np

from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray, Rows


def first_token_measures(mean: FloatArray, first: FloatArray, n_tokens: Rows) -> dict[str, float]:
    """Measure the contribution of the first token to the mean over the tokens of N sentences.

    With T tokens, mean m and first token f, the other tokens have the mean r = (T m - f) / (T - 1).
    The values are means over sentences: `first_norm` and `others_norm` of f and r; `share`, f.m /
    (T m.m), the part of the mean due to f (1 / T if all tokens were equal); and `cosine` of m and
    r, the mean with and without the first token. Sentences of one token are left out. Both `mean`
    and `first` have the shape (N, D), `n_tokens` (N,).
    """
    several = n_tokens > 1
    m, f = (np.asarray(each, np.float64)[several] for each in (mean, first))
    t = np.asarray(n_tokens, np.float64)[several, None]
    others = (t * m - f) / (t - 1)
    shares = (f * m).sum(axis=1) / (t[:, 0] * np.square(m).sum(axis=1))
    return {
        "first_norm": float(np.linalg.norm(f, axis=1).mean()),
        "others_norm": float(np.linalg.norm(others, axis=1).mean()),
        "share": float(shares.mean()),
        "cosine": float((unit_rows(m) * unit_rows(others)).sum(axis=1).mean()),
    }
