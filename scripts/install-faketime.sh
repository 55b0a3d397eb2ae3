#!/usr/bin/env bash
# Installs libfaketime for the faults of the clock, if there is none: Debian's, where it may be installed. Elsewhere these
# faults are left out, and the page says so. tools/loadtest/src/faults/clock.rs looks for it in the same place.
set -euo pipefail
cd "$(dirname "$0")/.."

if compgen -G "/usr/lib/*/faketime/libfaketimeMT.so.1" >/dev/null; then exit 0; fi
echo "Installing libfaketime for faults of the clock …"
scripts/apt-install.sh faketime ||
    echo "libfaketime cannot be installed here: that takes Debian or Ubuntu, and root or sudo without a password. Faults of the
clock are left out." >&2
