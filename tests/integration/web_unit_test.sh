#!/usr/bin/env bash
# Types and unit tests of the front end.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
node node_modules/typescript/bin/tsc --noEmit
node node_modules/vitest/vitest.mjs run
