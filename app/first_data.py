"""Embed the default data in the background once somebody sees a page with the default choices.

It gives way to every job: what a visitor waits for comes first, and finds embedded what is done.
"""

import logging
import threading
import time

from bertflow_app import warmup
from bertflow_app.visitors import belongings

from bertflow_core.errors import BertFlowError
from bertflow_core.recipe import Recipe

PORTION = 256
"""Sentences at a time, about a second: as long as a job may wait for the encoder's lock."""
PAUSE_SECONDS = 0.2

_wanted = threading.Event()


def want() -> None:
    """Begin, unless that was done before."""
    if not _wanted.is_set():
        _wanted.set()
        threading.Thread(target=_embed, name="first-data", daemon=True).start()


def _embed() -> None:
    time.sleep(warmup.FIRST_PAINT_SECONDS)
    warmup.ready()
    try:
        embed_portions(Recipe())
    except BertFlowError as error:  # the page that needs it will say the same
        logging.getLogger("bertflow_app").warning("the default data was not embedded: %s", error)


def embed_portions(recipe: Recipe) -> None:
    """Embed what a recipe scores, then what it fits on, whenever no job is under way.

    Raises:
        BertFlowError: The data or the encoder cannot be used.
    """
    from bertflow_core.experiment import Lab

    lab = Lab()
    pairs, corpus = lab.load(recipe)
    scored = dict.fromkeys(pairs.sentences())
    rest = sorted({*corpus.sentences} - {*scored}, key=len)  # equal lengths run together
    encoder = lab.encoder(recipe)
    for sentences in (list(scored), rest):
        for begin in range(0, len(sentences), PORTION):
            while not belongings().registry.is_idle:
                time.sleep(PAUSE_SECONDS)
            lab.vectors(recipe, sentences[begin : begin + PORTION], encoder=encoder)
