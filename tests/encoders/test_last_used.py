"""A lab loads a network once, as long as nothing that decides its vectors changes."""

import copy
import pickle
import threading

from tiny_pairs import tiny_recipe

from bertflow_core.lab import Lab


def test_plain_and_evaluate_load_one_network(recipe_of, own_cache, loaded):
    recipe, lab = recipe_of(), Lab()
    lab.plain(recipe)
    lab.evaluate(recipe, layers=("layer:0", "layer:1"))
    lab.embed(recipe.model, ["a dog runs"], layers="layer:1", max_length=recipe.max_length)
    assert len(loaded) == 1


def test_another_choice_another_file_and_another_thread_get_another_encoder(folder):
    recipe, lab = tiny_recipe(folder, "captions"), Lab()
    first = lab.encoder(recipe)
    assert lab.encoder(recipe.with_(layers="layer:1", seed=3)) is first
    assert lab.encoder(recipe.with_(max_length=9)).max_length == 9
    again = lab.encoder(recipe)
    assert again is not first  # one is kept
    other = []
    thread = threading.Thread(target=lambda: other.append(lab.encoder(recipe)))
    thread.start()
    thread.join()
    assert other[0] is not again
    config = folder / "config.json"
    config.write_text(config.read_text() + "\n")
    assert lab.encoder(recipe) is not again
    for copied in (copy.deepcopy(lab), pickle.loads(pickle.dumps(lab))):
        assert copied.encoder(recipe) is not lab.encoder(recipe)
