"""Zones of Python functions (PY_FUNC_name) and lines (PY_LINE_name)."""
import functools
import os
import sys
import threading
import zlib

from . import _marks, _other_python

_COLORS = (0x87CEEB, 0x90EE90, 0xFFD700, 0xFFA07A)  # by the name: the same in every process
own_files = {__file__, _marks.__file__, _other_python.__file__}  # whose calls are no zones


class _Mode:
    """How the runner was asked to record."""

    partial = False  # -p: only what Profiler switches on
    lines = False    # -l


mode = _Mode()


@functools.lru_cache(4096)
def _shown(kind, name):
    return kind + name, _COLORS[zlib.crc32(name.encode("utf-8", "replace")) % len(_COLORS)]


def _begin(kind, frame, name, line):
    shown, color = _shown(kind, name)
    _marks.begin_owned((kind, id(frame)), (frame.f_code.co_filename, shown, line, color))


def _end(kind, frame):
    _marks.end_owned((kind, id(frame)))


def _is_of_ttnn(function):
    return (getattr(function, "__module__", None) or "").startswith("ttnn")


def on_call(frame, event, argument):
    """For sys.setprofile."""
    code = frame.f_code
    if code.co_filename in own_files:
        return
    if event == "call":
        _begin("PY_FUNC_", frame, code.co_name, code.co_firstlineno)
    elif event == "return":
        _end("PY_FUNC_", frame)
    elif event == "c_call":
        if _is_of_ttnn(argument):
            _begin("PY_TT_LIB_", frame, argument.__name__, frame.f_lineno)
        elif argument is os._exit:
            _marks.end_all_owned()  # no call returns any more: so do children of multiprocessing leave
    elif _is_of_ttnn(argument):  # c_return, c_exception
        _end("PY_TT_LIB_", frame)


def on_line(frame, event, _argument):
    """For sys.settrace: each line is a zone until the next one of its function."""
    if frame.f_code.co_filename in own_files:
        return None
    if event in ("line", "return"):
        _end("PY_LINE_", frame)
    if event == "line":
        _begin("PY_LINE_", frame, frame.f_code.co_name, frame.f_lineno)
    return on_line


def _program_frame():
    """The innermost one that is not of this package."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename in own_files:
        frame = frame.f_back
    return frame


class Profiler:
    """Records calls, or lines with -l, from enable() to disable(), on the thread that calls them. Acts under -p alone: without,
    everything is recorded already. Also a context manager."""

    def __init__(self):
        self.is_on = False
        self._traced = None

    def enable(self):
        if self.is_on or not mode.partial:
            return
        if mode.lines:
            if sys.gettrace() is not None:
                return
            # The function that calls this one goes on in a frame that is traced too.
            self._traced = _program_frame()
            self._traced.f_trace = on_line
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
            for frame in (self._traced, _program_frame()):
                frame.f_trace = None
            self._traced = None
        else:
            sys.setprofile(None)
        self.is_on = False
        _marks.end_all_owned()

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
    _marks.end_all_owned()
