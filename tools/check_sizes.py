#!/usr/bin/env python3
"""Fails when a source file, or ARCHITECTURE.md, is too long to be read in one sitting."""
import pathlib
import sys

MAX_LINES = 500
ARCHITECTURE_LINES = 150
ARCHITECTURE_COLUMNS = 110
CHECKOUT = pathlib.Path(__file__).parent.parent


def check_architecture(path):
    lines = path.read_text().splitlines()
    wide = [number for number, line in enumerate(lines, 1) if len(line) > ARCHITECTURE_COLUMNS]
    for number in wide:
        print(f"{path}:{number}: wider than {ARCHITECTURE_COLUMNS} columns")
    if len(lines) >= ARCHITECTURE_LINES:
        print(f"{path}: {len(lines)} lines: under {ARCHITECTURE_LINES} are allowed; details belong into docs/design")
    return len(wide) + (len(lines) >= ARCHITECTURE_LINES)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else CHECKOUT / "src")
    files = sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc"))
    failures = check_architecture(CHECKOUT / "ARCHITECTURE.md") if len(sys.argv) <= 1 else 0
    for path in files:
        lines = path.read_bytes().count(b"\n")
        if lines > MAX_LINES:
            print(f"{path}:{lines}: {lines} lines, at most {MAX_LINES} are allowed: split the file by reason")
            failures += 1
    print(f"check_sizes: {len(files)} files, {failures} findings")
    return 1 if failures or not files else 0


sys.exit(main())
