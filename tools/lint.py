#!/usr/bin/env python3
"""Runs clang-tidy over src/ and simulator/, and only over what changed since it was clean.

    tools/lint.py [--build DIR] [FILE | FOLDER...]

A file is clean when clang compiles it alone without a warning (so every file names what it uses) and clang-tidy has
nothing to say. Its stamp, in build/lint/clean.json, is a hash of the file, of all of ours that it includes, of
.clang-tidy, of its compile command and of the tool's version; while that is the same, the file is not looked at again.

Most of clang-tidy's time goes into the headers of the standard library. So files with one compile command are looked at
jointly, several in one text. A file is not clean where a finding is in it or in a header that it includes.
Exit code 1: there are findings.
"""
import argparse
import concurrent.futures
import dataclasses
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

TIDY = "clang-tidy-14"
TOGETHER = 16
CRASHED = "ended with exit code"
# What clang-tidy sees only in the file that it was given, not in what that includes.
ONLY_ALONE = "--checks=-*,clang-diagnostic-*,misc-unused-using-decls,bugprone-forward-declaration-namespace"
# Including a .cc file is what a joint text is for, and names of one file may hide those of another or look like them.
# What is not used is found in the file alone: here a better overload of another file may take its calls.
JOINTLY = ("--checks=-bugprone-suspicious-include,-bugprone-forward-declaration-namespace",
           *(f"--extra-arg=-Wno-{warning}" for warning in ("shadow", "unused-function", "unused-const-variable")))
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
FINDING = re.compile(r"^(/[^:\n]+):\d+:\d+: (?:warning|error):", re.MULTILINE)
COUNTS = re.compile(r"(\d+ warnings? (and \d+ errors? )?(generated|treated as errors?)|Error while processing |Suppressed ).*")


@dataclasses.dataclass(frozen=True)
class Source:
    path: pathlib.Path
    flags: tuple


class Tree:
    """The files of a checkout and what they include."""

    def __init__(self, root):
        self.root = root
        self.folders = (root / "src", root / "simulator", root / "simulator/include")

    @functools.lru_cache(maxsize=None)
    def read(self, path):
        """The hash of a file and what it names in quotes, as far as it is ours."""
        text = path.read_bytes()
        named = {folder / target.decode() for target in INCLUDE.findall(text) for folder in self.folders}
        return hashlib.sha256(text).hexdigest(), sorted(target for target in named if target.is_file())

    def closure(self, path):
        """The file and all that it includes, directly or not."""
        seen, waiting = set(), [path]
        while waiting:
            file = waiting.pop()
            if file not in seen:
                seen.add(file)
                waiting += self.read(file)[1]
        return sorted(seen)

    def stamp(self, source, rules):
        parts = [rules, *source.flags]
        parts += (f"{file.relative_to(self.root)} {self.read(file)[0]}" for file in self.closure(source.path))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def flags_of(entry):
    """The compile command without the compiler, the input and the output."""
    words = shlex.split(entry["command"])[1:]
    output = words.index("-o")
    del words[output:output + 2]
    return tuple(word for word in words if word not in ("-c", entry["file"]))


def sources_of(root, build, wanted):
    trees = [root / "src", *(root / "simulator" / name for name in ("sim", "chip", "metal", "record"))]
    folders = [path.resolve() for path in wanted] or trees
    result = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if any(tree in path.parents for tree in trees) and any(path == folder or folder in path.parents for folder in folders):
            result.append(Source(path, flags_of(entry)))
    return sorted(result, key=lambda source: source.path)


def groups_of(sources):
    """Neighbours with one compile command, at most TOGETHER of them."""
    groups = []
    for source in sources:
        if groups and len(groups[-1]) < TOGETHER and groups[-1][0].flags == source.flags:
            groups[-1].append(source)
        else:
            groups.append([source])
    return groups


def look_at(paths, flags, *options):
    """What clang-tidy says, without its counts of suppressed warnings; empty where it is content."""
    command = [TIDY, "--quiet", *options, *map(str, paths), "--", *flags]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    said = [line for line in done.stdout.splitlines() if line and not COUNTS.match(line)]
    if done.returncode not in (0, 1) or (done.returncode and not said):
        said.append(f"{shlex.join(command)}: {CRASHED} {done.returncode}")
    return "\n".join(said)


def look_jointly(group, place, tree):
    """What is said of a group, and which of its files are clean."""
    flags = group[0].flags
    joint = place / f"joint_{hashlib.sha256(str(group[0].path).encode()).hexdigest()[:12]}.cc"
    joint.write_text("".join(f'#include "{source.path}"\n' for source in group))
    said = [look_at([source.path for source in group], flags, ONLY_ALONE), look_at([joint], flags, *JOINTLY)]
    joint.unlink()
    if "[clang-diagnostic-error" in said[1]:
        # Behind an error nothing was read; or only together they do not compile, by private names in common.
        said = [said[0], *(look_at([source.path], flags) for source in group)]
    named = {pathlib.Path(path) for text in said for path in FINDING.findall(text)}
    clean = [source for source in group if named.isdisjoint(tree.closure(source.path))]
    if any(CRASHED in text for text in said) or (any(said) and len(clean) == len(group)):
        clean = []  # something without a place: nobody is clean
    return "\n".join(filter(None, said)), clean


def version_of(program):
    return subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout


def load_stamps(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def save_stamps(path, stamps):
    new = path.with_suffix(".new")
    new.write_text(json.dumps(stamps, indent=0, sort_keys=True))
    new.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--build", type=pathlib.Path, help="where cmake wrote compile_commands.json (build/clang)")
    parser.add_argument("wanted", nargs="*", type=pathlib.Path, metavar="FILE | FOLDER")
    args = parser.parse_args()
    root = args.root.resolve()
    build = (args.build or root / "build/clang").resolve()
    place = root / "build/lint"
    place.mkdir(parents=True, exist_ok=True)

    tree = Tree(root)
    rules = (root / ".clang-tidy").read_text() + version_of(TIDY) + repr((ONLY_ALONE, JOINTLY))
    sources = sources_of(root, build, args.wanted)
    if not sources:
        print("lint: no source file here", file=sys.stderr)
        return 1
    stamps = load_stamps(place / "clean.json")
    changed = [source for source in sources if stamps.get(str(source.path.relative_to(root))) != tree.stamp(source, rules)]
    print(f"lint: {len(changed)} of {len(sources)} files changed since they were clean", flush=True)

    dirty = len(changed)
    printed = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = [pool.submit(look_jointly, group, place, tree) for group in groups_of(changed)]
        for task in concurrent.futures.as_completed(tasks):
            said, clean = task.result()
            if said and said not in printed:
                print(said, flush=True)
                printed.add(said)
            dirty -= len(clean)
            stamps.update({str(source.path.relative_to(root)): tree.stamp(source, rules) for source in clean})
            save_stamps(place / "clean.json", stamps)
    print(f"lint: {len(sources) - dirty} of {len(sources)} files clean")
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
