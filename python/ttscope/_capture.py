"""Where captures come from: ttnn's graph capture where ttnn can be imported, else the simulated device."""
import importlib
import json
from typing import Any, Optional

_SOURCES = ("auto", "simulated", "ttnn")
_chosen = "auto"
_ttnn: Optional[Any] = None


def set_capture_source(source: str) -> None:
    """`auto` (ttnn if it can be imported), `ttnn` or `simulated`; for the captures that begin from now on."""
    global _chosen
    if source not in _SOURCES:
        raise ValueError(f"unknown source of captures {source!r}: known are {', '.join(_SOURCES)}")
    if source == "ttnn" and _find_ttnn() is None:
        raise ImportError("ttnn cannot be imported, or has no graph capture")
    _chosen = source


def capture_source() -> str:
    """Where the next capture comes from: `ttnn` or `simulated`."""
    return "ttnn" if uses_ttnn() else "simulated"


def uses_ttnn() -> bool:
    return _chosen != "simulated" and _find_ttnn() is not None


def _find_ttnn() -> Optional[Any]:
    global _ttnn
    if _ttnn is None:
        try:
            found = importlib.import_module("ttnn")
            if hasattr(found.graph, "begin_graph_capture"):
                _ttnn = found
        except (ImportError, AttributeError):
            return None
    return _ttnn


def begin(mode: str) -> None:
    ttnn = _find_ttnn()
    assert ttnn is not None
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, mode))


def end() -> str:
    ttnn = _find_ttnn()
    assert ttnn is not None
    trace = ttnn.graph.end_graph_capture()
    return trace if isinstance(trace, str) else json.dumps(trace)
