"""Memory of training phases, on Tenstorrent devices or without one.

    import ttscope
    guard = ttscope.MemoryUsageTracker.begin_capture(ttscope.graph.RunMode.NO_DISPATCH)

Captures come from ttnn where it can be imported, else from the simulated device (ttscope.sim, ttscope.train).
`load(path)` gives the columns of any profile as numpy arrays (numpy is needed for that only), `plots` draws them.
"""
import atexit as _atexit

from . import core, graph, plots, sim, train
from ._capture import capture_source, set_capture_source
from ._core import version as __version__
from ._core import DRAMUsage, MemoryUsageGuard, PeakMemoryUsagePerCore
from ._profile import Profile, Table, load
from .tracker import MemoryUsageTracker

__all__ = [
    "DRAMUsage",
    "MemoryUsageGuard",
    "MemoryUsageTracker",
    "PeakMemoryUsagePerCore",
    "Profile",
    "Table",
    "__version__",
    "capture_source",
    "core",
    "graph",
    "load",
    "plots",
    "set_capture_source",
    "sim",
    "train",
]


def _forget() -> None:
    # What is kept may lead back to Python objects, which do not outlive the interpreter.
    MemoryUsageTracker.clear()
    train.reset_graph()


_atexit.register(_forget)
