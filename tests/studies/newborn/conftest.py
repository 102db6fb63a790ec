"""One newborn model, trained for a few steps on sentences of few words."""

import pytest
from tiny_newborn import tiny_newborn

from bertflow_core.lab import Lab
from bertflow_core.studies.newborn.recording import LiveRecording
from bertflow_core.studies.newborn.study import train_newborn


@pytest.fixture(scope="session")
def newborn_recipe(tmp_path_factory):
    return tiny_newborn(tmp_path_factory.mktemp("newborn"))


@pytest.fixture(scope="session")
def live(newborn_recipe):
    return LiveRecording(newborn_recipe)


@pytest.fixture(scope="session")
def newborn(newborn_recipe, live):
    return train_newborn(newborn_recipe, Lab(), live)
