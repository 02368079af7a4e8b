#!/usr/bin/env bash
# The page of a timeline in a real browser.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
exec node "$TTSCOPE_SOURCE_DIR/tests/integration/timeline_browser.mjs"
