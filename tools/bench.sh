#!/usr/bin/env bash
# Measures ttscope beside `wc -l` on generated logs; called by ./dev bench. Options go to tools/bench.py.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
exec /usr/bin/python3 "$root/tools/bench.py" --build "$root/build/release" "$@"
