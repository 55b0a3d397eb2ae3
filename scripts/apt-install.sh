#!/usr/bin/env bash
# Installs Debian packages, if this is Debian and the user has the permission: apt-install.sh PACKAGE…
set -euo pipefail
command -v apt-get >/dev/null || exit 1
if [ "$(id -u)" = 0 ]; then
    as_root=()
elif sudo --non-interactive true 2>/dev/null; then
    as_root=(sudo)
else
    exit 1
fi
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update --quiet --quiet
"${as_root[@]}" apt-get install --yes --quiet --quiet "$@" >/dev/null
