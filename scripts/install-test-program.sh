#!/usr/bin/env bash
# Installs one of Debian's programs that some tests need, if it is missing and can be installed: install-test-program.sh nginx.
# Otherwise these tests are skipped and report it.
set -euo pipefail
cd "$(dirname "$0")/.."

# The paths and the variable in the order in which the tests look for the program.
case "$1" in
    # frontend/e2e/support/nginx.ts and crates/app/tests/it/process/support/nginx.rs
    nginx) variable=NGINX needed_for="browser tests behind a reverse proxy and tests of several instances" paths=(/usr/sbin/nginx) ;;
    # crates/adapter-nats/src/testkit.rs
    nats-server) variable=NATS_SERVER needed_for="tests of several instances" paths=(/usr/{sbin,bin,local/bin}/nats-server) ;;
    # crates/app/tests/it/process/support/pebble.rs
    pebble) variable=PEBBLE needed_for="test of automatic certificates" paths=(/usr/bin/pebble) ;;
    *)
        echo "unknown program: $1" >&2
        exit 2
        ;;
esac

for program in "${!variable:-}" "${paths[@]}"; do
    if [ -n "$program" ] && [ -x "$program" ]; then exit 0; fi
done
echo "Installing $1 for the tests …"
scripts/apt-install.sh "$1" ||
    echo "$1 cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. The $needed_for
will be skipped. Name a program in $variable to run them." >&2
