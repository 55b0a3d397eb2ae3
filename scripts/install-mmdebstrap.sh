#!/usr/bin/env bash
# Installs mmdebstrap for `just test-package`, if it is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if command -v mmdebstrap >/dev/null; then exit 0; fi
echo "Installing mmdebstrap for the test of the package …"
scripts/apt-install.sh --no-install-recommends mmdebstrap curl || {
    echo "mmdebstrap cannot be installed here: the test of the package needs Debian, and root." >&2
    exit 1
}
