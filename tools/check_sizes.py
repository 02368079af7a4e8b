#!/usr/bin/env python3
"""Fails when a source file is too long to be read in one sitting."""
import pathlib
import sys

MAX_LINES = 500


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    files = sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc"))
    failures = 0
    for path in files:
        lines = path.read_bytes().count(b"\n")
        if lines > MAX_LINES:
            print(f"{path}:{lines}: {lines} lines, at most {MAX_LINES} are allowed: split the file by reason")
            failures += 1
    print(f"check_sizes: {len(files)} files, {failures} over {MAX_LINES} lines")
    return 1 if failures or not files else 0


sys.exit(main())
