#!/usr/bin/env bash
# Shows that a release is reproducible: builds it twice, from two clones in different folders, with different settings of the
# shell, and compares every file. Then it signs the hashes with a key that it throws away, and checks that a change is found.
set -euo pipefail
cd "$(dirname "$0")/../.."

first=target/release-check/first
second=target/release-check/second
# Of the same commit, whatever is committed meanwhile.
commit=$(git rev-parse HEAD)
other=$(mktemp -d)
trap 'rm -rf "$other"' EXIT

echo "== First build"
tools/release/build.sh "$first" target/release-check/work "$commit"
echo "== Second build, in $other"
# A kept compilation would hide a difference, so this one starts from nothing.
(umask 077 && LC_ALL=C.UTF-8 TZ=Pacific/Auckland tools/release/build.sh "$second" "$other/a/longer/path" "$commit")

echo "== Comparison"
differences=0
for file in $(cd "$first" && find . -type f -printf '%P\n' | sort); do
    if ! cmp --silent "$first/$file" "$second/$file"; then
        echo "DIFFERENT: $file"
        differences=$((differences + 1))
    fi
done
if [ "$differences" != 0 ] || [ "$(ls "$first")" != "$(ls "$second")" ]; then
    echo "The builds differ. Both are in target/release-check." >&2
    exit 1
fi
echo "All $(find "$first" -type f | wc -l) files are the same, byte for byte."

echo "== Signature"
ssh-keygen -q -t ed25519 -N '' -C release -f "$other/key"
PLENUM_RELEASE_KEY=$other/key tools/release/sign.sh "$second"
echo "release $(cat "$other/key.pub")" >"$other/signers"
verify() {
    ssh-keygen -Y verify -f "$other/signers" -I release -n plenum-release -s "$second/SHA256SUMS.sig" <"$1" >/dev/null 2>&1
}
verify "$second/SHA256SUMS"
(cd "$second" && sha256sum --quiet --check SHA256SUMS)
sed 's/^./f/; s/^ff/0f/' "$second/SHA256SUMS" >"$other/changed"
if verify "$other/changed"; then
    echo "A changed list of hashes passed as signed." >&2
    exit 1
fi
echo "The signature is valid, and not for a changed list."
