"""The results that the package ships are what it computes."""

import numpy as np
import pytest

from bertflow_core.lab import Lab
from bertflow_core.studies.published import tracked_results


@pytest.mark.parametrize("name", ["teaching", "captions"])
def test_stored_scores_are_computed_again(name, real_store):
    tracked = tracked_results(name)
    recipe = tracked[1].recipe
    assert recipe.dataset == name
    assert recipe.fit_on == ("captions" if name == "teaching" else "target")
    lab = Lab(store=real_store)
    found = [lab.plain(recipe), *lab.evaluate(recipe, [each.spec for each in tracked[1:]])]
    assert [each.spec for each in found] == [each.spec for each in tracked]
    stored = [each.rho for each in tracked]
    assert [each.scores.spearman.all for each in found] == pytest.approx(stored, abs=1e-3)
    for each, kept in zip(found, tracked, strict=True):
        if kept.similarity.size and "flow" not in each.spec:
            np.testing.assert_allclose(each.similarity, kept.similarity, atol=1e-4)
