"""Run modes, figures and utilities of captures, under the names that ttnn.graph gives them.

The utilities take what `ttnn.graph.end_graph_capture()` returns, the text of such a list, or the path of a file that
`ttscope graph` reads (of several segments the first counts).
"""
import json
import os
import sys
from typing import Any, Dict, List, Tuple, Union

from ._core import DRAMUsage, PeakMemoryUsagePerCore, RunMode
from ._core import graph as _graph
from ._core.graph import TensorInfo, Trace

__all__ = [
    "PeakMemoryUsagePerCore",
    "RunMode",
    "TensorInfo",
    "Trace",
    "count_intermediate_and_output_tensors",
    "extract_arguments",
    "extract_calltrace",
    "extract_circular_buffers_peak_size_per_core",
    "extract_dram_usage",
    "extract_l1_buffer_allocation_peak_size_per_core",
    "extract_l1_output_buffer_allocation_size_per_core",
    "extract_levelized_graph",
    "extract_output_info",
    "extract_output_tensors",
    "extract_peak_L1_memory_usage",
    "extract_peak_memory_usage",
    "extract_resource_usage_per_core",
    "pretty_format",
    "pretty_print",
    "trace_of",
]

Capture = Union[Trace, str, "os.PathLike[str]", List[Any]]


def trace_of(capture: Capture) -> Trace:
    """A capture that can be asked several times without reading it again."""
    if isinstance(capture, Trace):
        return capture
    if isinstance(capture, str) and capture.lstrip()[:1] in ("[", "{"):
        return Trace.parse(capture)
    if isinstance(capture, (str, os.PathLike)):
        return Trace.load(os.fspath(capture))
    return Trace.parse(json.dumps(capture))


def extract_calltrace(trace: Capture) -> List[str]:
    """Names of all functions in the order they were entered."""
    return _graph.extract_calltrace(trace_of(trace))


def extract_arguments(trace: Capture) -> List[Tuple[str, List[str]]]:
    """Name and arguments of each function that has arguments."""
    return _graph.extract_arguments(trace_of(trace))


def extract_output_tensors(trace: Capture) -> List[int]:
    """Counters of the tensors that the last function with any tensor result left."""
    return _graph.extract_output_tensors(trace_of(trace))


def extract_output_info(trace: Capture) -> List[TensorInfo]:
    """Shape, size and memory of the buffers of those tensors."""
    return _graph.extract_output_info(trace_of(trace))


def count_intermediate_and_output_tensors(trace: Capture) -> Tuple[int, int]:
    """Tensors that come and go inside, and those that are left."""
    return _graph.count_intermediate_and_output_tensors(trace_of(trace))


def extract_peak_L1_memory_usage(trace: Capture) -> int:
    """Deprecated in ttnn: whole buffers, 32 bits."""
    return _graph.extract_peak_L1_memory_usage(trace_of(trace))


def extract_resource_usage_per_core(trace: Capture, compat: bool = True) -> PeakMemoryUsagePerCore:
    """L1 of a core; compat=False: corrected where ttnn's figure misleads."""
    return _graph.extract_resource_usage_per_core(trace_of(trace), compat)


def extract_dram_usage(trace: Capture) -> DRAMUsage:
    """DRAM of one device in whole buffers, from the start of the capture."""
    return _graph.extract_dram_usage(trace_of(trace))


def extract_circular_buffers_peak_size_per_core(trace: Capture) -> int:
    """Of extract_resource_usage_per_core, cut to 32 bits; deprecated in ttnn."""
    return _graph.extract_circular_buffers_peak_size_per_core(trace_of(trace))


def extract_l1_buffer_allocation_peak_size_per_core(trace: Capture) -> int:
    """The same for buffers."""
    return _graph.extract_l1_buffer_allocation_peak_size_per_core(trace_of(trace))


def extract_peak_memory_usage(trace: Capture) -> int:
    """The same for the sum at one moment."""
    return _graph.extract_peak_memory_usage(trace_of(trace))


def extract_l1_output_buffer_allocation_size_per_core(trace: Capture, tensor: int) -> int:
    """What the buffer of a tensor (the counter of its node) takes of a bank."""
    return _graph.extract_l1_output_buffer_allocation_size_per_core(trace_of(trace), tensor)


def extract_levelized_graph(trace: Capture, max_level: int = 1) -> List[Dict[str, Any]]:
    """The data flow between tensors and functions of these levels."""
    return _graph.extract_levelized_graph(trace_of(trace), max_level)


def pretty_format(trace: Capture) -> str:
    """One line for each node, indented by the functions around it."""
    return _graph.pretty_format(trace_of(trace))


def pretty_print(trace: Capture) -> None:
    sys.stdout.write(pretty_format(trace))
