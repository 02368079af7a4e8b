"""Where ttscope's extension modules were built for another Python than this one: the recorder through ctypes, what is to be told, and
what Python 3.6 and 3.7 lack."""
import ctypes
import glob
import os
import platform
import re
import sys
import time


def extension_file(name):
    """The file of a module of ttscope, for whichever Python; None: there is none."""
    for folder in sys.path:
        found = sorted(glob.glob(os.path.join(glob.escape(folder or os.curdir), "ttscope", name + ".*.so")))
        if found:
            return found[0]
    return None


def reason(name, error):
    """Why a module of ttscope could not be imported."""
    path = extension_file(name)
    version = re.search(r"\.cpython-(\d)(\d+)", os.path.basename(path)) if path else None
    if version is None or (int(version[1]), int(version[2])) == sys.version_info[:2]:
        return str(error)
    built = f"{version[1]}.{version[2]}"
    return (f"ttscope was built for Python {built}, this is Python {platform.python_version()} ({sys.executable}); "
            f"run it with python{built}, or build ttscope for this one")


def now_ns():
    return time.perf_counter_ns() if hasattr(time, "perf_counter_ns") else int(time.perf_counter() * 1e9)


def after_fork_in_child(action):
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=action)
        return
    plain_fork = os.fork

    def fork():
        child = plain_fork()
        if child == 0:
            action()
        return child

    os.fork = fork


class _Place(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("function", ctypes.c_char_p), ("file", ctypes.c_char_p), ("line", ctypes.c_uint32),
                ("color", ctypes.c_uint32)]


def _bytes(text):
    return str(text).encode("utf-8", "backslashreplace")


class Recorder:
    """The marks of ttscope._record, by the C interface (ttscope/record.h). Raises OSError where that cannot be had."""

    _INNERMOST = ctypes.c_uint32(0xFFFFFFFF)

    def __init__(self, extension):
        # The library that the extension is linked to comes with it, wherever it lies. Marks are short: Python waits for them.
        library = ctypes.PyDLL(extension)
        self._zone_begin = library.ttscope_record_zone_begin_at
        self._zone_text = library.ttscope_record_zone_text
        self._zone_name = library.ttscope_record_zone_name
        self._zone_color = library.ttscope_record_zone_color
        self._message = library.ttscope_record_message
        self._frame = library.ttscope_record_frame
        self._alloc = library.ttscope_record_alloc
        self._free = library.ttscope_record_free
        self.zone_end = library.ttscope_record_zone_end
        for function in (self._zone_text, self._zone_name, self._message, self._zone_color, self._frame, self._alloc, self._free,
                         self.zone_end):
            function.restype = None

    def zone_begin(self, name, file="", function="", line=0, color=0):
        self._zone_begin(ctypes.byref(_Place(_bytes(name), _bytes(function), _bytes(file), line, color)))

    def zone_text(self, text):
        data = _bytes(text)
        self._zone_text(self._INNERMOST, data, ctypes.c_size_t(len(data)))

    def zone_name(self, text):
        data = _bytes(text)
        self._zone_name(self._INNERMOST, data, ctypes.c_size_t(len(data)))

    def zone_color(self, color):
        self._zone_color(self._INNERMOST, ctypes.c_uint32(color))

    def message(self, text, color=0):
        data = _bytes(text)
        self._message(data, ctypes.c_size_t(len(data)), ctypes.c_uint32(color))

    def frame_mark(self, name=None):
        self._frame(None if name is None else _bytes(name))

    def alloc(self, address, size, pool=None):
        self._alloc(ctypes.c_uint64(address), ctypes.c_uint64(size), None if pool is None else _bytes(pool))

    def free(self, address, pool=None):
        self._free(ctypes.c_uint64(address), None if pool is None else _bytes(pool))
