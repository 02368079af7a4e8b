"""Run modes and figures of captures, under the names that ttnn.graph gives them."""
from ._core import PeakMemoryUsagePerCore, RunMode

__all__ = ["PeakMemoryUsagePerCore", "RunMode"]
