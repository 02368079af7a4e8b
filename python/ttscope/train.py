"""Training on the simulated device: gradients, layers and optimizers, as tt-train keeps and frees their memory."""
from contextlib import contextmanager
from typing import Dict, Iterator

from ._core import train as _train
from ._core.train import *  # noqa: F401,F403
from ._core.train import Tensor, enable_gradients, gradients_enabled

__all__ = [name for name in dir(_train) if not name.startswith("_")] + ["Module", "no_gradients"]


class Module:
    """A layer made of others: parameters() finds those of its attributes, and of lists of layers."""

    def parameters(self) -> Dict[str, Tensor]:
        found: Dict[str, Tensor] = {}
        for name, value in vars(self).items():
            for inner, part in enumerate(value) if isinstance(value, list) else [(None, value)]:
                prefix = name if inner is None else f"{name}_{inner}"
                if isinstance(part, Tensor):
                    found[prefix] = part
                elif hasattr(part, "parameters"):
                    found.update({f"{prefix}/{key}": each for key, each in part.parameters().items()})
        return found

    def parameter_count(self) -> int:
        """Values of all parameters, without padding."""
        total = 0
        for parameter in self.parameters().values():
            volume = 1
            for size in parameter.shape:
                volume *= size
            total += volume
        return total


@contextmanager
def no_gradients() -> Iterator[None]:
    """Nothing is kept for a backward pass inside."""
    before = gradients_enabled()
    enable_gradients(False)
    try:
        yield
    finally:
        enable_gradients(before)
