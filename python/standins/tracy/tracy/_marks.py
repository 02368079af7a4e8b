"""What marks go to: tt-metal's client where ttnn has it, else the recorder of ttscope."""
import importlib
import os
import threading


class _Nothing:
    """Stands for the recorder where there is none: marks cost a call."""

    def __getattr__(self, name):
        return self._ignore

    @staticmethod
    def _ignore(*_args, **_named):
        return None


def _find_recorder():
    try:
        return importlib.import_module("ttscope._record")
    except ImportError:
        return _Nothing()


def _find_ttnn():
    # Only the runner knows that it is tt-metal's: importing it takes seconds.
    if not os.environ.get("TTSCOPE_FORWARD_TTNN"):
        return None
    try:
        return importlib.import_module("ttnn")
    except ImportError:
        return None


_ttnn = _find_ttnn()
recorder = _Nothing() if _ttnn is not None else _find_recorder()
_open_zones = threading.local()


def tracy_message(source, color=0xF0F8FF):
    if _ttnn is not None:
        _ttnn.tracy_message(source, color)
    else:
        recorder.message(str(source), color)


def signpost(header, message=None):
    """A mark that reports and timelines show."""
    text = f"`TT_SIGNPOST: {header}`" if message is None else f"`TT_SIGNPOST: {header}\n{message}`"
    tracy_message(text)


def frame_mark(name=None):
    if _ttnn is not None:
        _ttnn.tracy_frame()
    else:
        recorder.frame_mark(name)


def start_tracy_zone(source, functName, line_number=0, color=0, *, lineNum=None):
    """Begins a zone of this thread. `lineNum` is what tt-metal calls the line."""
    line = line_number if lineNum is None else lineNum
    if _ttnn is not None:
        return _ttnn.start_tracy_zone(source, functName, line, color)
    _open_zones.count = getattr(_open_zones, "count", 0) + 1
    recorder.zone_begin(functName, source, functName, line, color)
    return None


def stop_tracy_zone(name="", color=0):
    """Ends the innermost zone, which may get another name and colour; True where none was open."""
    if _ttnn is not None:
        return _ttnn.stop_tracy_zone(name, color)
    if getattr(_open_zones, "count", 0) == 0:
        return True
    if name:
        recorder.zone_name(name)
    if color:
        recorder.zone_color(color)
    _open_zones.count -= 1
    recorder.zone_end()
    return False
