"""`bertflow-lab analyse`: the geometry of words and sentences, and lexical bias."""

import typer

from bertflow_core.cli import (
    analyse_cone,
    analyse_lexical,
    analyse_newborn,
    analyse_sentences,
    analyse_wall,
    analyse_words,
)

COMMANDS = typer.Typer(
    help="Measure the geometry of words and sentences, and lexical bias.", no_args_is_help=True
)
COMMANDS.command()(analyse_words.words)
COMMANDS.command()(analyse_cone.cone)
COMMANDS.command()(analyse_newborn.newborn)
COMMANDS.command()(analyse_lexical.lexical)
COMMANDS.command()(analyse_sentences.sentences)
COMMANDS.command()(analyse_sentences.spectrum)
COMMANDS.command()(analyse_sentences.layers)
COMMANDS.command()(analyse_wall.wall)
