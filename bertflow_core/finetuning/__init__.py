"""Training an encoder on natural language inference: the models of the paper's Table 3."""

from bertflow_core.finetuning.finetune import Finetuned, finetune_nli
from bertflow_core.finetuning.training import NliTraining

__all__ = ["Finetuned", "NliTraining", "finetune_nli"]
