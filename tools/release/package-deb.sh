#!/usr/bin/env bash
# Builds a Debian package from a compiled program: package-deb.sh PROGRAM SOURCE VERSION OUTPUT_FOLDER. Needs dpkg-deb and
# objdump. SOURCE is the clone with the licenses, and SOURCE_DATE_EPOCH its time.
set -euo pipefail
program=$1 source=$2 version=$3 output=$4
: "${SOURCE_DATE_EPOCH:?must be the time of the source in seconds since 1970}"
here=$source/tools/release
export LC_ALL=C TZ=UTC
umask 022

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"

install -D -m 0755 "$program" "$root/usr/bin/plenum"
install -D -m 0644 "$here/files/plenum.service" "$root/usr/lib/systemd/system/plenum.service"
install -D -m 0644 "$here/files/environment.example" "$root/usr/share/plenum/environment.example"
documents=$root/usr/share/doc/plenum
install -D -m 0644 "$source/README.md" "$documents/README.md"
install -m 0644 "$source/docs/operations.md" "$documents/operations.md"
"$here/copyright.sh" "$source" >"$documents/copyright"
if [ -e "$source/CHANGELOG.md" ]; then gzip -9n <"$source/CHANGELOG.md" >"$documents/changelog.gz"; fi

mkdir "$root/DEBIAN"
for script in postinst prerm postrm; do install -m 0755 "$here/debian/$script" "$root/DEBIAN/$script"; done
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
size=$(find "$root/usr" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
# The newest symbol of the C library that the program needs.
libc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1)
# Who answers for the package. Whoever publishes one names themselves.
maintainer=${PLENUM_RELEASE_MAINTAINER:-The Plenum contributors <plenum@localhost>}
# A version like 1.2.0-rc.1 is older than 1.2.0, which dpkg writes with a tilde.
sed -e "s/@VERSION@/${version/-/\~}/" -e "s/@ARCHITECTURE@/$(dpkg --print-architecture)/" \
    -e "s/@INSTALLED_SIZE@/$size/" -e "s/@LIBC@/$libc/" -e "s|@MAINTAINER@|${maintainer//&/\\&}|" \
    "$here/debian/control.in" >"$root/DEBIAN/control"

find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
# One thread: the compressed blocks depend on the number of them.
dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "$root" "$output" >/dev/null
