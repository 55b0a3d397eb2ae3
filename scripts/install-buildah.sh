#!/usr/bin/env bash
# Installs buildah and mmdebstrap for the container image of `just release`, if they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

if command -v buildah >/dev/null && command -v mmdebstrap >/dev/null && command -v ip >/dev/null; then exit 0; fi
echo "Installing buildah and mmdebstrap for the container image …"
scripts/apt-install.sh --no-install-recommends buildah mmdebstrap iproute2 ||
    echo "They cannot be installed here: the image needs Debian, and root." >&2
