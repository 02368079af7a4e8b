#!/usr/bin/env bash
# The page that compares training runs in a real browser.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
exec node "$TTSCOPE_SOURCE_DIR/tests/integration/phases_browser.mjs"
