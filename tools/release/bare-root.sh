#!/usr/bin/env bash
# Makes a Debian system with nothing but apt in a folder: bare-root.sh FOLDER. Uses the release and the mirrors that this machine
# uses. Needs mmdebstrap and root.
set -euo pipefail
root=$1
# shellcheck source=/dev/null
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

sources=$(mktemp)
trap 'rm -f "$sources"' EXIT
apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u >"$sources"
if [ ! -s "$sources" ]; then
    echo "apt knows no Debian packages here: run apt-get update on a Debian machine." >&2
    exit 1
fi
options=()
# A mirror of an earlier day, as this machine may use it, is out of date by its own word.
if apt-config dump Acquire::Check-Valid-Until | grep --quiet false; then
    options+=(--aptopt='Acquire::Check-Valid-Until "false"')
fi
mmdebstrap --quiet --mode=root --variant=minbase "${options[@]}" "$suite" "$root" "$sources"

# Packages must not start services: their processes would outlive the folder.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 0755 "$root/usr/sbin/policy-rc.d"
