"""Names of models: the embedded one, folders, and names that are none."""

from pathlib import Path

import pytest

from bertflow_core.encoders import resolve_model
from bertflow_core.errors import InputError


def test_a_revision_where_there_are_none_is_refused(tiny_bert):
    for name in ("minilm", str(tiny_bert)):
        with pytest.raises(InputError, match="has no revisions, got 'main'"):
            resolve_model(name, revision="main")


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("minlm", "did you mean .*minilm"), ("bert_base", "did you mean .*bert-base")]
    + [(name, "model") for name in ("", "/no/such", "~nobody/x", "\0", "x" * 400, "a/b/c")],
)
def test_a_name_that_can_be_no_model_is_refused_in_a_sentence(name, nearest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=nearest):
        resolve_model(name)


def test_a_folder_is_named_by_its_path_and_does_not_take_a_short_name(
    tiny_bert, tmp_path, monkeypatch
):
    monkeypatch.chdir(tiny_bert.parent)
    monkeypatch.setenv("HOME", str(tiny_bert.parent))
    names = (str(tiny_bert), tiny_bert.name, f"~/{tiny_bert.name}")
    assert len({resolve_model(name).digest for name in names}) == 1
    monkeypatch.chdir(tmp_path)
    Path("minilm").symlink_to(tiny_bert)
    model = resolve_model("minilm")
    assert (model.n_layers, model.dim, model.max_positions, model.revision) == (6, 384, 512, None)
    assert resolve_model("./minilm").dim == 16
