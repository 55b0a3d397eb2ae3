#!/usr/bin/env bash
# Signs the hashes of a release: sign.sh OUTPUT_FOLDER. PLENUM_RELEASE_KEY is an SSH key: the private file, or the public one
# of a key in the agent or in a hardware token. Without it, the release stays unsigned, and the output says so.
set -euo pipefail
sums=$1/SHA256SUMS
rm -f "$sums.sig"
if [ -z "${PLENUM_RELEASE_KEY:-}" ]; then
    echo "Not signed: PLENUM_RELEASE_KEY names no key. See docs/releasing.md."
    exit 0
fi
ssh-keygen -q -Y sign -f "$PLENUM_RELEASE_KEY" -n plenum-release "$sums"
echo "Signed: $sums.sig"
