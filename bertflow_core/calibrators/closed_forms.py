"""The calibrators in closed form, as data of the catalogue."""

from bertflow_core.calibrators.schema import CalibratorInfo, Parameter

__all__ = ["CLOSED_FORMS"]

_N_QUANTILES = Parameter(
    "n_quantiles", int, 100, "Knots of each feature's map, at most the sentences.", 2, 10_000
)

CLOSED_FORMS = (
    CalibratorInfo(
        name="identity",
        title="Identity",
        formula="x",
        source="baseline",
        url="",
        invertible="yes",
        density="no",
        target="bertflow_core.calibrators.linear:Identity",
    ),
    CalibratorInfo(
        name="standardize",
        title="Standardize",
        formula="(x - mean) / standard deviation, feature by feature",
        source="Li et al. 2020 (SN); Timkey and van Schijndel 2021",
        url="https://arxiv.org/abs/2109.04404",
        invertible="yes",
        density="Gaussian, independent features",
        target="bertflow_core.calibrators.linear:Standardize",
    ),
    CalibratorInfo(
        name="null-top-k",
        title="Null the top k",
        formula="(I - U_k U_k^T) (x - mean)",
        source="Li et al. 2020 (NATSV); Mu and Viswanath 2018",
        url="https://arxiv.org/abs/1702.01417",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:NullTopK",
        parameters=(Parameter("k", int, 1, "Principal directions to remove.", 0, 100_000),),
    ),
    CalibratorInfo(
        name="all-but-the-top",
        title="All but the top",
        formula="(I - U_k U_k^T) (x - mean), k = D / 100",
        source="Mu and Viswanath 2018",
        url="https://arxiv.org/abs/1702.01417",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:AllButTheTop",
        parameters=(
            Parameter(
                "k",
                int,
                None,
                "Principal directions to remove; none is D / 100, rounded, at least 1.",
                1,
                100_000,
            ),
        ),
    ),
    CalibratorInfo(
        name="common-component",
        title="Common component",
        formula="(I - V_k V_k^T) x, V_k singular vectors of the uncentred embeddings",
        source="Arora et al. 2017 (SIF)",
        url="https://openreview.net/forum?id=SyK00v5xx",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:CommonComponent",
        parameters=(Parameter("k", int, 1, "Singular directions to remove.", 1, 100_000),),
    ),
    CalibratorInfo(
        name="whiten",
        title="Whiten",
        formula="L_n^(-1/2) U_n^T (x - mean)",
        source="Su et al. 2021",
        url="https://arxiv.org/abs/2103.15316",
        invertible="only where no direction is dropped",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:Whiten",
        parameters=(
            Parameter(
                "n_components",
                int,
                None,
                "Leading directions to keep; none keeps all that have variance.",
                1,
                100_000,
            ),
            Parameter(
                "shrinkage",
                float,
                0.0,
                "Weight of the identity in the covariance; above 0 where N < D.",
                0,
                1,
            ),
        ),
    ),
    CalibratorInfo(
        name="soft-whiten",
        title="Soft whiten",
        formula="U (L + e I)^(-p/2) U^T (x - mean); without the first U for rotation pca",
        source="Diera et al. 2024",
        url="https://arxiv.org/abs/2411.17538",
        invertible="only where no direction is dropped; with eps above 0 none is",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:SoftWhiten",
        parameters=(
            Parameter(
                "rotation",
                str,
                "zca",
                "Whether to turn back to the features (zca) or not (pca).",
                choices=("pca", "zca"),
            ),
            Parameter(
                "eps", float, 0.1, "Added to each eigenvalue, as a share of their mean.", 0, 1e6
            ),
            Parameter("power", float, 1.0, "p: 0 evens out nothing, 1 all.", 0, 1),
        ),
    ),
    CalibratorInfo(
        name="ledoit-wolf",
        title="Ledoit-Wolf",
        formula="L^(-1/2) U^T (x - mean) of (1 - s) C + s (trace C / D) I, s from the data",
        source="Ledoit and Wolf 2004",
        url="https://doi.org/10.1016/S0047-259X(03)00096-4",
        invertible="only where no direction is dropped; with s above 0 hardly ever one is",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:LedoitWolf",
    ),
    CalibratorInfo(
        name="gaussianize",
        title="Gaussianize",
        formula="g_j(x_j), through each feature's quantiles to the normal",
        source="Chen and Gopinath 2000",
        url="https://papers.nips.cc/paper/2000/hash/3c947bc2f7ff007b86a9428b74654de5-Abstract.html",
        invertible="yes",
        density="yes, independent features",
        target="bertflow_core.calibrators.gaussianize:Gaussianize",
        parameters=(_N_QUANTILES,),
    ),
    CalibratorInfo(
        name="rbig",
        title="RBIG",
        formula="R_L g_L( ... R_1 g_1(x)), quantile maps and rotations in turn",
        source="Laparra et al. 2011",
        url="https://arxiv.org/abs/1602.00229",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.gaussianize:RBIG",
        parameters=(
            Parameter("n_layers", int, 5, "Layers of a quantile map and a rotation.", 1, 100),
            Parameter(
                "rotation",
                str,
                "pca",
                "Principal directions, or drawn at random.",
                choices=("pca", "random"),
            ),
            _N_QUANTILES,
            Parameter("seed", int, None, "Of random rotations; none is the recipe's seed.", 0),
        ),
        seed_matters_if=("rotation", "random"),
    ),
)
