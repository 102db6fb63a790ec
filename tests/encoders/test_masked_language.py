"""An encoder's masked-word head: the softmax reads what transformers' own logits come from."""

import numpy as np
import pytest
import torch
from tiny_models import save_tiny_model

from bertflow_core.encoders.masked_language import MaskedLanguageEncoder
from bertflow_core.encoders.model_folder import open_model_folder
from bertflow_core.errors import InputError

SENTENCES = ["the cat sat on the mat", "a big dog runs", "the red cat runs fast"]


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet"])
def test_states_and_table_give_the_logits_of_transformers(tmp_path, family):
    from transformers import AutoModelForMaskedLM

    folder = save_tiny_model(tmp_path, family, head="ForMaskedLM")
    encoder = MaskedLanguageEncoder(open_model_folder("tiny", folder))
    rows, places = encoder.tokenize(SENTENCES), np.array([2, 1, 3])
    states = encoder.masked_states(rows, places)
    network = AutoModelForMaskedLM.from_pretrained(folder).eval()
    mask = encoder.tokens.index("[MASK]" if "bert" == family[-4:] and family != "roberta" else
                                "<mask>")  # fmt: skip
    for row, place, state in zip(rows, places, states, strict=True):
        masked = [*row[:place], mask, *row[place + 1 :]]
        with torch.no_grad():
            expected = network(input_ids=torch.tensor([masked])).logits[0, place].numpy()
        bias = 0 if encoder.bias is None else encoder.bias
        assert encoder.table @ state + bias == pytest.approx(expected, abs=1e-4)
    assert rows[0][2] == encoder.tokens.index("cat")  # what was given is left as it is


def test_a_model_without_the_head_is_refused(tiny_bert):
    with pytest.raises(InputError, match="no head that predicts masked words"):
        MaskedLanguageEncoder(open_model_folder("tiny", tiny_bert))
