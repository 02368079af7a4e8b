#!/bin/sh
# Installs the Debian packages that a task needs: tools/setup.sh build|trace|test|package|browser|node|bench|lint|fuzz...
# Says what it does, on standard error only, and does nothing when everything is there.
set -eu

BUILD_PACKAGES="g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev libexpected-dev libsimdjson-dev libzstd-dev liblz4-dev liblzma-dev libbz2-dev libisal-dev libxxhash-dev libmicrohttpd-dev libsqlite3-dev libcairo2-dev libyaml-dev libtomlplusplus-dev pybind11-dev python3-dev"
TRACE_PACKAGES="gcc-riscv64-unknown-elf"
PACKAGE_PACKAGES="dpkg-dev file"
FUZZ_PACKAGES="clang-14 libclang-rt-14-dev"
TEST_PACKAGES="libgtest-dev libgmock-dev librapidcheck-dev python3 python3-jsonschema python3-pytest protobuf-compiler python3-numpy python3-pandas mypy python3-venv python3-setuptools python3-wheel zstd $TRACE_PACKAGES $PACKAGE_PACKAGES $FUZZ_PACKAGES"
BROWSER_PACKAGES="chromium fonts-dejavu-core"
NODE_PACKAGES="nodejs npm"
BENCH_PACKAGES="libbenchmark-dev python3"
LINT_PACKAGES="clang-14 clang-format-14 clang-tidy-14 python3"

say() { echo "ttscope: $*" >&2; }

installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

wanted=""
for group in "$@"; do
  case $group in
    build) wanted="$wanted $BUILD_PACKAGES" ;;
    test) wanted="$wanted $BUILD_PACKAGES $TEST_PACKAGES" ;;
    trace) wanted="$wanted $TRACE_PACKAGES" ;;
    package) wanted="$wanted $PACKAGE_PACKAGES" ;;
    bench) wanted="$wanted $BUILD_PACKAGES $BENCH_PACKAGES" ;;
    browser) wanted="$wanted $BROWSER_PACKAGES" ;;
    node) wanted="$wanted $NODE_PACKAGES" ;;
    fuzz) wanted="$wanted $BUILD_PACKAGES $FUZZ_PACKAGES" ;;
    lint) wanted="$wanted $BUILD_PACKAGES $LINT_PACKAGES" ;;
    *) say "setup: unknown group '$group' (known: build trace test package browser node bench lint fuzz)"; exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  say "no apt here, so nothing is installed; these Debian packages, or their like, are needed:$wanted"
  exit 0
fi

missing=""
for package in $wanted; do
  case " $missing " in *" $package "*) continue ;; esac
  installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    say "packages are missing and there is no sudo; as root, run: apt-get install --no-install-recommends$missing"
    exit 1
  fi
  as_root="sudo"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" >>"$log" 2>&1; }

say "installing with ${as_root:+$as_root }apt-get:$missing"
apt update || say "apt-get update failed; trying with the package lists that are here"
# shellcheck disable=SC2086 # the list is meant to be split
if ! apt install -y --no-install-recommends $missing; then
  cat "$log" >&2
  say "the packages could not be installed; see above"
  exit 1
fi
