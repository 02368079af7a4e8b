#!/usr/bin/env python3
"""extract_last_run.py LOG: cuts a log with warm-up passes down to its last run, in place.

For those who know the script of this name; it is `ttscope last-run LOG --in-place`, which keeps the module dumps and
leaves a log with one run as it is."""
import sys

from program import become

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stdout if len(sys.argv) == 2 else sys.stderr)
        sys.exit(0 if len(sys.argv) == 2 else 2)
    become("ttscope", "last-run", "--in-place", "--", sys.argv[1])
