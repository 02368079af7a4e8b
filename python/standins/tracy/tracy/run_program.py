"""Runs a script or module in this process with its calls recorded: what `ttscope trace` starts. Everything behind the options is the
program's, as typed."""
import sys

# So that this can be said, nothing in this file is beyond what those read.
if sys.version_info < (3, 6):
    sys.exit("ttscope: Python 3.6 or a later one is needed, this is Python %s (%s)" % (sys.version.split()[0], sys.executable))

import importlib.util
import io
import os
import runpy
import types
import zipfile

_runner_files = {__file__, runpy.run_module.__code__.co_filename}


def _parse(words):
    partial = lines = module = False
    at = 0
    while at < len(words) and words[at] in ("-p", "-l", "-m"):
        partial = partial or words[at] == "-p"
        lines = lines or words[at] == "-l"
        at += 1
        if words[at - 1] == "-m":
            module = True
            break
    return partial, lines, module, words[at:]


def _own_frames_end(trace):
    """Where a program's frames begin, behind those of the runner."""
    while trace is not None and trace.tb_frame.f_code.co_filename in _runner_files:
        trace = trace.tb_next
    return trace


def _show_as_python_does(kind, error, trace):
    trace = _own_frames_end(trace)
    sys.__excepthook__(kind, error.with_traceback(trace), trace)


def _is_container(path):
    """A folder or archive with a `__main__.py`, which Python puts on its path itself."""
    return os.path.isdir(path) or (os.path.isfile(path) and zipfile.is_zipfile(path))


def _is_compiled(path):
    with open(path, "rb") as file:
        return file.read(len(importlib.util.MAGIC_NUMBER)) == importlib.util.MAGIC_NUMBER


def _run_script(path):
    """As Python does: the path of the file is whole, `__main__` stays for what runs at the end."""
    if _is_container(path) or (os.path.isfile(path) and _is_compiled(path)):
        runpy.run_path(path, run_name="__main__")
        return
    path = os.path.abspath(path)
    script = types.ModuleType("__main__")
    script.__file__ = path
    sys.modules["__main__"] = script
    # Python 3.7 has no io.open_code.
    with io.open_code(path) if hasattr(io, "open_code") else open(path, "rb") as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, script.__dict__)


def _run_module(name):
    try:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    except ImportError as error:
        # What runpy says of a module that it does not find; errors of the module have frames of it.
        if type(error) is not ImportError or _own_frames_end(error.__traceback__) is not None:
            raise
        sys.exit("{}: {}".format(sys.executable, error))


def main():
    # A script's own folder stands first, not this one.
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        sys.path.pop(0)
    partial, lines, module, words = _parse(sys.argv[1:])
    if not words:
        sys.stderr.write("run_program: nothing to run\n")
        return 2
    from tracy import _calls

    _calls.own_files.update(_runner_files)
    _calls.mode.partial = partial
    _calls.mode.lines = lines
    sys.argv = list(words)
    if module:
        sys.path.insert(0, os.getcwd())
        runner = lambda: _run_module(words[0])
    else:
        if not _is_container(words[0]):
            # Modules beside a script are found where it lies, not where a link to it does.
            sys.path.insert(0, os.path.dirname(os.path.realpath(words[0])))
        runner = lambda: _run_script(words[0])
    sys.excepthook = _show_as_python_does
    try:
        if not partial:
            _calls.record_everything()
        runner()
    finally:
        _calls.stop_recording()
    return 0


if __name__ == "__main__":
    sys.exit(main())
