"""Zones of Python functions (PY_FUNC_name) and lines (PY_LINE_name)."""
import sys
import threading
import zlib

from . import _marks

_COLORS = (0x87CEEB, 0x90EE90, 0xFFD700, 0xFFA07A)
own_files = {__file__, _marks.__file__}  # whose calls are no zones


class _Mode:
    """How the runner was asked to record."""

    partial = False  # -p: only what Profiler switches on
    lines = False    # -l


mode = _Mode()


class _Open(threading.local):
    """Zones that are open on a thread, so that all of them can be closed."""

    def __init__(self):
        self.depth = 0
        self.line_frames = []


_open = _Open()


def _begin(prefix, name, code, line):
    color = _COLORS[zlib.crc32(name.encode("utf-8", "replace")) % len(_COLORS)]  # the same in every process
    _open.depth += 1
    _marks.start_tracy_zone(code.co_filename, prefix + name, line, color)


def _end():
    if _open.depth > 0:
        _open.depth -= 1
        _marks.stop_tracy_zone()


def on_call(frame, event, argument):
    """For sys.setprofile."""
    if event == "call":
        code = frame.f_code
        if code.co_filename not in own_files:
            _begin("PY_FUNC_", code.co_name, code, code.co_firstlineno)
    elif event == "return":
        if frame.f_code.co_filename not in own_files:
            _end()
    elif event == "c_call":
        if (getattr(argument, "__module__", None) or "").startswith("ttnn"):
            _begin("PY_TT_LIB_", argument.__name__, frame.f_code, frame.f_lineno)
    elif event in ("c_return", "c_exception"):
        if (getattr(argument, "__module__", None) or "").startswith("ttnn"):
            _end()


def on_line(frame, event, argument):
    """For sys.settrace: each line is a zone until the next one of its function."""
    if frame.f_code.co_filename in own_files:
        return None
    if event == "call":
        _open.line_frames.append(0)
    elif event == "line":
        if _open.line_frames:
            if _open.line_frames[-1]:
                _end()
            _open.line_frames[-1] = 1
        _begin("PY_LINE_", frame.f_code.co_name, frame.f_code, frame.f_lineno)
    elif event == "return" and _open.line_frames:
        if _open.line_frames.pop():
            _end()
    return on_line


def close_all():
    while _open.depth > 0:
        _end()


class Profiler:
    """Records calls, or lines with -l, from enable() to disable(), on the thread that calls them. Acts under -p alone: without,
    everything is recorded already. Also a context manager."""

    def __init__(self):
        self.is_on = False

    def enable(self):
        if self.is_on or not mode.partial:
            return
        if mode.lines:
            if sys.gettrace() is not None:
                return
            # The function that calls this one goes on in the frame that is traced too.
            frame = sys._getframe(1)
            frame.f_trace = on_line
            _open.line_frames.append(0)
            sys.settrace(on_line)
        else:
            if sys.getprofile() is not None:
                return
            sys.setprofile(on_call)
        self.is_on = True

    def disable(self):
        if not self.is_on:
            return
        if mode.lines:
            sys.settrace(None)
            sys._getframe(1).f_trace = None
            _open.line_frames.clear()
        else:
            sys.setprofile(None)
        self.is_on = False
        close_all()

    def __enter__(self):
        self.enable()
        return self

    def __exit__(self, *_error):
        self.disable()


def record_everything():
    """Every call of every thread, from now on."""
    threading.setprofile(on_call)
    sys.setprofile(on_call)


def stop_recording():
    sys.setprofile(None)
    sys.settrace(None)
    threading.setprofile(None)
    close_all()
