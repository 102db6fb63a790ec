"""The words that all pages use, each defined once.

Measures of a space are defined in `analysis.measures`, calibrators in their catalogue: the page
Glossary shows all three.
"""

from dataclasses import dataclass

from bertflow_core.evaluation import RANDOM_COSINE

__all__ = ["GROUPS", "Term"]


@dataclass(frozen=True)
class Term:
    """One word.

    Attributes:
        name: As the pages write it.
        text: What it means, in a sentence or two.
        page: The page that shows it; empty where none does more than another.
    """

    name: str
    text: str
    page: str = ""


GROUPS = {
    "From a sentence to a vector": (
        Term("encoder", "A network that turns a sentence into a vector."),
        Term("token", "A piece of a sentence that an encoder reads: a word or a part of one."),
        Term(
            "layer",
            "One stage of an encoder; each gives a vector for every token. Layer 0 is the "
            "embedding output, before any attention.",
            "layers",
        ),
        Term(
            "layer set",
            "Which layers a sentence's vector is taken from: one, or the mean of two; `model` is "
            "what the model's folder declares, pooling included.",
            "layers",
        ),
        Term(
            "token pooling",
            "How the vectors of tokens become one: their mean, their maximum, or that of the "
            "first token (cls) or of the last.",
        ),
        Term("embedding", "The vector of a sentence before calibration, x, of D numbers."),
        Term(
            "contrastive training",
            "Training on pairs: similar sentences are pulled together, all others pushed apart. "
            "It opens the cone by itself.",
        ),
        Term(
            "cosine",
            "Of the angle between two vectors: 1 for one direction, 0 for a right angle, -1 for "
            "opposite ones. It is taken as the similarity of two sentences.",
        ),
        Term("norm", "The length of a vector."),
    ),
    "The shape of a space": (
        Term(
            "anisotropy",
            "Directions are used unevenly; isotropy is the opposite. The cone is one kind of it.",
        ),
        Term(
            "cone",
            "All vectors point roughly one way, because they share a long mean vector.",
            "start",
        ),
        Term("mean vector", "The average of all vectors: what they share."),
        Term("random cosine", f"{RANDOM_COSINE[0].upper()}{RANDOM_COSINE[1:]}; high in a cone."),
        Term(
            "principal direction",
            "The direction in which vectors differ most around their mean, then the next at a "
            "right angle to it, and so on.",
        ),
        Term("variance", "The mean squared distance from the mean, along a direction."),
        Term(
            "covariance",
            "The variances of all coordinates, and how every two of them vary together.",
        ),
        Term(
            "hole",
            "A place between sentences that is likely under a density although no sentence is "
            "near.",
            "sentences",
        ),
        Term(
            "frequency rank",
            "The place of a word in a list from the most to the least frequent.",
            "words",
        ),
    ),
    "Calibration": (
        Term(
            "calibrator",
            "A map of vectors that is fitted on sentences without grades, to correct the shape of "
            "their space; nothing to do with probabilities.",
            "calibrate",
        ),
        Term(
            "spec",
            "A calibrator as text, with its parameters: null-top-k:k=6. A plus joins two.",
        ),
        Term("whitening", "Giving all directions the same variance and no covariance."),
        Term(
            "flow",
            "An invertible network that maps vectors to a Gaussian, fitted by maximum likelihood; "
            "BERT-flow is this calibrator.",
            "inside",
        ),
        Term("latent vector", "What a flow makes of an embedding, z."),
        Term(
            "ActNorm",
            "A layer of a flow: shifts and scales each coordinate. Before training it subtracts "
            "the mean and divides by the standard deviation.",
            "inside",
        ),
        Term(
            "coupling",
            "A layer of a flow: shifts half of the coordinates by a learnt function of the other "
            "half, so that it can be undone.",
            "inside",
        ),
        Term("permutation", "A layer of a flow: changes the order of the coordinates."),
        Term("base", "The density that a flow maps to: a standard Gaussian."),
        Term(
            "log-determinant",
            "Of a flow's Jacobian dz/dx: the logarithm of how much the map changes volume at a "
            "point, in nats. It is added to the log-density of z to give that of x.",
            "inside",
        ),
        Term(
            "bits per dimension",
            "The training loss of a flow: the mean negative log-density in bits, divided by D. "
            "Lower is more likely.",
            "inside",
        ),
        Term("epoch", "One pass of a fit over all of its sentences."),
    ),
    "Agreement with people": (
        Term("gold score", "People's grade of how similar the two sentences of a pair are."),
        Term(
            "rho",
            "Spearman's rank correlation of cosine with gold scores, shown x 100: 100 for the "
            "same order, 0 for none, -100 for the reverse.",
            "calibrate",
        ),
        Term(
            "label",
            "In place of a gold score: 1 where the two sentences of a pair belong together, as a "
            "question and its answer, else 0.",
        ),
        Term(
            "AUC",
            "How well cosine tells labels apart: the chance that a pair of label 1 has a higher "
            "cosine than one of label 0, shown x 100. 100 for all of them, 50 for none.",
            "calibrate",
        ),
        Term(
            "subset",
            "A named part of a data set's pairs, such as the source of their text.",
        ),
        Term(
            "aggregation",
            "How rho or AUC is taken over subsets: of all pairs at once, or the mean over subsets, "
            "plain or weighted by their pairs.",
        ),
        Term(
            "bootstrap",
            "Drawing the pairs again with replacement, many times, to see how much of a number is "
            "chance.",
            "significance",
        ),
        Term(
            "95 % interval",
            "Where the number lies in the middle 95 % of those draws.",
            "significance",
        ),
        Term(
            "significant",
            "A change so large that chance alone would give it in fewer than 5 of 100 cases; "
            "Holm's correction keeps that true for several tests together.",
            "significance",
        ),
        Term(
            "edit distance",
            "How many words must be added, taken out or changed to turn one sentence into the "
            "other.",
            "lexical",
        ),
        Term("word overlap", "The share of all words of two sentences that both have.", "tour"),
        Term(
            "adversarial pairs",
            "Pairs written so that shared words mislead: a negation, swapped roles.",
            "ledger",
        ),
    ),
    "Data and recipe": (
        Term("recipe", "All choices that decide a number; two different numbers differ in one."),
        Term("split", "A part of a data set: train, dev or test."),
        Term(
            "fit corpus",
            "The sentences a calibrator is fitted on; `target` is every sentence of the data set, "
            "without its gold scores.",
        ),
        Term("seed", "The number that random draws start from; the same seed, the same draws."),
        Term("stored", "Computed before and shipped with the package, with its recipe."),
    ),
}
"""Terms by theme, in the order in which a newcomer meets them."""
