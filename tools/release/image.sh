#!/usr/bin/env bash
# Builds a container image from the Debian package of a release: image.sh PACKAGE.deb OUTPUT_FOLDER. The image is an OCI archive
# with the Debian packages of the mirrors that this machine uses. From the same package and the same state of the mirrors it is the
# same, byte for byte. Needs mmdebstrap, buildah and root.
set -euo pipefail
umask 022
package=$(realpath "$1")
output=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
version=$(dpkg-deb --field "$package" Version)
# The time of the source, which every file in the package has. mmdebstrap and useradd keep to it, too.
built=$(dpkg-deb --fsys-tarfile "$package" | tar --list --verbose --utc --full-time --file - ./usr/bin/plenum)
SOURCE_DATE_EPOCH=$(date --utc --date="$(awk '{ print $4, $5 }' <<<"$built")" +%s)
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'umount "$work/root/proc" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 0755 "$work"
root=$work/root
"$here/bare-root.sh" "$root"

# PostgreSQL without a cluster of Debian's.
mkdir -p "$root/etc/postgresql-common"
echo 'create_main_cluster = false' >"$root/etc/postgresql-common/createcluster.conf"
cp "$package" "$root/tmp/plenum.deb"
mount -t proc proc "$root/proc"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
    SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "$@"; }
inside groupadd --gid 10001 plenum
inside useradd --uid 10001 --gid 10001 --home-dir /var/lib/plenum --no-create-home --shell /usr/sbin/nologin plenum
inside apt-get --quiet --quiet update
inside apt-get --quiet --quiet --yes --no-install-recommends install /tmp/plenum.deb ca-certificates >"$work/apt.log" 2>&1 ||
    { cat "$work/apt.log" >&2; exit 1; }
umount "$root/proc"
install -m 0755 "$here/files/health.sh" "$root/usr/bin/plenum-health"
# The mirrors, their lists and what the installation left are not a part of the image.
rm -rf "$root/tmp/plenum.deb" "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/log/* "$root"/etc/apt/sources.list* \
    "$root"/etc/apt/apt.conf.d/99mmdebstrap "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf" "$root/etc/plenum"
echo plenum >"$root/etc/hostname"
# What this installation alone has: a random key that nothing uses, ids, caches, copies of lists of users.
rm -f "$root/etc/ssl/private/ssl-cert-snakeoil.key" "$root/etc/ssl/certs/ssl-cert-snakeoil.pem" "$root/etc/machine-id" \
    "$root/var/cache/ldconfig/aux-cache" "$root"/var/cache/debconf/*.dat* "$root"/etc/{passwd,group,shadow,gshadow}-
find "$root/etc/ssl/certs" -xtype l -delete
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

export BUILDAH_ISOLATION=chroot
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
container=$(buildah "${storage[@]}" from scratch)
buildah "${storage[@]}" add --quiet "$container" "$root" / >/dev/null
buildah "${storage[@]}" config --user 10001:10001 --workingdir /var/lib/plenum --volume /var/lib/plenum --port 8080 \
    --env PATH=/usr/sbin:/usr/bin:/sbin:/bin --env PLENUM_DATA_DIR=/var/lib/plenum --env PLENUM_LISTEN=0.0.0.0:8080 \
    --env PLENUM_LOG_FORMAT=json --cmd '' --entrypoint '["/usr/bin/plenum", "serve"]' --stop-signal SIGTERM \
    --label org.opencontainers.image.title=Plenum --label "org.opencontainers.image.version=$version" "$container"
buildah "${storage[@]}" commit --quiet --timestamp "$SOURCE_DATE_EPOCH" --rm "$container" "plenum:$version" >/dev/null
# As a folder first: an archive that buildah writes has the times of its files.
buildah "${storage[@]}" push --quiet "plenum:$version" "oci:$work/layout:plenum:$version"
tar --create --file "$output/plenum-$version-image.tar" --directory "$work/layout" --sort=name --owner=0 --group=0 --numeric-owner \
    --mode=go=rX,u+rw,a-s --mtime="@$SOURCE_DATE_EPOCH" .
echo "$output/plenum-$version-image.tar"
