"""Runs a script or module in this process with its calls recorded: what `ttscope trace` starts. Everything behind the options is the
program's, as typed."""
import os
import runpy
import sys


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


def main():
    # A script's own folder stands first, not this one.
    here = os.path.dirname(os.path.abspath(__file__))
    if sys.path and os.path.abspath(sys.path[0]) == here:
        sys.path.pop(0)
    partial, lines, module, words = _parse(sys.argv[1:])
    if not words:
        print("run_program: nothing to run", file=sys.stderr)
        return 2
    from tracy import _calls

    _calls.mode.partial = partial
    _calls.mode.lines = lines
    sys.argv = list(words)
    if module:
        sys.path.insert(0, os.getcwd())
        runner = lambda: runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(words[0])))
        runner = lambda: runpy.run_path(words[0], run_name="__main__")
    try:
        if not partial:
            _calls.record_everything()
        runner()
    finally:
        _calls.stop_recording()
    return 0


if __name__ == "__main__":
    sys.exit(main())
