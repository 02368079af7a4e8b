#!/usr/bin/env bash
# The pages in web/dist are what the sources in web/ build.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/web_tools.sh"
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
node build.mjs "$built"
for page in dist/*.html; do
  page=$(basename "$page" .html)
  if ! cmp "$built/$page.html" "dist/$page.html"; then
    echo "web/dist/$page.html is not current: run ./dev web and commit it" >&2
    exit 1
  fi
done
