#!/usr/bin/env bash
# The committed samples are what the commands in examples/README.md make today, and small enough to be committed.
set -euo pipefail

generator=$TTSCOPE_BUILD_DIR/ttscope-gen-log
examples=$TTSCOPE_SOURCE_DIR/examples
max_log_bytes=250000

[ -x "$generator" ] || { echo "$generator is not built"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/examples"
cd "$work"

commands=$(grep '^build/release/ttscope-gen-' "$examples/README.md")
while read -r command arguments; do
  # The arguments are words without spaces or quotes: see the README.
  # shellcheck disable=SC2086
  "$TTSCOPE_BUILD_DIR/${command##*/}" $arguments
done <<<"$commands"

failures=0
for made in examples/*; do
  if ! cmp "$made" "$TTSCOPE_SOURCE_DIR/$made"; then
    echo "$made is not what the generator makes: run the commands in examples/README.md again"
    failures=$((failures + 1))
  fi
done
for committed in "$examples"/*.log "$examples"/*.json; do
  if [ ! -e "examples/$(basename "$committed")" ]; then
    echo "$committed: no command in examples/README.md makes it"
    failures=$((failures + 1))
  fi
done

log_bytes=$(cat "$examples"/*.log | wc -c)
if [ "$log_bytes" -gt "$max_log_bytes" ]; then
  echo "the sample logs have $log_bytes bytes, at most $max_log_bytes are allowed"
  failures=$((failures + 1))
fi
echo "samples_current: $(ls examples | wc -l) files, $log_bytes bytes of logs, $failures failures"
[ "$failures" -eq 0 ]
