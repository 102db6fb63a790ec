"""Linear layers through oneDNN: the same product, of every shape, and of nothing but float32."""

import numpy as np
import pytest
import torch

from bertflow_core.encoders.forward import use_onednn

HAS_ONEDNN = torch.backends.mkldnn.is_available()


@pytest.mark.parametrize("has_bias", [True, False])
@pytest.mark.parametrize("shape", [(7,), (1, 7), (5, 7), (2, 3, 7), (64, 9, 7)])
def test_the_product_is_that_of_numpy(shape, has_bias):
    torch.manual_seed(0)
    layer, x = torch.nn.Linear(7, 11, bias=has_bias).requires_grad_(False), torch.randn(shape)
    bias = layer.bias.double().numpy() if has_bias else 0
    expected = x.double().numpy() @ layer.weight.double().numpy().T + bias
    use_onednn(torch.nn.Sequential(layer))
    with torch.inference_mode():
        np.testing.assert_allclose(layer(x).numpy(), expected, rtol=0, atol=1e-5)
    assert ("forward" in vars(layer)) == HAS_ONEDNN


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_another_precision_is_left_to_torch(dtype):
    layer = torch.nn.Linear(3, 2, dtype=dtype)
    use_onednn(layer)
    assert "forward" not in vars(layer)
