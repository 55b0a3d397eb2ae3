#!/usr/bin/env bash
# Lists every package that is built into the program, as CycloneDX: sboms.sh SOURCE VERSION OUTPUT_FOLDER. Needs cargo-cyclonedx.
set -euo pipefail
source=$(realpath "$1") version=$2 output=$(realpath "$3")
: "${SOURCE_DATE_EPOCH:?must be the time of the source in seconds since 1970}"
cd "$source"
prefix=plenum-$version
normalize() { node "$source/tools/release/normalize-sbom.mjs" "$source"; }

cargo-cyclonedx cyclonedx --quiet --manifest-path crates/app/Cargo.toml --features pg-tls --format json --spec-version 1.5 \
    --override-filename plenum.cdx 2>/dev/null
normalize <crates/app/plenum.cdx.json >"$output/$prefix-crates.cdx.json"
# The tool writes one document for each crate of the workspace.
find crates tools -name plenum.cdx.json -not -path '*/node_modules/*' -delete

for folder in frontend tools/fonts; do
    # Without --omit dev: npm then omits packages that development needs, too, such as react.
    # A package without a version has no identifier in the document, so Plenum's own packages get the version of the release.
    sbom=$(cd "$folder" && npm pkg set "version=$version" && npm sbom --sbom-format cyclonedx --package-lock-only)
    normalize <<<"$sbom" >"$output/$prefix-$(basename "$folder").cdx.json"
done

# Whatever the build put into the screens must be listed.
listed=$output/$prefix-frontend.cdx.json
sed -n 's/^## \([^ ]*\).*/\1/p' frontend/dist/licenses.md | while read -r package; do
    if ! grep --quiet --fixed-strings "\"name\": \"$package\"" "$listed"; then
        echo "$package is built in and not listed in $listed." >&2
        exit 1
    fi
done
