"""Token pooling by hand, and against loops over unmasked tokens in float64."""

import numpy as np
import pytest
import torch

from bertflow_core.encoders import TokenPooling
from bertflow_core.encoders.pooling import POOLINGS, pool_tokens
from bertflow_core.errors import InputError

HIDDEN = torch.tensor([[[1.0, -6.0], [3.0, -2.0], [8.0, -1.0]]])


def random_batch(n: int = 4, n_tokens: int = 6, dim: int = 5) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    hidden = torch.randn(n, n_tokens, dim, generator=generator) - 2.0
    lengths = torch.tensor([6, 1, 3, 5])[:n]
    return hidden, (torch.arange(n_tokens) < lengths[:, None]).long()


def test_the_poolings_come_in_their_named_order():
    assert POOLINGS == ("mean", "cls", "max", "last")


def test_a_hand_computed_case_without_padding():
    expected = torch.tensor([[[4.0, -3.0]], [[1.0, -6.0]], [[8.0, -1.0]], [[8.0, -1.0]]])
    assert torch.equal(pool_tokens(HIDDEN), expected)
    assert torch.equal(
        pool_tokens(HIDDEN, poolings=(TokenPooling.LAST, TokenPooling.MEAN)), expected[[3, 0]]
    )


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ([1, 1, 0], [[2.0, -4.0], [1.0, -6.0], [3.0, -2.0], [3.0, -2.0]]),
        ([0, 1, 1], [[5.5, -1.5], [3.0, -2.0], [8.0, -1.0], [8.0, -1.0]]),
        ([0, 1, 0], [[3.0, -2.0]] * 4),
    ],
)
def test_a_hand_computed_case_with_padding_on_either_side(mask, expected):
    pooled = pool_tokens(HIDDEN, torch.tensor([mask]))
    assert torch.equal(pooled, torch.tensor(expected)[:, None])


def test_a_mask_of_ones_equals_no_mask():
    hidden, _ = random_batch()
    torch.testing.assert_close(pool_tokens(hidden, torch.ones(4, 6)), pool_tokens(hidden))


@pytest.mark.parametrize("dtype", [torch.long, torch.bool, torch.float32])
def test_a_masked_batch_equals_loops_over_its_real_tokens(dtype):
    hidden, mask = random_batch()
    pooled = pool_tokens(hidden, mask.to(dtype)).numpy()
    for row in range(4):
        tokens = hidden[row].numpy().astype(np.float64)[: int(mask[row].sum())]
        np.testing.assert_allclose(pooled[0, row], tokens.mean(axis=0), atol=1e-6)
        np.testing.assert_array_equal(pooled[1, row], hidden[row, 0].numpy())
        np.testing.assert_array_equal(pooled[2, row], tokens.max(axis=0).astype(np.float32))
        np.testing.assert_array_equal(pooled[3, row], tokens[-1].astype(np.float32))


@pytest.mark.parametrize("content", [0.0, 1e30, float("inf"), float("-inf"), float("nan")])
@pytest.mark.parametrize("side", ["right", "left"])
def test_extra_padding_changes_nothing(side, content):
    hidden, mask = random_batch()
    parts = [hidden, torch.full((4, 3, 5), content)]
    masks = [mask, torch.zeros(4, 3, dtype=torch.long)]
    if side == "left":
        parts, masks = parts[::-1], masks[::-1]
    wider = pool_tokens(torch.cat(parts, 1), torch.cat(masks, 1))
    torch.testing.assert_close(wider, pool_tokens(hidden, mask), rtol=0, atol=1e-6)


@pytest.mark.parametrize("masked", [True, False])
def test_the_input_is_not_written(masked):
    hidden, mask = random_batch()
    before_hidden, before_mask = hidden.clone(), mask.clone()
    pool_tokens(hidden, mask if masked else None)
    assert torch.equal(hidden, before_hidden)
    assert torch.equal(mask, before_mask)


def test_half_precision_is_summed_in_float32():
    hidden = torch.ones(1, 4096, 1, dtype=torch.bfloat16)
    pooled = pool_tokens(hidden, torch.ones(1, 4096))
    assert pooled.dtype == torch.float32
    assert pooled.flatten().tolist() == [1.0] * 4


def test_an_unknown_pooling_is_refused_with_the_valid_ones():
    with pytest.raises(InputError, match=r"'median'.*mean, cls, max, last"):
        TokenPooling.parse("median")
