#!/usr/bin/env bash
# Runs a debug build and the front end's development server, until Ctrl-C.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --package plenum-app
target/debug/plenum serve --demo &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null' EXIT
npm run --prefix frontend dev
