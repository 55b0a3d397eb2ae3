#!/usr/bin/env bash
# Installs cargo-fuzz below target/, if it is missing. If that fails, `just fuzz` reports it and runs property tests.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.13.2
if [ "$(target/tools/bin/cargo-fuzz --version 2>/dev/null)" = "cargo-fuzz $version" ]; then exit 0; fi
# The build includes libFuzzer, which is in C++.
if ! command -v c++ >/dev/null; then
    scripts/apt-install.sh g++ || echo "Fuzzing needs a C++ compiler, which cannot be installed here." >&2
fi
echo "Installing cargo-fuzz …"
cargo install --quiet --locked --root target/tools --version "$version" cargo-fuzz ||
    echo "cargo-fuzz $version cannot be installed here: cargo must reach a registry." >&2
