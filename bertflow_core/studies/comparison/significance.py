"""Whether the differences of a comparison mean something: intervals, letters, seeds."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import RhoComparison, compare_rhos
from bertflow_core.evaluation.seeds import SeedSummary, summarize_seeds
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison.grid import Row
from bertflow_core.studies.comparison.result import Comparison
from bertflow_core.tables import TextTable, percent, to_csv, to_json

__all__ = ["Assessment", "assess"]


@dataclass(frozen=True)
class Assessment:
    """The rows of a comparison on one data set, tested against one of them.

    Attributes:
        dataset: Where.
        baseline: What the differences are taken to.
        protocol: What the rows share.
        rows: All rows, by their label.
        significance: Intervals, differences and letters, by label; of a calibrator that draws, for
            the fit of its first seed.
        seeds: Rho over seeds, by label.
    """

    dataset: str
    baseline: Row
    protocol: Recipe
    rows: Mapping[str, Row]
    significance: RhoComparison
    seeds: Mapping[str, SeedSummary]

    @property
    def has_letters(self) -> bool:
        """Whether so many resamples could tell any pair of so many rows apart."""
        found = self.significance
        return len(found.pairs) * found.draws.smallest_p <= found.alpha

    def to_csv(self) -> str:
        """Return the records as CSV, the protocol with each."""
        shared = self.protocol.with_(dataset=self.dataset).columns()
        own = {"recipe_model", "recipe_layers", "recipe_tokens", "recipe_calibrator"}
        kept = {name: value for name, value in shared.items() if name not in own}
        return to_csv([record | kept for record in self.records()])

    def to_json(self) -> str:
        """Return the records as JSON, the protocol once."""
        protocol = self.protocol.with_(dataset=self.dataset)
        return to_json(self.records(), {"protocol": protocol.to_dict()})

    def records(self) -> list[dict[str, Any]]:
        """Return a flat record a row: rho, its interval, its difference and its seeds."""
        found = {difference.name: difference for difference in self.significance.to_baseline}
        return [self._record(label, found.get(label)) for label in self.rows]

    def _record(self, label: str, difference: Any) -> dict[str, Any]:  # noqa: ANN401
        draws, interval = self.significance.draws, self.significance.interval(label)
        values: dict[str, Any] = {
            "dataset": self.dataset,
            "row": label,
            **asdict(self.rows[label]),
            "rho": float(draws.rhos[draws.index(label)]),
            "low": interval.low,
            "high": interval.high,
            "letters": self.significance.letters[label] if self.has_letters else None,
            "baseline": str(self.baseline),
        }
        if difference is not None:
            values |= {
                "difference": difference.rho,
                "difference_low": difference.interval.low,
                "difference_high": difference.interval.high,
                "p": difference.p,
                "p_holm": difference.p_adjusted,
                "told_apart": difference.told_apart,
            }
        seeds = self.seeds[label]
        return values | {
            "n_seeds": seeds.n_seeds,
            "seeds_mean": seeds.mean,
            "seeds_sd": seeds.sd,
            "seeds_median": seeds.median,
            "n_draws": draws.n_draws,
        }

    def table(self) -> TextTable:
        """Lay the records out for people, rho x 100."""
        header = ("row", "rho", "interval", "letters", "difference", "its interval", "p (Holm)")
        seeds = any(summary.n_seeds > 1 for summary in self.seeds.values())
        extra = ("seeds: mean", "sd", "median") if seeds else ()
        return TextTable(
            (*header, *extra),
            tuple(
                (*self._line(record), *(self._seeds(record["row"]) if seeds else ()))
                for record in self.records()
            ),
            self.remarks(),
        )

    def _line(self, record: Mapping[str, Any]) -> tuple[str, ...]:
        compared = "difference" in record
        return (
            record["row"],
            percent(record["rho"]),
            _range(record["low"], record["high"]),
            record["letters"] or "",
            f"{100 * record['difference']:+.2f}" if compared else "",
            _range(record["difference_low"], record["difference_high"]) if compared else "",
            f"{record['p_holm']:.4f}" if compared else "",
        )

    def _seeds(self, label: str) -> tuple[str, ...]:
        found = self.seeds[label]
        if found.n_seeds == 1:
            return "", "", ""
        return percent(found.mean), percent(found.sd), percent(found.median)

    def remarks(self) -> tuple[str, ...]:
        """Say how the intervals were made and what they do not speak of."""
        draws = self.significance.draws
        level = f"{100 * (1 - self.significance.alpha):g} %"
        within = "" if draws.aggregation == "all" else ", within subsets"
        several = any(summary.n_seeds > 1 for summary in self.seeds.values())
        of_seeds = " They are those of the first seed's fit and say nothing of other seeds."
        return (
            f"{self.dataset}, {draws.n_pairs:,} pairs, aggregation {draws.aggregation}; {level} "
            f"intervals from {draws.n_draws:,} resamples of the pairs{within}, the same for every "
            f"row, every calibrator left as it was fitted.{of_seeds if several else ''}",
            f"Differences are to {self.baseline}; p is two-sided, Holm over "
            f"{len(self.significance.to_baseline)} of them, and cannot be below "
            f"{draws.smallest_p:.4f} before that. The intervals are not adjusted for the number "
            "of rows: one may leave out 0 where p (Holm) is above 0.05.",
            "Rows that share a letter cannot be told apart (Holm over all pairs of rows)."
            if self.has_letters
            else f"No letters: {len(self.significance.pairs)} pairs of rows are too many for "
            f"{draws.n_draws:,} resamples to tell any two apart; compare fewer rows.",
            f"Split {self.protocol.split}, fitted on {self.protocol.fit_on}; at most "
            f"{self.protocol.max_length} tokens, {self.protocol.dtype}; seed {self.protocol.seed}.",
        )


def assess(
    comparison: Comparison,
    dataset: str,
    *,
    baseline: Row | None = None,
    alpha: float = 0.05,
    n_draws: int = 2_000,
    progress: Progress = silent,
) -> Assessment:
    """Test the rows of a comparison against each other on one of its data sets.

    Args:
        comparison: A filled grid.
        dataset: One of its columns.
        baseline: What differences are taken to; None is the first row.
        alpha: The level, in (0, 1).
        n_draws: Resamples to begin with; more are drawn where they could change a verdict.
        progress: Told of the resamples.

    Raises:
        InputError: A single row, an unknown one, or a row without a rho.
    """
    rows = {str(row): row for row in comparison.grid.rows}
    baseline = baseline or comparison.grid.rows[0]
    if len(rows) < 2:
        raise InputError("a test needs two rows: choose a calibrator beside identity")
    pairs = comparison.pairs[dataset]
    if pairs.gold is None:
        raise InputError(f"{dataset} has no gold scores, so there is no rho to test")
    found = compare_rhos(
        {label: comparison.fits(row, dataset)[0].similarity for label, row in rows.items()},
        pairs.gold,
        pairs.subsets,
        baseline=str(baseline),
        aggregation=comparison.aggregation,
        alpha=alpha,
        n_draws=n_draws,
        seed=comparison.grid.protocol.seed,
        progress=progress,
    )
    seeds = {label: _over_seeds(comparison.rhos(row, dataset)) for label, row in rows.items()}
    return Assessment(dataset, baseline, comparison.grid.protocol, rows, found, seeds)


def _over_seeds(rhos: Sequence[float | None]) -> SeedSummary:
    known = [rho for rho in rhos if rho is not None]
    if len(known) < len(rhos):
        raise InputError(
            "a row has no rho under some of its seeds: take other seeds or leave it out"
        )
    return summarize_seeds(known)


def _range(low: float, high: float) -> str:
    return f"[{percent(low)}, {percent(high)}]"
