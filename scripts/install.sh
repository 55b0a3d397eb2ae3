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

# npm notes in its hidden lock file what it has installed.
for folder in tools/postgres frontend; do
    if [ ! -e "$folder/node_modules/.package-lock.json" ] ||
        [ "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]; then
        echo "Installing the packages of $folder …"
        npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error
        touch "$folder/node_modules/.package-lock.json"
    fi
done
