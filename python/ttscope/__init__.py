"""Memory of training phases, on Tenstorrent devices or without one.

    import ttscope
    guard = ttscope.MemoryUsageTracker.begin_capture(ttscope.graph.RunMode.NO_DISPATCH)

Captures come from ttnn where it can be imported, else from the simulated device (ttscope.sim, ttscope.train).
`load(path)` gives the columns of any profile as numpy arrays (numpy is needed for that only), `plots` draws them;
a build without the simulator has these two alone.
"""
import atexit as _atexit

from . import _core, plots
from ._core import version as __version__
from ._profile import Profile, Table, load

__all__ = ["Profile", "Table", "__version__", "load", "plots"]

if hasattr(_core, "sim"):
    from . import core, graph, sim, train
    from ._capture import capture_source, set_capture_source
    from ._core import DRAMUsage, MemoryUsageGuard, PeakMemoryUsagePerCore
    from .tracker import MemoryUsageTracker

    __all__ += [
        "DRAMUsage",
        "MemoryUsageGuard",
        "MemoryUsageTracker",
        "PeakMemoryUsagePerCore",
        "capture_source",
        "core",
        "graph",
        "set_capture_source",
        "sim",
        "train",
    ]

    def _forget() -> None:
        # What is kept may lead back to Python objects, which do not outlive the interpreter.
        MemoryUsageTracker.clear()
        train.reset_graph()

    _atexit.register(_forget)
