#!/usr/bin/env bash
# Installs the npm packages of folders, if they are missing or outdated: npm-ci.sh FOLDER…
set -euo pipefail
cd "$(dirname "$0")/.."

# npm's hidden lock file lists the installed packages.
for folder in "$@"; do
    if [ ! -e "$folder/node_modules/.package-lock.json" ] ||
        [ "$folder/package-lock.json" -nt "$folder/node_modules/.package-lock.json" ]; then
        echo "Installing the packages of $folder …"
        npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error
        touch "$folder/node_modules/.package-lock.json"
    fi
done
