#!/usr/bin/env bash
# Prints the programs that the bytes of a release depend on. With the same ones, anybody builds the same files.
set -euo pipefail
# `cc` is the system's compiler under a name that says nothing.
rustc --version
cargo --version
cc --version | head -n 1
ld --version | head -n 1
echo "node $(node --version)"
echo "npm $(npm --version)"
cargo-cyclonedx cyclonedx --version
if command -v dpkg-deb >/dev/null; then dpkg-deb --version | head -n 1; fi
gzip --version | head -n 1
