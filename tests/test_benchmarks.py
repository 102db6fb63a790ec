"""Records, tables and peaks of the benchmarks; whether the package and its peers do the same work.

No time is asserted, since machines are shared and noisy.
"""

import json
import sys
from functools import partial

import pytest
import torch
from bertflow_benchmarks import bootstrap, closed_forms, flow, measure, neighbours, record
from bertflow_benchmarks.plain_flow import fit as fit_plain_flow
from bertflow_benchmarks.synthetic import embeddings

from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow


def test_a_quick_benchmark_records_all_that_its_numbers_depend_on(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(closed_forms, "SPECS", {"standardize": "standardize"})
    monkeypatch.setattr(closed_forms, "STSB_ROWS", 2_000)
    monkeypatch.setattr(sys, "argv", ["closed_forms", "--quick", "--out", str(tmp_path)])
    closed_forms.main()
    found = json.loads((tmp_path / "closed_forms.json").read_text(encoding="utf-8"))
    assert set(found) == {"benchmark", "date", "machine", "versions", "recipe", "results"}
    assert found["recipe"] == {"rows": 2_000, "k": 6, "repeats": 3}
    (row,) = found["results"]
    assert [row["name"], row["peer"]] == ["standardize", "scikit-learn"]
    assert row["spread"][0] <= row["ratio"] <= row["spread"][1]
    assert min(row["seconds"], row["peer_seconds"], row["spread"][0]) > 0
    assert 0 <= row["checks"]["max_error"] < 1e-5
    assert capsys.readouterr().out.strip() == record.table(found).write("table").strip()


@pytest.mark.parametrize("name", closed_forms.SPECS)
def test_every_closed_form_is_that_of_numpy_in_float64(name):
    size = name, 2_000, 64
    ours, theirs = closed_forms.by_package(*size), closed_forms.by_sklearn(*size)
    checks = closed_forms.errors(*size, ours, theirs)
    assert 0 <= checks["max_error"] < 1e-4
    assert max(checks["max_cosine_error"], checks["peer_max_cosine_error"]) < 1e-4


def test_neighbours_and_resamples_agree_with_their_peers():
    rhos = bootstrap.our_rhos(50, 10), bootstrap.scipy_rhos(50, 4)
    assert bootstrap.rho_difference(*rhos)["rho_difference"] < 1e-12
    pytest.importorskip("faiss")
    found = neighbours.by_package("dot", 40), neighbours.by_faiss("dot", 40)
    errors = neighbours.errors("dot", 40, *found)
    assert len(errors) == 2 and max(errors.values()) < 1e-5


def test_the_plain_flow_is_the_same_flow():
    x = torch.from_numpy(embeddings(640, 32, seed=1))
    ours = fit_flow(x, glow=GlowConfig(), training=TrainingConfig(seed=3)).steps
    theirs = fit_plain_flow(x, seed=3)
    assert theirs == pytest.approx([step.bits_per_dimension for step in ours], abs=1e-4)
    assert theirs[-1] < theirs[0] - 0.01  # so that agreement means that both learnt
    assert flow.our_loss(640, 32) == pytest.approx(flow.plain_loss(640, 32), abs=1e-3)


def test_ratios_are_medians_over_rounds_and_a_share_counts_as_the_whole(monkeypatch):
    seconds = {"theirs": iter([1.0, 0.2, 0.3]), "ours": iter([1.0, 1.0, 3.0])}
    monkeypatch.setattr(measure, "_timed", lambda work: next(seconds[work()]))
    run = measure.Run("any", quick=True)
    theirs, ours = (partial(str, name) for name in seconds)
    (row,) = run.compare({"ours": ours}, ("theirs", theirs), lambda *_: {}, share=0.1)
    assert (row["peer_seconds"], row["seconds"]) == (3.0, 1.0)
    assert (row["ratio"], row["spread"]) == (2.0, [1.0, 10.0])  # that of the medians would be 3
    peer = "theirs", partial(str, "never called")
    monkeypatch.setattr(measure, "_timed", lambda work: 1.0)
    (row,) = run.compare({"ours": ours}, peer, lambda *_: {}, needs="nowhere-cpu")
    assert row["ratio"] is None and "nowhere-cpu is not installed" in row["missing"]


def test_a_peak_is_that_of_the_command_alone():
    ours = b"x" * (400 << 20)  # what this process holds must not count
    little, much = (
        measure.peak_mib([sys.executable, "-c", f"print(len(b'x' * ({n} << 20)), end='')"])
        for n in (1, 201)
    )
    assert little < 400
    assert much - little == pytest.approx(200, abs=20)
    del ours


def test_the_readme_shows_the_recorded_results(tmp_path):
    readme, text = tmp_path / "README.md", record.README.read_text(encoding="utf-8")
    readme.write_text(text, encoding="utf-8")
    record.put_into_readme(readme)
    assert readme.read_text(encoding="utf-8") == text
    assert text.count("### ") == len(list(record.RESULTS.glob("*.json")))
    readme.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="needs the markers"):
        record.put_into_readme(readme)
