#!/usr/bin/env bash
# Tests the way from an earlier version to this one: test-upgrade.sh PREVIOUS, the program or the Debian package of a release. A
# meeting with an open round goes on after the upgrade, and two instances behind nginx are replaced while people vote.
set -euo pipefail
cd "$(dirname "$0")/../.."
previous=$(realpath "$1")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# PostgreSQL's user must reach the program's folder, too.
chmod 0755 "$work"
case "$previous" in
    *.deb)
        dpkg-deb --fsys-tarfile "$previous" | tar --extract --file - --directory "$work" ./usr/bin/plenum
        previous=$work/usr/bin/plenum
        ;;
esac
"$previous" -V
PLENUM_TEST_PREVIOUS=$previous cargo test --locked --package plenum-app --test it process::upgrades
