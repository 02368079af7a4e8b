#!/usr/bin/env python3
"""Checks the one-way layers: every #include under src/ must be in the table below.

Prints file:line of each include that breaks it and exits 1. Also keeps the slow third-party headers out of
our own headers, where every file that includes them would pay for them.
"""
import pathlib
import re
import sys

ALLOWED = {
    "base": {"base"},
    "table": {"table", "base"},
    "model": {"model", "base"},
    "input": {"input", "model", "base"},
    "analysis": {"analysis", "model", "base"},
    "output": {"output", "analysis", "model", "base"},
    "device": {"device", "model", "base"},
    "train": {"train", "device", "model", "base"},
    "tracker": {"tracker", "device", "output", "analysis", "input", "model", "base"},
    "tables": {"tables", "analysis", "input", "model", "base"},
    "capture": {"capture", "output", "analysis", "input", "model", "base"},
    "serve": {"serve", "base"},
    "terminal": {"terminal", "base"},
    "cli": {"cli", "terminal", "serve", "capture", "output", "analysis", "input", "model", "base"},
}
NOT_IN_HEADERS = ("fmt/", "CLI/", "zstd", "isa-l", "isal", "xxhash", "igzip", "microhttpd", "cairo")
INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def problem(path, layer, root, quote, target):
    """What is wrong with this include, or None."""
    if quote == "<":
        if path.suffix == ".h" and target.startswith(NOT_IN_HEADERS):
            return f"<{target}> belongs in a .cc file"
        return None
    if not (root / target).is_file():
        return f'"{target}" is not a file under src/ (includes are rooted there)'
    if target.split("/")[0] not in ALLOWED[layer]:
        return f'{layer} may not include "{target}" (allowed: {", ".join(sorted(ALLOWED[layer]))})'
    return None


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent / "src")
    failures, includes = 0, 0
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".h", ".cc")):
        layer = path.relative_to(root).parts[0]
        if layer not in ALLOWED:
            print(f"{path}:1: {layer} is not a layer (known: {', '.join(ALLOWED)})")
            failures += 1
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                includes += 1
                message = problem(path, layer, root, *match.groups())
                if message:
                    print(f"{path}:{number}: {message}")
                    failures += 1
    print(f"check_layers: {includes} includes, {failures} not allowed")
    return 1 if failures or not includes else 0


sys.exit(main())
