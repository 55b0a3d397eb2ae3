#!/usr/bin/env bash
# Installs Debian's nats-server for the tests of several instances, if it is missing and can be installed. Otherwise
# these tests are skipped and report it. crates/adapter-nats/src/testkit.rs looks for it in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in "${NATS_SERVER:-}" /usr/sbin/nats-server /usr/bin/nats-server /usr/local/bin/nats-server; do
    if [ -n "$program" ] && [ -x "$program" ]; then exit 0; fi
done
echo "Installing nats-server for the tests …"
scripts/apt-install.sh nats-server ||
    echo "nats-server cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. The tests of
several instances are skipped; name a program in NATS_SERVER to run them." >&2
