#!/usr/bin/env bash
# Installs cargo-fuzz below target/, if there is none. Where it cannot be, `just fuzz` says so and does without.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.13.2
if [ "$(target/tools/bin/cargo-fuzz --version 2>/dev/null)" = "cargo-fuzz $version" ]; then exit 0; fi
# libFuzzer is in C++ and built along.
if ! command -v c++ >/dev/null; then
    scripts/apt-install.sh g++ || echo "A C++ compiler is needed to fuzz, and cannot be installed here." >&2
fi
echo "Installing cargo-fuzz …"
cargo install --quiet --locked --root target/tools --version "$version" cargo-fuzz ||
    echo "cargo-fuzz $version cannot be installed here: cargo must reach a registry." >&2
