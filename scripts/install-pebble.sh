#!/usr/bin/env bash
# Installs Debian's pebble, an ACME authority for tests, if it is missing and can be installed. Otherwise the test of automatic
# certificates is skipped and reports it. crates/app/tests/it/process/support/pebble.rs looks for it in the same order.
set -euo pipefail
cd "$(dirname "$0")/.."

for program in "${PEBBLE:-}" /usr/bin/pebble; do
    if [ -n "$program" ] && [ -x "$program" ]; then exit 0; fi
done
echo "Installing pebble for the tests …"
scripts/apt-install.sh pebble ||
    echo "pebble cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. The test of automatic
certificates is skipped; name a program in PEBBLE to run it." >&2
