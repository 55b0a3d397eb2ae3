#!/usr/bin/env bash
# Builds a release of the committed source: build.sh [OUTPUT_FOLDER [WORK_FOLDER]]. Everything comes from a fresh clone, so
# nothing that is not committed gets in. The work folder keeps compiled dependencies for the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."
output=${1:-target/release-artifacts}
work=${2:-target/release-build}
mkdir -p "$work"
work=$(realpath "$work")
rm -rf "$output"
mkdir -p "$output"
output=$(realpath "$output")
export PATH="$PWD/target/tools/bin:$PATH"

if [ -n "$(git status --porcelain)" ]; then
    echo "Files differ from the last commit. The release contains the commit only." >&2
fi
source=$work/source
rm -rf "$source"
git clone --quiet --no-hardlinks . "$source"
git -C "$source" checkout --quiet --detach "$(git rev-parse HEAD)"
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

"$source/tools/release/compile.sh" "$source" "$work/target"
program=$work/target/release/plenum
version=$("$program" -V | cut -d ' ' -f 2)
name=plenum-$version-$(uname -m)-linux

"$source/tools/release/package-tar.sh" "$program" "$source" "$name" "$output"
if command -v dpkg-deb objdump >/dev/null; then
    "$source/tools/release/package-deb.sh" "$program" "$source" "$version" "$output"
else
    echo "No Debian package: dpkg-deb and objdump (binutils) are missing." >&2
fi
"$source/tools/release/sboms.sh" "$source" "plenum-$version" "$output"
"$source/tools/release/toolchain.sh" >"$output/plenum-$version-toolchain.txt"
(cd "$output" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)

"$program" --version
echo "$output:"
ls -l --time-style=+ "$output"
"$source/tools/release/sign.sh" "$output"
