"""Tensors and operations of a simulated device: shapes, places and memory, no values."""
from ._core import sim as _sim
from ._core.sim import *  # noqa: F401,F403

__all__ = [name for name in dir(_sim) if not name.startswith("_")]
