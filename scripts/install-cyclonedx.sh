#!/usr/bin/env bash
# Installs cargo-cyclonedx below target/, if it is missing. It lists the crates of a release.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.5.9
if [ "$(target/tools/bin/cargo-cyclonedx cyclonedx --version 2>/dev/null)" = "cargo-cyclonedx-cyclonedx $version" ]; then exit 0; fi
echo "Installing cargo-cyclonedx …"
cargo install --quiet --locked --root target/tools --version "$version" cargo-cyclonedx
