#!/usr/bin/env bash
# Builds frontend/dist if one of its sources is newer.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

built=dist/index.html
sources=(src public build-plugins index.html package-lock.json vite.config.ts tsconfig.json postcss.config.js)
if [ -e "$built" ] && [ -z "$(find "${sources[@]}" -newer "$built" -print -quit)" ]; then
    exit 0
fi
npm run --silent build
