#!/usr/bin/env bash
# Installs what building and running need and is not there yet. Quick when nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian packages, where they can be installed: as root or with sudo, and only what is missing.
if ! command -v cc >/dev/null; then
    scripts/apt-install.sh gcc libc6-dev || {
        echo "A C compiler is needed (for libpq and for linking): install gcc or clang, then try again." >&2
        exit 1
    }
fi

scripts/npm-ci.sh tools/postgres tools/fonts frontend
