#!/usr/bin/env bash
# Fails if the front end's client types do not match docs/openapi.json. Rust tests check docs/openapi.json and schema.rs.
set -euo pipefail
cd "$(dirname "$0")/../frontend"

fresh=$(mktemp)
trap 'rm -f "$fresh"' EXIT
npx openapi-typescript ../docs/openapi.json --output "$fresh" >/dev/null 2>&1
if ! cmp --silent "$fresh" src/api/schema.d.ts; then
    echo "frontend/src/api/schema.d.ts does not match docs/openapi.json: run \`just generate\`." >&2
    exit 1
fi
