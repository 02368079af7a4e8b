"""What marks go to: tt-metal's client where ttnn has it, else the recorder of ttscope."""
import importlib
import os
import sys
import threading

from . import _other_python


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
    except ImportError as error:
        extension = _other_python.extension_file("_record")
        try:
            if extension:
                return _other_python.Recorder(extension)
        except (OSError, AttributeError):
            pass
        if os.environ.get("TTSCOPE_RECORD"):
            print(f"ttscope: no mark of this program is recorded: {_other_python.reason('_record', error)}", file=sys.stderr)
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


class _Zone:
    """An open zone. What a program began itself has no owner; zones of calls and lines have the one that ends them."""

    __slots__ = ("owner", "place", "over_ns")

    def __init__(self, owner, place):
        self.owner, self.place, self.over_ns = owner, place, None


class _Open(threading.local):
    def __init__(self):
        self.zones = []


_open = _Open()
# The zones of the parent are those of its recording.
_other_python.after_fork_in_child(lambda: _open.zones.clear())


def _begin(place):
    if _ttnn is not None:
        return _ttnn.start_tracy_zone(*place)
    source, function, line, color = place
    recorder.zone_begin(function, source, function, line, color)
    return None


def _end(name="", color=0):
    if _ttnn is not None:
        return _ttnn.stop_tracy_zone(name, color)
    try:
        if name:
            recorder.zone_name(name)
        if color:
            recorder.zone_color(color)
    finally:
        recorder.zone_end()
    return False


def _say(text):
    if _ttnn is None:
        recorder.zone_text(text)


def _end_what_is_over():
    zones = _open.zones
    while zones and zones[-1].over_ns is not None:
        over_ns = _other_python.now_ns() - zones.pop().over_ns
        _say(f"was over {over_ns} ns before this end: a zone that began inside of it lasted longer")
        _end()


def begin_owned(owner, place):
    """Begins a zone (source, name, line, color) that end_owned() ends."""
    _begin(place)
    _open.zones.append(_Zone(owner, place))


def end_owned(owner):
    """Zones of a thread are nested. One that the program began inside, and goes on, keeps its length: this zone ends with it then, and
    says so."""
    zones = _open.zones
    if zones and zones[-1].owner == owner:
        zones.pop()
        _end()
        if zones and zones[-1].over_ns is not None:
            _end_what_is_over()
        return
    for zone in reversed(zones):
        if zone.owner == owner:
            zone.owner, zone.over_ns = "over", _other_python.now_ns()
            return


def end_all_owned():
    for zone in reversed(list(_open.zones)):
        if zone.owner not in (None, "over"):
            end_owned(zone.owner)


def start_tracy_zone(source, functName, line_number=0, color=0, *, lineNum=None):
    """Begins a zone of this thread. `lineNum` is what tt-metal calls the line."""
    place = (source, functName, line_number if lineNum is None else lineNum, color)
    result = _begin(place)
    _open.zones.append(_Zone(None, place))
    return result


def stop_tracy_zone(name="", color=0):
    """Ends the innermost zone that was started, which may get another name and colour; True where none is open. Calls that began inside of
    it go on in a second zone each."""
    zones = _open.zones
    last = len(zones) - 1
    while last >= 0 and zones[last].owner is not None:
        last -= 1
    if last < 0:
        # One that was begun without us is tt-metal's.
        return _ttnn.stop_tracy_zone(name, color) if _ttnn is not None else True
    inner = zones[last + 1:]
    for _ in inner:
        _end()
    del zones[last:]
    try:
        return _end(name, color)
    finally:
        _end_what_is_over()
        for zone in inner:
            if zone.over_ns is None:
                begin_owned(zone.owner, zone.place)
                _say("goes on: a zone that was open around its beginning ended here")
