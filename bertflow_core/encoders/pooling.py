"""Token pooling: from (B, T, D) token vectors to (B, D) sentence vectors, every way at once."""

from typing import TYPE_CHECKING

from bertflow_core.encoders.layers import TokenPooling

if TYPE_CHECKING:
    import torch

__all__ = ["POOLINGS", "pool_tokens"]

POOLINGS = tuple(TokenPooling)


def pool_tokens(hidden: "torch.Tensor", mask: "torch.Tensor | None" = None) -> "torch.Tensor":
    """Pool token vectors in every way of `TokenPooling`, in that order.

    Args:
        hidden: Token vectors, shape (B, T, D); not written to.
        mask: 1 for real tokens and 0 for padding at the end, shape (B, T); None where nothing is
            padded, which spares the multiplications. What stands in the padding does not count.

    Returns:
        Pooled vectors in float32, shape (3, B, D): mean, cls, max.
    """
    import torch

    hidden = hidden.float()
    if mask is None:
        mean, largest = hidden.mean(dim=1), hidden.amax(dim=1)
    else:
        padding = (mask == 0).unsqueeze(-1)
        n_tokens = (~padding).sum(dim=1).clamp_min(1)
        mean = hidden.masked_fill(padding, 0.0).sum(dim=1) / n_tokens
        largest = hidden.masked_fill(padding, -torch.inf).amax(dim=1)
    return torch.stack((mean, hidden[:, 0], largest))
