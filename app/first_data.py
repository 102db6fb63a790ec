"""Embed the default data in the background once somebody sees a page with the default choices.

The embedding pauses while a job runs. Jobs reuse the embeddings that are stored so far.
"""

import atexit
import logging
import threading
import time

from bertflow_app.work import warmup
from bertflow_app.work.registry import registry

from bertflow_core.encoders import TransformerEncoder
from bertflow_core.errors import BertFlowError, Cancelled
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime import context
from bertflow_core.store import EmbeddingStore

PORTION = 256
"""Sentences per portion: about a second of work, the longest that a job waits for the encoder."""
PAUSE_SECONDS = 0.2

_wanted, _done, _ending = threading.Event(), threading.Event(), threading.Event()


def want() -> None:
    """Start the thread, unless it was started before."""
    if not _wanted.is_set():
        _wanted.set()
        thread = threading.Thread(target=_embed, name="first-data", daemon=True)
        atexit.register(_end, thread)
        thread.start()


def is_embedded() -> bool:
    """Tell whether the default data are embedded, so that most pages take only seconds."""
    return _done.is_set()


def _end(thread: threading.Thread) -> None:
    """End the thread first: an interpreter that exits during a forward pass aborts."""
    _ending.set()
    thread.join()


def _go_on(done: int, total: int, unit: str) -> None:
    if _ending.is_set():
        raise Cancelled("the server ends")


def _embed() -> None:
    if _ending.wait(warmup.FIRST_PAINT_SECONDS):
        return
    warmup.ready()
    try:
        embed_portions(Recipe())
        _done.set()
    except Cancelled:
        pass
    except BertFlowError as error:  # the page that needs the data shows this error
        logging.getLogger("bertflow_app").warning("the default data was not embedded: %s", error)


def embed_portions(recipe: Recipe) -> None:
    """Embed all layers of the sentences that a recipe scores and fits on, while no job runs.

    The scored sentences come first.
    """
    from bertflow_core.lab.lab import Lab

    store = EmbeddingStore()
    lab = Lab(store=store)
    pairs, corpus = lab.load(recipe)
    scored = list(dict.fromkeys(pairs.sentences()))
    rest = sorted({*corpus.sentences} - {*scored}, key=len)  # equal lengths share a batch
    encoder = lab.encoder(recipe)
    assert isinstance(encoder, TransformerEncoder)
    with context.reporting(_go_on):
        for sentences in (scored, rest):
            for begin in range(0, len(sentences), PORTION):
                while not registry().is_idle:
                    _go_on(begin, len(sentences), "sentences")
                    time.sleep(PAUSE_SECONDS)
                store.fill(encoder, sentences[begin : begin + PORTION])
