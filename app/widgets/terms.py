"""What hovering over a sentence explains: the words of the glossary that stand in it."""

_TERMS = {
    "ActNorm": "A layer of a flow: shifts and scales each coordinate. Before training it subtracts "
    "the mean and divides by the standard deviation.",
    "anisotropy": "Directions are used unevenly; isotropy is the opposite. The cone is one kind "
    "of it.",
    "bits per dimension": "The training loss of a flow: the mean negative log-density in bits, "
    "divided by D. Lower is more likely.",
    "calibrator": "A map of vectors that is fitted on sentences without grades, to correct the "
    "shape of their space; nothing to do with probabilities.",
    "cone": "All vectors point roughly one way, because they share a long mean vector.",
    "cosine": "Of the angle between two vectors: 1 for one direction, 0 for a right angle, -1 for "
    "opposite ones. It is taken as the similarity of two sentences.",
    "coupling": "A layer of a flow: shifts half of the coordinates by a learnt function of the "
    "other half, so that it can be undone.",
    "edit distance": "How many words must be added, taken out or changed to turn one sentence into "
    "the other.",
    "encoder": "A network that turns a sentence into a vector.",
    "epoch": "One pass of a fit over all of its sentences.",
    "flow": "An invertible network that maps vectors to a Gaussian, fitted by maximum likelihood; "
    "BERT-flow is this calibrator.",
    "frequency rank": "The place of a word in a list from the most to the least frequent.",
    "gold score": "People's grade of how similar the two sentences of a pair are.",
    "hole": "A place between sentences that is likely under a density although no sentence is "
    "near.",
    "latent vector": "What a flow makes of an embedding, z.",
    "layer": "One stage of an encoder; each gives a vector for every token. Layer 0 is the "
    "embedding output, before any attention.",
    "random cosine": "Mean cosine of 10,000 random pairs of the scored sentences; high in a cone.",
    "rho": "Spearman's rank correlation of cosine with gold scores, shown x 100: 100 for the same "
    "order, 0 for none, -100 for the reverse.",
}
"""As docs/glossary.md has them."""


def meaning(*terms: str) -> str:
    """Return the text that hovering over a sentence shows of the terms in it."""
    return "\n\n".join(f"**{term}**: {_TERMS[term]}" for term in terms)
