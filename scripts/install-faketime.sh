#!/usr/bin/env bash
# Installs Debian's libfaketime for clock faults, if it is missing and can be installed. Otherwise the run skips these
# faults, and the page states that. tools/loadtest/src/faults/clock.rs looks for it in the same place.
set -euo pipefail
cd "$(dirname "$0")/.."

if compgen -G "/usr/lib/*/faketime/libfaketimeMT.so.1" >/dev/null; then exit 0; fi
echo "Installing libfaketime for clock faults …"
scripts/apt-install.sh faketime ||
    echo "libfaketime cannot be installed here: this needs Debian or Ubuntu, and root or sudo without a password. Faults of the
clock are left out." >&2
