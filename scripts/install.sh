#!/usr/bin/env bash
# Installs missing programs for building and running. Quick if nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

# Missing Debian packages, as root or with sudo.
if ! command -v cc >/dev/null; then
    scripts/apt-install.sh gcc libc6-dev || {
        echo "The build needs a C compiler for libpq and for linking: install gcc or clang, then try again." >&2
        exit 1
    }
fi

scripts/npm-ci.sh tools/postgres tools/fonts frontend
