#!/usr/bin/env bash
# The library page of the server in a real browser.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
exec node "$TTSCOPE_SOURCE_DIR/tests/integration/serve_browser.mjs"
