"""Wrong usage: one sentence that names the fault, exit code 2, and nothing on standard output."""

import sys
from importlib.metadata import version

import pytest

COMMANDS = ("app", "evaluate", "embed", "fit", "calibrate", "data")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["evalute"], ("evalute", "Did you mean 'evaluate'?")),
        (["nothing-like-it"], "nothing-like-it"),
        (["data", "cashe"], ("cashe", "Did you mean 'cache'?")),
        (["evaluate", "--modle", "minilm"], ("--modle", "--model")),
        (["--version-of-nothing"], "--version-of-nothing"),
        (["evaluate", "--model"], ("--model", "requires an argument")),
        (["evaluate", "--seed", "one"], ("--seed", "integer")),
        (["evaluate", "--max-length", "6.5"], ("--max-length", "integer")),
        (["evaluate", "--format", "yaml"], ("yaml", "'table', 'markdown', 'latex', 'csv', 'json'")),
        (["evaluate", "surplus"], "surplus"),
        (["embed"], "source"),
        (["embed", "s.txt"], "--out"),
        (["fit"], "--out"),
        (["calibrate", "x.npy", "--out", "z.npy"], "--calibrator"),
        (["data", "cache", "--clear=yes"], "--clear"),
    ],
)
def test_wrong_usage_is_reported(refuses, args, words):
    refuses(*args, words=words)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--layers", "layer:-1"], ("layer:-1", "first-last")),
        (["--tokens", "average"], ("average", "mean, cls, max")),
        (["--max-length", "2"], "at least 3"),
        (["--precision", "float64"], ("float64", "auto, float32, bfloat16, float16")),
        (["--dataset", "stbs"], ("stbs", "did you mean stsb")),
        (["--dataset", "Teaching"], ("Teaching", "did you mean teaching")),
        (["--split", "tset"], ("tset", "'train', 'dev', 'test'")),
        (["--dataset", "teaching", "--split", "train"], "teaching has no train split here"),
        (["--calibrator", "flw"], ("flw", "did you mean flow")),
        (["--calibrator", "null-top-k:K=6"], "null-top-k:K=6"),
        (["--calibrator", "null-top-k:kk=6"], ("kk", "did you mean k")),
        (["--calibrator", "null-top-k:k=-1"], "null-top-k: k must be a whole number from 0"),
        (["--calibrator", "flow:lr=0"], "bertflow-lab: flow: lr must be a number above 0"),
        (["--calibrator", "identity", "--calibrator", "whiten:x=1"], "no parameter 'x'"),
        (["--calibrator", ""], "name:key=value"),
        (["--fit-on", "trian"], ("trian", "'target', 'train'")),
        (["--seed", "-1"], "seed must be a whole number from 0"),
        (["--seed", "4294967296"], "to 4294967295"),
        (["--aggregation", "median"], "all, mean, wmean"),
        (["--scale", "0,5"], "scale has no meaning for captions"),
        (["--sentence1", "a"], "columns has no meaning for captions"),
        (["--sentence2", "a"], "--sentence1 and --sentence2"),
        (["--sentence1", "a", "--sentence2", "b"], "columns has no meaning for captions"),
        (["--model", "minilmm"], ("minilmm", "did you mean minilm")),
        (["--model", "minilm", "--revision", "main"], "no revisions"),
        (["--layers", "layer:7"], "0 (the embedding output) to 6"),
        (["--max-length", "513"], "3 to 512"),
        (["--batch-size", "0"], "at least 1"),
        (["--device", "gpu"], "cpu, cuda, cuda:N or mps"),
        (["--device", "cuda:99"], "cuda:99"),
    ],
)
def test_a_wrong_choice_is_refused_before_any_work(refuses, no_embedding, args, words):
    refuses("evaluate", *args, words=words)


def test_a_device_is_checked_also_where_it_is_not_needed(works, refuses, table, tiny):
    works("evaluate", *tiny, "--dataset", table, "--calibrator", "identity")
    options = ("--dataset", table, "--calibrator", "identity", "--device", "gpu")
    refuses("evaluate", *tiny[:-2], *options, words="unknown device 'gpu'")


@pytest.mark.parametrize("args", [[], *([name] for name in COMMANDS)])
def test_help_goes_to_standard_output(lab, args):
    outcome = lab(*args, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Usage" in outcome.out


def test_no_command_shows_the_help_and_is_wrong_usage(lab):
    outcome = lab()
    assert (outcome.code, outcome.err) == (2, "")
    assert outcome.out.strip() == lab("--help").out.strip()


def test_the_version_is_the_packages(lab):
    outcome = lab("--version")
    assert (outcome.code, outcome.out) == (0, f"bertflow-lab {version('bertflow-lab')}\n")


def test_the_help_of_the_program_names_every_command(lab):
    shown = lab("--help").out
    assert all(name in shown for name in COMMANDS)


def test_arguments_come_from_the_process_where_none_are_given(capsys, monkeypatch):
    from bertflow_core.cli import main

    monkeypatch.setattr(sys, "argv", ["bertflow-lab", "evalute"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "Did you mean 'evaluate'?" in capsys.readouterr().err


class TestFaultsOfOurOwn:
    @pytest.fixture(autouse=True)
    def _fault(self, monkeypatch):
        def fail(*_, **__):
            raise KeyError("a\nfault")

        monkeypatch.setattr("bertflow_core.lab.Lab.evaluate", fail)

    def test_are_one_line_and_exit_code_1(self, lab):
        outcome = lab("evaluate")
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.startswith("bertflow-lab: unexpected KeyError: ")
        assert outcome.err.count("\n") == 1
        assert "BERTFLOW_DEBUG=1" in outcome.err

    def test_are_shown_whole_on_demand(self, monkeypatch):
        from bertflow_core.cli import main

        monkeypatch.setenv("BERTFLOW_DEBUG", "1")
        with pytest.raises(KeyError):
            main(["evaluate"])


def test_a_warning_is_one_line_on_standard_error(lab, monkeypatch):
    import warnings

    def warn(*_, **__):
        warnings.warn("the block\nis damaged", UserWarning, stacklevel=2)
        return []

    monkeypatch.setattr("bertflow_core.datasets.available", warn)
    outcome = lab("data")
    assert outcome.code == 0
    assert outcome.err == "bertflow-lab: warning: the block is damaged\n"
