# Sourced by the tests of the front end: goes to web/, or reports "skipped" where node or its packages are missing.
web=${TTSCOPE_SOURCE_DIR:?}/web
if ! command -v node >/dev/null || [[ ! -d $web/node_modules/esbuild ]]; then
  echo "skipped: needs node and the packages of web/ (./dev web installs them)"
  exit 77
fi
cd "$web"
