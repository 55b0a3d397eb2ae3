#!/usr/bin/env bash
# Builds the archive for any Linux from a compiled program: package-tar.sh PROGRAM SOURCE NAME OUTPUT_FOLDER. NAME is the
# folder in the archive, and SOURCE_DATE_EPOCH the time of its files.
set -euo pipefail
program=$1 source=$2 name=$3 output=$4
: "${SOURCE_DATE_EPOCH:?must be the time of the source in seconds since 1970}"
export LC_ALL=C TZ=UTC
umask 022

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
install -D -m 0755 "$program" "$root/plenum"
sed 's|^ExecStart=/usr/bin/|ExecStart=/usr/local/bin/|' "$source/tools/release/files/plenum.service" >"$root/plenum.service"
install -m 0644 "$source/tools/release/files/environment.example" "$root/environment.example"
for file in compose.yml compose.with-postgres.yml compose.two-instances.yml nginx.conf; do
    install -m 0644 "$source/tools/release/files/$file" "$root/$file"
done
install -m 0644 "$source/README.md" "$source/docs/operations.md" "$root"
for file in "$source"/LICENSE* "$source"/CHANGELOG.md; do
    if [ -e "$file" ]; then install -m 0644 "$file" "$root"; fi
done
tar --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
    --create --directory "$work" "$name" | gzip -9n >"$output/$name.tar.gz"
