"""The memory of the phases of a program; docs/tracker.md has the details.

There is one session in a process. Any thread may read it; the thread that began a capture is the one that is recorded,
and alone can take snapshots and end it.
"""
import sys
from typing import List, Tuple

from . import _core
from ._core import DRAMUsage, MemoryUsageGuard, PeakMemoryUsagePerCore
from .graph import RunMode

__all__ = ["MemoryUsageTracker"]

_functions = _core.tracker


class MemoryUsageTracker:
    """Only functions: there is one session in a process."""

    def __init__(self) -> None:
        raise TypeError("MemoryUsageTracker is a set of functions, there is nothing to make")

    @staticmethod
    def begin_capture(mode: RunMode = RunMode.NORMAL) -> MemoryUsageGuard:
        """Starts a capture. The guard ends and clears it when it goes away, unless it is released before."""
        return _functions.begin_capture(mode)

    @staticmethod
    def end_capture(name: str = "END_TRACE") -> None:
        """Ends it; what happened since the last snapshot becomes a segment. Without a capture nothing happens."""
        _functions.end_capture(name)

    @staticmethod
    def snapshot(name: str) -> None:
        """What happened since the last snapshot becomes a segment."""
        _functions.snapshot(name)

    @staticmethod
    def get_dram_usage(name: str = "END_TRACE") -> DRAMUsage:
        """Bytes of one device in the segment of that name."""
        return _functions.get_dram_usage(name)

    @staticmethod
    def get_l1_usage(name: str = "END_TRACE", compat: bool = False) -> PeakMemoryUsagePerCore:
        """Bytes of a core in the segment of that name; compat: what the original tracker says."""
        return _functions.get_l1_usage(name, compat)

    @staticmethod
    def get_dram_usage_all() -> List[Tuple[str, DRAMUsage]]:
        """All segments in order."""
        return _functions.get_dram_usage_all()

    @staticmethod
    def get_l1_usage_all(compat: bool = False) -> List[Tuple[str, PeakMemoryUsagePerCore]]:
        """All segments in order."""
        return _functions.get_l1_usage_all(compat)

    @staticmethod
    def get_trace_names() -> List[str]:
        """All segments in order."""
        return _functions.get_trace_names()

    @staticmethod
    def memory_usage_text(compat: bool = False) -> str:
        """What print_memory_usage prints."""
        return _functions.memory_usage_text(compat)

    @staticmethod
    def print_memory_usage(compat: bool = False) -> None:
        """Prints the summary, and a note for each figure that differs from the original's."""
        sys.stdout.write(_functions.memory_usage_text(compat))
        sys.stdout.flush()

    @staticmethod
    def notes() -> List[str]:
        """What differs from the original's figures, and what a guard has cleared before it was read."""
        return _functions.notes()

    @staticmethod
    def clear() -> None:
        """Drops all segments, and a capture that is active."""
        _functions.clear()

    @staticmethod
    def save(path: str) -> None:
        """Writes the segments as JSON, for `ttscope graph`."""
        _functions.save(path)
