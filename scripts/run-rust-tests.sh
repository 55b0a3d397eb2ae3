#!/usr/bin/env bash
# Runs a test binary: run-rust-tests.sh BINARY [ARGUMENT…]. The time of each test is printed, for the list of the slowest
# ones. libtest prints it only where unstable options are allowed, which is for this process alone and changes no build.
set -euo pipefail
RUSTC_BOOTSTRAP=1 exec "$@" -Zunstable-options --report-time
