"""Layer sets as lists of hidden states, worked out by hand; 0 is the embedding output."""

import pytest

from bertflow_core.encoders import LayerSet
from bertflow_core.errors import InputError


@pytest.mark.parametrize(
    ("name", "n_layers", "indices"),
    [
        ("last", 12, (12,)),
        ("last2", 12, (11, 12)),
        ("first-last", 12, (1, 12)),  # what ran under the name avg-last-2, not (0, 12)
        ("layer:0", 12, (0,)),
        ("layer:12", 12, (12,)),
        ("layer:4", 6, (4,)),
        ("last2", 1, (0, 1)),
        ("first-last", 1, (1, 1)),
        ("layer:100", 100, (100,)),
    ],
)
def test_a_layer_set_names_these_hidden_states(name, n_layers, indices):
    assert LayerSet(name).indices(n_layers) == indices


@pytest.mark.parametrize("name", ["layer:13", "layer:999"])
def test_a_layer_that_the_encoder_lacks_is_refused_with_those_it_has(name):
    with pytest.raises(InputError, match=rf"{name}.*0 \(the embedding output\) to 12"):
        LayerSet(name).indices(12)


def test_an_unknown_name_is_refused_with_the_valid_ones():
    for name in ("", "Last", "last ", "last\n", "avg", "layer:", "layer:-1", "layer:1.5",
                 "layer:1000", "layer:04", "layer:٤", "layer:²"):  # fmt: skip
        with pytest.raises(InputError, match="expected model, last, last2, first-last or layer:k"):
            LayerSet(name)
