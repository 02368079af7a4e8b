"""The names of the original: `ttml.core.utils.MemoryUsageTracker`, `ttnn.graph.RunMode`, for programs written for them.

Nothing happens unless it is asked for, and never where the real packages are installed:

    python3 -m ttscope.compat train.py --track_memory      runs a program unchanged
    import ttscope.compat; ttscope.compat.install()        the same from inside of one

What is there: the tracker, its guard and value types, `ttnn.graph` with RunMode and the utilities of captures. Tensors,
operations and models of the real packages are not; ttscope.sim and ttscope.train are the simulated ones.
"""
import importlib.machinery
import importlib.util
import runpy
import sys
import types
from typing import List

from . import graph
from ._core import DRAMUsage, MemoryUsageGuard
from .tracker import MemoryUsageTracker

__all__ = ["install", "installed"]

_installed: List[str] = []


def _is_there(name: str) -> bool:
    if name in sys.modules:
        return name not in _installed
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def _module(name: str, doc: str) -> types.ModuleType:
    module = types.ModuleType(name, doc)
    module.__spec__ = importlib.machinery.ModuleSpec(name, loader=None)
    sys.modules[name] = module
    return module


def _install_ttml() -> None:
    ttml = _module("ttml", "ttscope's tracker under the names of tt-train (ttscope.compat)")
    ttml_core = _module("ttml.core", "see ttml")
    utils = _module("ttml.core.utils", "see ttml")
    ttml.__path__ = []  # a package: `import ttml.core.utils` works
    ttml_core.__path__ = []
    ttml.core = ttml_core  # type: ignore[attr-defined]
    ttml_core.utils = utils  # type: ignore[attr-defined]
    for name, value in (("MemoryUsageTracker", MemoryUsageTracker), ("MemoryUsageGuard", MemoryUsageGuard),
                        ("DRAMUsage", DRAMUsage)):
        setattr(utils, name, value)


def _install_ttnn() -> None:
    ttnn = _module("ttnn", "ttscope's captures under the names of ttnn (ttscope.compat)")
    ttnn.__path__ = []
    ttnn.graph = graph  # type: ignore[attr-defined]
    sys.modules["ttnn.graph"] = graph


def install() -> List[str]:
    """Makes `ttml` and `ttnn` importable where they are not installed; the names that ttscope stands in for."""
    for name, make in (("ttml", _install_ttml), ("ttnn", _install_ttnn)):
        if name in _installed or _is_there(name):
            continue
        make()
        _installed.append(name)
    return list(_installed)


def installed() -> List[str]:
    """The names that ttscope stands in for."""
    return list(_installed)


def main(arguments: List[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stdout.write("usage: python3 -m ttscope.compat PROGRAM.py [ARGUMENTS...]\n" + (__doc__ or ""))
        return 0 if arguments else 2
    from ttscope import compat  # this file runs as __main__; the module is the one that programs see

    names = compat.install()
    if names:
        sys.stderr.write(f"ttscope stands in for {' and '.join(names)}\n")
    sys.argv = list(arguments)
    runpy.run_path(arguments[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
