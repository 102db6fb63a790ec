"""Definitions of terms, shown as a tooltip of the sentence that uses them."""

_TERMS = {
    "ActNorm": "A layer of a flow. It shifts and scales each coordinate. As initialised, it "
    "subtracts the mean and divides by the standard deviation.",
    "anisotropy": "Directions are used unevenly; isotropy is the opposite. The cone is one kind "
    "of anisotropy.",
    "bits per dimension": "The training loss of a flow: the mean negative log-density in bits, "
    "divided by D. Lower is more likely.",
    "calibrator": "A map of vectors, fitted on sentences without gold scores, that corrects the "
    "shape of their space. It has nothing to do with calibrated probabilities.",
    "cone": "All vectors point in roughly the same direction, because they share a long mean "
    "vector.",
    "cosine": "The cosine of the angle between two vectors: 1 for the same direction, 0 for a "
    "right angle, -1 for opposite directions. It serves as the similarity of two "
    "sentences.",
    "coupling": "A layer of a flow. It shifts half of the coordinates by a learnt function of the "
    "other half, so it can be inverted.",
    "edit distance": "The number of words to insert, delete or substitute to turn one sentence "
    "into the other.",
    "encoder": "A network that turns a sentence into a vector.",
    "epoch": "One pass of a fit over all of its sentences.",
    "flow": "An invertible network that maps vectors to a Gaussian, fitted by maximum likelihood; "
    "BERT-flow is this calibrator.",
    "frequency rank": "A word's position in the list of words from most to least frequent.",
    "gold score": "How similar the two sentences of a pair are according to people.",
    "hole": "A region that the model's density calls likely although it holds no sentences.",
    "latent vector": "The vector z that a flow maps an embedding to.",
    "layer": "One stage of an encoder; each gives a vector for every token. Layer 0 is the "
    "embedding output, before any attention.",
    "random cosine": "Mean cosine of 10,000 random pairs of the scored sentences; high in a cone.",
    "rho": "Spearman's rank correlation of cosine with gold scores, times 100. It is 100 for "
    "the same order, 0 for no relation and -100 for the reverse order.",
}
"""Worded as in docs/glossary.md."""


def meaning(*terms: str) -> str:
    """Return the definitions of these terms, for the tooltip of a sentence."""
    return "\n\n".join(f"**{term}**: {_TERMS[term]}" for term in terms)
