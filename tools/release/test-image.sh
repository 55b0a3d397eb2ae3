#!/usr/bin/env bash
# Tests the container image: test-image.sh ARCHIVE.tar. Runs its command as its user, without capabilities, with a root folder that
# is mounted read-only, an empty /tmp and one volume. Plays a vote, stops, starts again, finds the
# data, and plays another vote. Needs root and buildah, and
# no container engine, which could not run inside of a container itself.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
archive=$(realpath "$1")
# Mounts, processes and ports end with this namespace, whatever happens.
if [ -z "${PLENUM_IN_NAMESPACE:-}" ]; then
    exec env PLENUM_IN_NAMESPACE=1 unshare --mount --pid --net --fork --kill-child "$0" "$@"
fi
ip link set lo up

work=$(mktemp -d)
image=$work/image
log=$work/server.log
trap 'umount --recursive --lazy "$image" 2>/dev/null || true; rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
storage=(--root "$work/storage" --runroot "$work/run" --storage-driver vfs)
fail() {
    echo "FAILED: $*" >&2
    if [ -e "$log" ]; then tail -n 20 "$log" >&2; fi
    exit 1
}

container=$(buildah "${storage[@]}" from --quiet "oci-archive:$archive")
setting() { buildah "${storage[@]}" inspect --format "{{range .OCIv1.Config.$1}}{{println .}}{{end}}" "$container" | grep .; }
mapfile -t variables < <(setting Env)
mapfile -t command < <(setting Entrypoint)
user=$(buildah "${storage[@]}" inspect --format '{{.OCIv1.Config.User}}' "$container")
mkdir -p "$image" "$work/volume"
chown "$user" "$work/volume"
chmod 0711 "$work"
mount --bind "$(buildah "${storage[@]}" mount "$container")" "$image"
mount -t proc proc "$image/proc"
mount --rbind /dev "$image/dev"
mount -t tmpfs tmpfs "$image/tmp"
mount --bind "$work/volume" "$image/var/lib/plenum"
mount -o remount,bind,ro "$image"

# Runs a command as the image's user, as a container engine without privileges does. No function: a signal must reach the server.
as_user=(chroot "$image" setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups --no-new-privs --inh-caps=-all
    --bounding-set=-all env -i --chdir=/var/lib/plenum "${variables[@]}" PLENUM_SUPER_ADMIN_EMAIL=root@example.org
    PLENUM_SUPER_ADMIN_PASSWORD=correct-horse-battery)
serve() {
    "${as_user[@]}" "${command[@]}" >"$log" 2>&1 &
    server=$!
    for _ in $(seq 600); do
        if "${as_user[@]}" plenum-health 2>/dev/null; then return; fi
        kill -0 "$server" 2>/dev/null || fail "The server ended."
        sleep 0.1
    done
    fail "The server is not healthy after a minute."
}
stop() {
    kill -TERM "$server"
    wait "$server" || fail "The server ended with $?."
}

# As root, whom only the mount refuses.
if touch "$image/etc/changed" 2>/dev/null; then fail "The root folder is not read-only."; fi
[ -x "$image/usr/bin/plenum-health" ] || fail "The health check is missing."
if "${as_user[@]}" plenum-health 2>/dev/null; then fail "It is healthy without a server."; fi
for _ in first second; do
    serve
    node "$here/first-vote.mjs" http://127.0.0.1:8080 root@example.org correct-horse-battery || fail "The vote failed."
    stop
done
echo "The image runs as $user, with a read-only root and one volume, and keeps its data."
