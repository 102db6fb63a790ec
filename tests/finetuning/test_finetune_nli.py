"""Training on inference pairs: the loss by hand, a stop and its resumption, and what is written."""

import numpy as np
import pytest
from tiny_models import MAX_TOKENS, WORDS

from bertflow_core.encoders import resolve_model
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.experiment import Lab
from bertflow_core.finetuning import NliTraining, finetune_nli
from bertflow_core.finetuning.finetune import unfinished_folder
from bertflow_core.finetuning.inference_pairs import read_inference_pairs
from bertflow_core.recipe import Recipe

N = 70
LABELS = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """SNLI's aligned files with 70 pairs of random words."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "snli").mkdir()
    rng = np.random.default_rng(0)

    def sentences():
        return [" ".join(rng.choice(WORDS, size=rng.integers(2, 8))) for _ in range(N)]

    columns = {"s1": sentences(), "s2": sentences(), "labels": rng.choice(LABELS, N)}
    for name, column in columns.items():
        (folder / "snli" / f"{name}.dev").write_text("\n".join(column) + "\n", encoding="utf-8")
    return folder


def training(model, **changes):
    options = {"data": ("snli",), "splits": ("dev",), "max_length": MAX_TOKENS, **changes}
    return NliTraining(model=str(model), **options)


def weights(folder):
    from safetensors.numpy import load_file

    return load_file(folder / "model.safetensors")


@pytest.fixture(scope="module")
def extra():
    """Skip where the packages of the extra `train` are missing."""
    for name in ("accelerate", "datasets"):
        pytest.importorskip(name, reason="the extra `train` is not installed")


@pytest.fixture(scope="module")
def made(extra, tiny_bert, data, tmp_path_factory):
    """A finished training."""
    out = tmp_path_factory.mktemp("made") / "model"
    return finetune_nli(training(tiny_bert), out, data_dir=data, device="cpu")


@pytest.mark.usefixtures("extra")
class TestTrained:
    def test_the_folder_is_a_model_whose_mean_of_the_last_layer_was_trained(self, made, tiny_bert):
        assert (made.n_pairs, made.n_steps, made.resumed_at) == (N, 5, 0)
        assert made.loss == pytest.approx(np.log(3), abs=0.15)
        assert not unfinished_folder(made.folder).exists()
        words = [" ".join(WORDS[i : i + 4]) for i in range(8)]
        model, last = str(made.folder), {"layers": "last", "max_length": MAX_TOKENS}
        declared = Lab(device="cpu").embed(model, words)
        np.testing.assert_allclose(Lab().embed(model, words, **last), declared, atol=1e-5)
        assert np.abs(declared - Lab().embed(str(tiny_bert), words, **last)).max() > 1e-5
        card = (made.folder / "README.md").read_text(encoding="utf-8")
        for said in (
            "snli dev, 70 pairs",
            "| 1 epoch, 5 steps of 16 pairs, at most",
            "CC BY-SA 4.0",
            "2e-05",
            "warm-up of 10%",
            "--data snli",
        ):
            assert said in card

    def test_stopped_and_resumed_it_ends_with_the_same_weights(
        self, made, tiny_bert, data, tmp_path
    ):
        def stop(done, total, unit):
            if (done, unit) == (3, "steps"):
                raise Cancelled

        options = {"data_dir": data, "device": "cpu", "save_every": 2}
        with pytest.raises(Cancelled):
            finetune_nli(training(tiny_bert), tmp_path / "out", **options, progress=stop)
        assert not (tmp_path / "out").exists()
        unfinished = unfinished_folder(tmp_path / "out")
        (unfinished / "checkpoint-4").mkdir()  # as a kill in the middle of writing leaves one
        with pytest.raises(InputError, match="another training"):
            finetune_nli(training(tiny_bert, seed=1), tmp_path / "out", **options)
        again = finetune_nli(training(tiny_bert), tmp_path / "out", **options)
        assert again.resumed_at == 2
        expected = weights(made.folder)
        for name, found in weights(again.folder).items():
            np.testing.assert_array_equal(found, expected[name])

    def test_the_loss_is_that_of_u_v_and_their_distance(self, tiny_bert, data, tmp_path):
        from bertflow_core.finetuning.trainer import new_trainer
        from bertflow_core.progress import silent

        choices = training(tiny_bert, max_pairs=9)
        pairs = read_inference_pairs(data, choices).pairs
        trainer = new_trainer(
            choices, resolve_model(str(tiny_bert)), pairs, tmp_path,
            on_cpu=True, save_every=100, progress=silent,
        )  # fmt: skip
        head = trainer.head.weight.detach().numpy()
        assert head.shape == (3, 3 * 16) and trainer.head.bias is None
        assert 0.01 < head.std() < 0.03
        u, v = (
            Lab().embed(str(tiny_bert), side, layers="last", max_length=MAX_TOKENS)
            for side in ([pair.premise for pair in pairs], [pair.hypothesis for pair in pairs])
        )
        logits = np.concatenate([u, v, np.abs(u - v)], axis=1) @ head.T
        rows = np.arange(len(pairs)), [LABELS.index(pair.label) for pair in pairs]
        expected = (np.log(np.exp(logits).sum(axis=1)) - logits[rows]).mean()
        trainer.model.eval()
        (batch,) = trainer.get_train_dataloader()
        found = trainer.compute_loss(trainer.model, trainer._prepare_inputs(batch))
        assert found.item() == pytest.approx(expected, abs=1e-5)
        trainer.create_optimizer_and_scheduler(num_training_steps=40)
        rates = []
        for _ in range(41):
            rates.append(trainer.lr_scheduler.get_last_lr()[0])
            trainer.optimizer.step()
            trainer.lr_scheduler.step()
        up, down = np.arange(4) / 4, np.arange(36, -1, -1) / 36
        assert rates == pytest.approx(2e-5 * np.concatenate([up, down]), abs=1e-12)

    def test_a_folder_that_is_there_is_left_alone(self, tiny_bert, data, tmp_path):
        with pytest.raises(InputError, match="exists"):
            finetune_nli(training(tiny_bert), tmp_path, data_dir=data)


def test_a_slice_is_the_same_for_every_seed(tiny_bert, data):
    few = [read_inference_pairs(data, training(tiny_bert, max_pairs=9, seed=s)) for s in (0, 1)]
    every = read_inference_pairs(data, training(tiny_bert))
    assert few[0].digest == few[1].digest != every.digest
    assert len(few[0]) == 9 and set(few[0].pairs) <= set(every.pairs)
    assert every.counts == (("snli", "dev", N),)


def test_what_is_missing_is_named_with_how_to_install_it(tiny_bert, data, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "bertflow_core.finetuning.finetune.find_spec",
        lambda name: None if name == "accelerate" else name,
    )
    with pytest.raises(InputError, match=r'accelerate.*pip install "bertflow-lab\[train\]"'):
        finetune_nli(training(tiny_bert), tmp_path / "out", data_dir=data)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"data": ("qnli",)}, "data set for inference"),
        ({"data": ()}, "at least one data set"),
        ({"max_pairs": 0}, "max_pairs"),
        ({"seed": -1}, "seed"),
        ({"max_length": 2}, "max_length"),
    ],
)
def test_settings_that_no_training_has_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        training("minilm", **changes)


def test_the_command_trains_with_the_same_settings():
    words = NliTraining(model="minilm", data=("snli",), splits=("dev", "test"), seed=3).to_command()
    assert words == (
        "bertflow-lab finetune-nli --model minilm --data snli --split dev --split test --seed 3"
    )
    assert NliTraining(model=Recipe.model).to_command().endswith("--model minilm")
