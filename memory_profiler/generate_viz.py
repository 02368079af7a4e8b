#!/usr/bin/env python3
"""generate_viz.py [DIR] [--name NAME]: writes the page of a run from its JSON files.

For those who know the script of this name; it is `tt-memory-profiler --visualize DIR`. Without DIR the newest run in
./logs is taken."""
import argparse
import pathlib
import sys

from program import become


def newest_run():
    logs = pathlib.Path("logs")
    runs = [path for path in logs.glob("*_*") if path.is_dir()]
    if not runs:
        sys.exit("Error: No profiling runs found in logs directory" if logs.is_dir() else "Error: No logs directory found")
    return str(max(runs, key=lambda path: path.stat().st_mtime))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", metavar="DIR", nargs="?", help="folder of the run")
    parser.add_argument("--name", help="the run to show, where DIR holds several")
    given = parser.parse_args()
    folder = given.run or newest_run()
    become("tt-memory-profiler", f"--visualize={folder}", *([f"--name={given.name}"] if given.name else []))


if __name__ == "__main__":
    main()
