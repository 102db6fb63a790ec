"""Layer sets and token poolings worked out by hand; the product of a linear layer."""

import numpy as np
import pytest
import torch

from bertflow_core.encoders import LayerSet, TokenPooling
from bertflow_core.encoders.forward import use_onednn
from bertflow_core.encoders.layers import POOLINGS, pool_tokens
from bertflow_core.errors import InputError


def test_a_layer_set_names_these_hidden_states():
    for name, n_layers, indices in [
        ("last", 12, (12,)),
        ("last2", 12, (11, 12)),
        ("first-last", 12, (1, 12)),  # what ran under the name avg-last-2, not (0, 12)
        ("layer:0", 12, (0,)),
        ("last2", 1, (0, 1)),
        ("first-last", 1, (1, 1)),
        ("layer:100", 100, (100,)),
    ]:
        assert LayerSet(name).indices(n_layers) == indices, name


def test_what_there_is_not_is_refused_with_what_there_is():
    with pytest.raises(InputError, match=r"layer:13.*0 \(the embedding output\) to 12"):
        LayerSet("layer:13").indices(12)
    for name in ("", "Last", "last\n", "layer:", "layer:-1", "layer:1000", "layer:04", "layer:²"):
        with pytest.raises(InputError, match="expected model, last, last2, first-last or layer:k"):
            LayerSet(name)
    with pytest.raises(InputError, match=r"'median'.*'mean', 'cls', 'max', 'last'"):
        TokenPooling.parse("median")


BY_HAND = {
    "mean": lambda h: h.mean(0),
    "cls": lambda h: h[0],
    "max": lambda h: h.max(0),
    "last": lambda h: h[-1],
}
"""Of token vectors (T, D)."""


@pytest.mark.parametrize("pooling", POOLINGS)
def test_a_pooling_is_what_it_is_by_hand_and_summed_in_float32(pooling):
    for n_tokens in (1, 2, 7, 4096):
        hidden = torch.randn(3, n_tokens, 5, generator=torch.Generator().manual_seed(1)) - 2
        hidden = hidden.to(torch.bfloat16)
        before, x = hidden.clone(), pool_tokens(hidden, pooling)
        assert torch.equal(hidden, before)
        assert x.dtype == torch.float32
        expected = [BY_HAND[pooling](h) for h in hidden.double().numpy()]
        np.testing.assert_allclose(x.numpy(), expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("shape", [(7,), (5, 7), (64, 9, 7)])
def test_a_linear_layer_is_the_product_of_numpy(shape, has_bias):
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(7, 11, bias=has_bias).requires_grad_(False), torch.randn(shape)
    bias = layer.bias.double().numpy() if has_bias else 0
    expected = x.double().numpy() @ layer.weight.double().numpy().T + bias
    use_onednn(torch.nn.Sequential(layer))
    with torch.inference_mode():
        np.testing.assert_allclose(layer(x).numpy(), expected, rtol=0, atol=1e-5)
    assert ("forward" in vars(layer)) == torch.backends.mkldnn.is_available()
