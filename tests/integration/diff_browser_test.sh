#!/usr/bin/env bash
# The page of two runs in a real browser.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
exec node "$TTSCOPE_SOURCE_DIR/tests/integration/diff_browser.mjs"
