#!/usr/bin/env bash
# Fails if the front end's client types are not those of docs/openapi.json. That docs/openapi.json and schema.rs are
# fresh is checked by Rust tests.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
npx openapi-typescript ../docs/openapi.json --output "$fresh" >/dev/null 2>&1
if ! cmp --silent "$fresh" src/api/schema.d.ts; then
    echo "frontend/src/api/schema.d.ts is not that of docs/openapi.json: run \`just generate\`." >&2
    exit 1
fi
