#!/usr/bin/env bash
# Runs a test binary: run-rust-tests.sh BINARY [ARGUMENT…]. The time of each test is printed, for the list of the slowest
# ones. libtest prints it only where unstable options are allowed, which is for this process alone and changes no build.
# Many tests wait for a process, a stream or a deadline, so that one more runs than there are cores.
set -euo pipefail
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$(($(getconf _NPROCESSORS_ONLN) + 1))}
RUSTC_BOOTSTRAP=1 exec "$@" -Zunstable-options --report-time
