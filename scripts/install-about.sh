#!/usr/bin/env bash
# Installs cargo-about below target/, if it is missing. It collects the license texts of all crates.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.9.3
if [ "$(target/tools/bin/cargo-about --version 2>/dev/null)" = "cargo-about $version" ]; then exit 0; fi
echo "Installing cargo-about …"
cargo install --quiet --locked --root target/tools --features cli --version "$version" cargo-about
