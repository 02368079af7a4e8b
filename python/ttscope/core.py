"""The place where tt-train's Python package has the tracker: `core.utils.MemoryUsageTracker`."""
from ._core import DRAMUsage, MemoryUsageGuard
from .tracker import MemoryUsageTracker

__all__ = ["utils"]


class utils:
    """A namespace; the name is tt-train's."""

    DRAMUsage = DRAMUsage
    MemoryUsageGuard = MemoryUsageGuard
    MemoryUsageTracker = MemoryUsageTracker
