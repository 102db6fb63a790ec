"""A linear calibrator in front of an index of FAISS: it finds what the calibrated vectors find."""

import numpy as np
import pytest
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import EmbeddingStore, Lab, save_calibrator
from bertflow_core.errors import InputError
from bertflow_core.export.run import export_model

faiss = pytest.importorskip("faiss", reason="faiss-cpu is not installed")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(store=EmbeddingStore(tmp_path_factory.mktemp("store")), device="cpu")


def saved(spec, tiny_bert, lab, folder):
    """Save a calibrator fitted on the pairs; return it and the plain vectors of its corpus."""
    recipe = tiny_recipe(tiny_bert, write_pairs(folder / "pairs.csv"), calibrator=spec)
    fitted = lab.fit(recipe)
    save_calibrator(fitted.calibrator, folder / "c", recipe=fitted.recipe.to_dict())
    return fitted.calibrator, lab.vectors(recipe, fitted.corpus.sentences).x


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("spec", ["whiten:n_components=5", "standardize+null-top-k:k=2"])
def test_an_index_finds_by_calibrated_vectors(spec, normalize, tiny_bert, lab, tmp_path):
    calibrator, x = saved(spec, tiny_bert, lab, tmp_path)
    done = export_model(tmp_path / "c", tmp_path / "f", lab, to="faiss", normalize=normalize)
    z = calibrator.transform(x).astype(np.float64)
    given = faiss.read_VectorTransform(str(done.folder / "calibrator.vt")).apply(x)
    np.testing.assert_allclose(given, z, atol=2e-5)
    if normalize:
        z /= np.linalg.norm(z, axis=1, keepdims=True)
    index = faiss.read_index(str(done.folder / "index.faiss"))
    assert index.ntotal == 0
    index.add(x)
    found, _ = index.search(x[:6], 3)
    expected = -np.sort(-(z[:6] @ z.T), axis=1)[:, :3]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    card = (done.folder / "README.md").read_text()
    assert "faiss.read_index" in card and "Read by FAISS" in card
    assert f"compared by {'cosine similarity' if normalize else 'dot product'}" in card


@pytest.mark.parametrize("change", ["A", "b"])
def test_an_index_that_is_read_back_otherwise_is_refused(
    change, tiny_bert, lab, tmp_path, monkeypatch
):
    saved("whiten:n_components=5", tiny_bert, lab, tmp_path)

    def wrong(transform, path):
        values = faiss.vector_to_array(getattr(transform, change))
        faiss.copy_array_to_vector(-values[::-1], getattr(transform, change))
        right(transform, path)

    right = faiss.write_VectorTransform
    monkeypatch.setattr(faiss, "write_VectorTransform", wrong)
    with pytest.raises(InputError, match="gives other vectors"):
        export_model(tmp_path / "c", tmp_path / "f", lab, to="faiss")
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize("spec", ["flow:epochs=1", "rbig"])
def test_what_is_not_linear_is_refused(spec, tiny_bert, lab, tmp_path):
    saved(spec, tiny_bert, lab, tmp_path)
    with pytest.raises(InputError, match=r"not linear|cannot be exported"):
        export_model(tmp_path / "c", tmp_path / "f", lab, to="faiss")
    assert not (tmp_path / "f").exists()
