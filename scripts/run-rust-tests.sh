#!/usr/bin/env bash
# Runs a test binary: run-rust-tests.sh BINARY [ARGUMENT…]. Prints the time of each test, for the list of the slowest
# ones. libtest does that only with unstable options, which are enabled for this process only and change no build.
set -euo pipefail
RUSTC_BOOTSTRAP=1 exec "$@" -Zunstable-options --report-time
