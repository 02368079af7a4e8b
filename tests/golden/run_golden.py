#!/usr/bin/env python3
"""Compares what the programs print with files that were looked at once: tests/golden/<case>/.

    cmd               the program first: `ttscope mem examples/sample.log`; run in the source folder, not on a terminal,
                      with a home folder of its own. Of several lines, each is a command, and the expected files have
                      what all of them print, each under its command
    expected.stdout   absent: nothing
    expected.stderr   absent: nothing
    expected.exit     absent: 0

Usage: run_golden.py [--update] [CASE...]; --update rewrites the expected files: look at the difference before you commit it.
Environment: TTSCOPE_BUILD_DIR, TTSCOPE_SOURCE_DIR.
"""
import difflib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = pathlib.Path(os.environ.get("TTSCOPE_SOURCE_DIR", HERE.parent.parent)).resolve()
BUILD = pathlib.Path(os.environ.get("TTSCOPE_BUILD_DIR", SOURCE / "build/release")).resolve()
PROGRAMS = ("ttscope", "ttmem", "tt-memory-profiler", "analyze_memory")
SHOWN_DIFFERENCE_LINES = 60


def run(case):
    """What the case's commands give: the contents of its expected files by name."""
    commands = [line for line in (case / "cmd").read_text().splitlines() if line.strip()]
    found = [run_command(case, command) for command in commands]
    if len(found) == 1:
        return found[0]
    titled = {name: "".join(f"$ {command}\n{text[name]}\n" for command, text in zip(commands, found) if text[name])
              for name in ("expected.stdout", "expected.stderr", "expected.exit")}
    return titled


def run_command(case, line):
    command = shlex.split(line)
    if not command or command[0] not in PROGRAMS:
        raise ValueError(f"{case.name}/cmd must begin with one of {', '.join(PROGRAMS)}")
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([BUILD / command[0], *command[1:]], capture_output=True, cwd=SOURCE, timeout=60,
                              stdin=subprocess.DEVNULL, env={"PATH": os.environ["PATH"], "HOME": home})
        return {
            "expected.stdout": independent_of_place(done.stdout.decode(errors="surrogateescape"), home),
            "expected.stderr": independent_of_place(done.stderr.decode(errors="surrogateescape"), home),
            "expected.exit": f"{done.returncode}\n" if done.returncode else "",
        }


def independent_of_place(text, home):
    """The text without the version and without the folders of this machine."""
    text = re.sub(r'("version": )"[^"]*"', r'\1"VERSION"', text)
    text = text.replace(home, "$HOME")
    for folder in (SOURCE, BUILD):
        if names(text, folder):
            raise ValueError(f"the output names {folder}: it would differ on another machine")
    return text


def names(text, folder):
    """Whether a path stands in a text as a path: with the folder /b, `MB/bank` and `/bank` name nothing."""
    return re.search(rf"(?<![\w./-]){re.escape(str(folder).rstrip('/'))}(?![\w.-])", text) is not None


def read(path):
    return path.read_bytes().decode(errors="surrogateescape") if path.exists() else ""


def update(case, found):
    changed = False
    for name, text in found.items():
        path = case / name
        if text == read(path):
            continue
        changed = True
        if text:
            path.write_bytes(text.encode(errors="surrogateescape"))
        else:
            path.unlink()
    print(f"{'updated' if changed else 'same   '} {case.name}")
    return True


def compare(case, found):
    same = True
    for name, text in found.items():
        expected = read(case / name)
        if text == expected:
            continue
        same = False
        lines = difflib.unified_diff(expected.splitlines(), text.splitlines(), f"{case.name}/{name}", "now", lineterm="")
        shown = [line.encode("unicode_escape").decode() if not line.isprintable() else line for line in lines]
        print("\n".join(shown[:SHOWN_DIFFERENCE_LINES]))
        if len(shown) > SHOWN_DIFFERENCE_LINES:
            print(f"... {len(shown) - SHOWN_DIFFERENCE_LINES} more lines")
    return same


def main():
    names = [argument for argument in sys.argv[1:] if argument != "--update"]
    check = update if "--update" in sys.argv[1:] else compare
    cases = [HERE / name for name in names] or sorted(path.parent for path in HERE.glob("*/cmd"))
    failures = []
    for case in cases:
        try:
            if not check(case, run(case)):
                failures.append(case.name)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            print(f"{case.name}: {error}")
            failures.append(case.name)
    print(f"golden: {len(cases)} cases, {len(failures)} failures" + (": " + ", ".join(failures) if failures else ""))
    if failures:
        print("if the new output is right: tests/golden/run_golden.py --update " + " ".join(failures))
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
