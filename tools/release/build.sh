#!/usr/bin/env bash
# Builds a release of the committed source: build.sh [OUTPUT_FOLDER [WORK_FOLDER [COMMIT]]]. Everything comes from a clone, so nothing
# that is not committed gets in. The work folder keeps the clone and what is compiled for the next time.
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
commit=$(git rev-parse "${3:-HEAD}")
# An earlier clone gets exactly the files of this commit. Unchanged ones keep their times, so less is compiled again.
if [ -e "$source/.git" ]; then
    git -C "$source" fetch --quiet "$PWD" "$commit"
else
    git clone --quiet --no-hardlinks --no-checkout . "$source"
fi
git -C "$source" checkout --quiet --force --detach "$commit"
git -C "$source" clean --quiet -ffdx
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
if [ "$(id -u)" = 0 ] && command -v mmdebstrap >/dev/null && command -v buildah >/dev/null &&
    [ -e "$output"/plenum_*.deb ]; then
    "$source/tools/release/image.sh" "$output"/plenum_*.deb "$output" >/dev/null
else
    echo "No container image: it needs Debian, root, mmdebstrap and buildah." >&2
fi
"$source/tools/release/sboms.sh" "$source" "$version" "$output"
"$source/tools/release/toolchain.sh" >"$output/plenum-$version-toolchain.txt"
(cd "$output" && sha256sum -- * >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)

"$program" --version
echo "$output:"
ls -l --time-style=+ "$output"
"$source/tools/release/sign.sh" "$output"
