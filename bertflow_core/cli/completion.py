"""What a shell offers after an option: names of calibrators, encoders, layer sets, data sets."""

from bertflow_core.calibrators.registry import CALIBRATORS, plain_name

__all__ = ["data_sets", "encoders", "layer_sets", "specs"]


def specs(incomplete: str) -> list[tuple[str, str]]:
    """Return the specs that go on as `incomplete` does, each with what it is; + adds a step."""
    before, plus, begun = incomplete.rpartition("+")
    return [
        (f"{before}{plus}{name}", plain_name(name))
        for name in CALIBRATORS
        if name.startswith(begun)
    ]


def encoders(incomplete: str) -> list[tuple[str, str]]:
    """Return the encoders of the catalogue whose names begin so."""
    from bertflow_core.encoders.catalog import CATALOG  # late: it brings numpy

    return [(e.name, e.hub_id) for e in CATALOG.values() if e.name.startswith(incomplete)]


def layer_sets(incomplete: str) -> list[str]:
    """Return the names of layer sets that begin so, of the first twelve layers."""
    from bertflow_core.encoders import layers

    names = (layers.DECLARED, *layers.layer_sets(12))
    return [name for name in names if name.startswith(incomplete)]


def data_sets(incomplete: str) -> list[str]:
    """Return the names of data sets that begin so; a shell offers files by itself."""
    from bertflow_core.datasets.catalog import DATASETS

    return [name for name in DATASETS if name.startswith(incomplete)]
