#!/usr/bin/env bash
# Runs a test binary: run-rust-tests.sh BINARY [ARGUMENT…]. Prints the time of each test, for the list of the slowest
# ones. libtest does that only with unstable options, which are enabled for this process only and change no build.
# Skips the binaries of all packages but those in PLENUM_TEST_PACKAGES, unless that is empty.
set -euo pipefail
if [ -n "${PLENUM_TEST_PACKAGES:-}" ] && [[ " $PLENUM_TEST_PACKAGES " != *" $CARGO_PKG_NAME "* ]]; then
    exit 0
fi
RUSTC_BOOTSTRAP=1 exec "$@" -Zunstable-options --report-time
