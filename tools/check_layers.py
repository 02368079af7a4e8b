#!/usr/bin/env python3
"""Checks the floor plan: every #include under src/ must keep the rules below.

1. A folder of src/ includes only what the table allows; no subject includes another.
2. Inside a subject the stages have an order: model, read, analyse, tables, write; `load.h` joins them. A stage includes
   only stages before it, and reading and analysing do not know each other: the model stands between them.
3. Slow third-party headers stay out of our own headers, where every file that includes them would pay for them.
4. A .cc includes the header of its own name; one that has none begins with a comment that says where it is declared.

Prints file:line of each include that breaks a rule and exits 1.
"""
import pathlib
import re
import sys

SHARED = {"base", "record", "io", "table", "report", "fit", "diff"}
SUBJECTS = {"mem", "phases", "graph", "perf", "timeline"}
ALLOWED = {
    "base": {"base"},
    "record": {"record"},
    "io": {"io", "base"},
    "table": {"table", "base"},
    "report": {"report", "table", "base"},
    "fit": {"fit", "report", "table", "base"},
    "diff": {"diff", "report", "table", "base"},
    "gate": {"gate", "diff", "report", "table", "base"},
    **{subject: SHARED | {subject} for subject in SUBJECTS},
    "sim": SHARED | {"sim", "graph", "mem"},
    "chip": {"chip", "base"},
    "metal": {"metal", "chip", "perf", "base"},
    "app": SHARED | SUBJECTS | {"app", "capture", "serve", "sim", "gate"},
    "capture": SHARED | {"capture", "mem"},
    "serve": {"serve", "base"},
    "terminal": {"terminal", "base"},
    "cli": SHARED | SUBJECTS | {"cli", "gate", "app", "capture", "serve", "sim", "terminal"},
}
STAGES = {
    "model": {"model"},
    "read": {"read", "model"},
    "analyse": {"analyse", "model"},
    "tables": {"tables", "analyse", "model"},
    "write": {"write", "tables", "analyse", "model"},
}
NOT_IN_HEADERS = ("fmt/", "CLI/", "zstd", "lzma", "bzlib", "isa-l", "isal", "xxhash", "igzip", "lz4", "microhttpd", "cairo", "sqlite3", "yaml", "toml")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def stage_of(parts):
    """The stage of a file of a subject; None for the files that join them."""
    return parts[1] if parts[0] in SUBJECTS and len(parts) > 2 else None


def problem(path, place, root, quote, target):
    """What is wrong with this include, or None."""
    if quote == "<":
        if path.suffix == ".h" and target.startswith(NOT_IN_HEADERS):
            return f"<{target}> belongs in a .cc file"
        return None
    if not (root / target).is_file():
        return f'"{target}" is not a file under src/ (includes are rooted there)'
    parts = target.split("/")
    folder, stage = place[0], stage_of(place)
    if parts[0] not in ALLOWED[folder]:
        return f'{folder} may not include "{target}" (allowed: {", ".join(sorted(ALLOWED[folder]))})'
    if stage is None or parts[0] != folder:
        return None
    if stage_of(parts) not in STAGES[stage]:
        return f'{folder}/{stage} may not include "{target}" (allowed: {", ".join(sorted(STAGES[stage]))})'
    return None


def misplaced(place):
    """What is wrong with the place of a file, or None."""
    if place[0] not in ALLOWED:
        return f"{place[0]} is not a folder of the floor plan (known: {', '.join(ALLOWED)})"
    stage = stage_of(place)
    if stage is not None and stage not in STAGES:
        return f"{stage} is not a stage of a subject (known: {', '.join(STAGES)})"
    return None


def lacks_header(path, root, lines):
    """What is wrong with a .cc that has neither a header of its own nor a reason, or None."""
    own = path.relative_to(root).with_suffix(".h").as_posix()
    if path.suffix != ".cc" or lines[:1] and lines[0].startswith("// "):
        return None
    if any((match := INCLUDE.match(line)) and match[2] == own for line in lines):
        return None
    return f'neither includes "{own}" nor begins with a comment that says where it is declared'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    failures, includes = 0, 0
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc")):
        place = path.relative_to(root).parts
        wrong = misplaced(place)
        if wrong:
            print(f"{path}:1: {wrong}")
            failures += 1
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        wrong = lacks_header(path, root, lines)
        if wrong:
            print(f"{path}:1: {wrong}")
            failures += 1
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
