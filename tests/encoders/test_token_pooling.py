"""Token pooling against loops over tokens in float64."""

import numpy as np
import pytest
import torch

from bertflow_core.encoders import TokenPooling
from bertflow_core.encoders.pooling import MODES, POOLINGS, pool_tokens
from bertflow_core.errors import InputError

BY_HAND = {
    "mean": lambda h: h.mean(0),
    "cls": lambda h: h[0],
    "max": lambda h: h.max(0),
    "last": lambda h: h[-1],
    "lasttoken": lambda h: h[-1],
    "mean_sqrt_len_tokens": lambda h: h.sum(0) / np.sqrt(len(h)),
    "weightedmean": lambda h: np.average(h, axis=0, weights=np.arange(1, len(h) + 1)),
}
"""Of token vectors (T, D)."""


def test_every_pooling_has_a_reference_and_those_of_recipes_their_order():
    assert set(MODES) == set(BY_HAND)
    assert POOLINGS == ("mean", "cls", "max", "last")


@pytest.mark.parametrize("n_tokens", [1, 2, 7])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_poolings_are_what_they_are_by_hand_and_leave_their_input(n_tokens, dtype):
    hidden = torch.randn(4, n_tokens, 5, generator=torch.Generator().manual_seed(1)).to(dtype) - 2
    before, pooled = hidden.clone(), pool_tokens(hidden, BY_HAND)
    tokens = hidden.double().numpy()
    for x, by_hand in zip(pooled, BY_HAND.values(), strict=True):
        assert x.dtype == torch.float32
        np.testing.assert_allclose(x.numpy(), [by_hand(h) for h in tokens], rtol=0, atol=1e-5)
    assert torch.equal(hidden, before)


def test_half_precision_is_summed_in_float32():
    (pooled,) = pool_tokens(torch.ones(1, 4096, 1, dtype=torch.bfloat16), ["mean"])
    assert pooled.tolist() == [[1.0]]


def test_an_unknown_pooling_is_refused_with_the_valid_ones():
    with pytest.raises(InputError, match=r"'median'.*mean, cls, max, last"):
        TokenPooling.parse("median")
