#!/usr/bin/env bash
# web/dist/report.html is what the sources in web/ build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
built=$(mktemp)
trap 'rm -f "$built"' EXIT
node build.mjs "$built"
if ! cmp "$built" dist/report.html; then
  echo "web/dist/report.html is not current: run ./dev web and commit it" >&2
  exit 1
fi
