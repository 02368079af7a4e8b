#!/usr/bin/env python3
"""Checks the floor plan: every #include under src/ and simulator/ must keep the rules below.

1. A folder includes only what the table allows; no subject includes another. The simulator may include what is in src/,
   and nothing in src/ includes the simulator but the one file that joins them.
2. Inside a subject the stages have an order: model, read, analyze, tables, write. A stage includes only the stages
   before it, and reading and analyzing do not know each other: the model is between them.
3. Files at the root of a subject join stages. Each has a line in JOINS; no stage includes them.
4. Slow third-party headers stay out of our own headers, where every file that includes them would pay for them.

Prints file:line of each include that breaks a rule and exits 1.
"""
import pathlib
import re
import sys

SHARED = {"base", "io", "table", "ui", "fit", "diff"}
SUBJECTS = {"mem", "phases", "graph", "perf", "timeline"}
ALLOWED = {
    "base": {"base"},
    "io": {"io", "base"},
    "table": {"table", "base"},
    "ui": {"ui", "table", "base"},
    "fit": {"fit", "ui", "table", "base"},
    "diff": {"diff", "ui", "table", "base"},
    "gate": {"gate", "diff", "ui", "table", "base"},
    **{subject: SHARED | {subject} for subject in SUBJECTS},
    "app": SHARED | SUBJECTS | {"app", "launch", "serve", "gate"},
    "launch": SHARED | {"launch", "mem"},
    "serve": {"serve", "base"},
    "terminal": {"terminal", "base"},
    "cli": SHARED | SUBJECTS | {"cli", "gate", "app", "launch", "serve", "terminal"},
}
# The folders of simulator/ with code for hosts.
SIMULATOR = {
    "sim": SHARED | {"sim", "graph", "mem"},
    "chip": {"chip", "base"},
    "metal": {"metal", "chip", "perf", "base"},
    "record": {"record", "timeline/read/recording_format.h"},
}
SIMULATOR_HEADERS = ("ttscope/", "ttscope_device/", "ttscope_host/", "tt_metal/", "tt-metalium/", "tracy/")
JOINT = ("app", "simulator.cc")  # the file of src/ that includes the simulator
STAGES = {
    "model": {"model"},
    "read": {"read", "model"},
    "analyze": {"analyze", "model"},
    "tables": {"tables", "analyze", "model"},
    "write": {"write", "tables", "analyze", "model"},
    "compat": {"compat", "write", "analyze", "model"},  # what the reference tools do, made of our steps
}
# Files at the root of a subject (with or without .h): what each may include of the subject.
JOINS = {
    "formats": {"model", "read", "load"},  # which files the subject reads, and how it recognizes them
    "load": {"model", "read", "analyze", "compat", "formats", "classic_analysis"},  # files in, Profile out
    "fit": {"model", "analyze", "write"},  # the question of `fit`, answered by a replay
    "diff_run": {"model", "analyze", "write"},  # the profile as one side of a comparison
    "write_files": {"model", "read", "analyze", "write", "compat", "formats"},  # raw files in, report files out
    "classic_analysis": {"model", "read", "write"},  # analyze_memory, repeated to the byte
}
NOT_IN_HEADERS = ("fmt/", "CLI/", "zstd", "lzma", "bzlib", "isa-l", "isal", "xxhash", "igzip", "lz4", "microhttpd", "cairo", "sqlite3", "yaml", "toml")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def stage_of(parts):
    """The stage of a file of a subject, or the name of the root file that joins them. None outside of subjects."""
    if parts[0] not in SUBJECTS:
        return None
    return parts[1] if len(parts) > 2 else parts[1].split(".")[0]


def problem(path, place, root, quote, target):
    """What is wrong with this include, or None."""
    folder, stage = place[0], stage_of(place)
    if quote == "<":
        if path.suffix == ".h" and target.startswith(NOT_IN_HEADERS):
            return f"<{target}> belongs in a .cc file"
        if folder in ALLOWED and target.startswith(SIMULATOR_HEADERS):
            return f"<{target}> is the simulator's: only {'/'.join(JOINT)} includes it"
        return None
    if not any((root / tree / target).is_file() for tree in ("src", "simulator")):
        return f'"{target}" is not a file under src/ or simulator/ (includes are rooted there)'
    parts = target.split("/")
    allowed = ALLOWED.get(folder) or SIMULATOR[folder]
    if place == JOINT:
        allowed = allowed | {"sim"}
    if parts[0] not in allowed and target not in allowed:
        return f'{folder} may not include "{target}" (allowed: {", ".join(sorted(allowed))})'
    if stage is None or parts[0] != folder:
        return None
    allowed = STAGES.get(stage) or JOINS[stage] | {stage}
    if stage_of(parts) not in allowed:
        return f'{folder}/{stage} may not include "{target}" (allowed: {", ".join(sorted(allowed))})'
    return None


def misplaced(place):
    """What is wrong with the place of a file, or None."""
    if place[0] in SIMULATOR:
        return None
    if place[0] not in ALLOWED:
        return f"{place[0]} is not a folder of the floor plan (known: {', '.join(ALLOWED)})"
    stage = stage_of(place)
    known = STAGES if len(place) > 2 else JOINS
    if stage is not None and stage not in known:
        kind = "a stage of a subject" if known is STAGES else "a file that joins the stages of a subject"
        return f"{stage} is not {kind} (known: {', '.join(known)})"
    return None


def sources_of(root):
    trees = [root / "src", *(root / "simulator" / folder for folder in SIMULATOR)]
    return sorted(path for tree in trees for path in tree.rglob("*") if path.suffix in (".h", ".cc"))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    failures, includes = 0, 0
    for path in sources_of(root):
        place = path.relative_to(root).parts[1:]
        wrong = misplaced(place)
        if wrong:
            print(f"{path}:1: {wrong}")
            failures += 1
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                includes += 1
                message = problem(path, place, root, *match.groups())
                if message:
                    print(f"{path}:{number}: {message}")
                    failures += 1
    print(f"check_layers: {includes} includes, {failures} findings")
    return 1 if failures or not includes else 0


sys.exit(main())
