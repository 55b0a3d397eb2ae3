#!/usr/bin/env bash
# Tests the Debian package as it is installed: test-package.sh NEW.deb [OLD.deb]. In a bare Debian root it installs OLD, starts the
# service by the command of its unit and as its user, signs in over HTTP, upgrades to NEW, removes and purges. Without OLD, it
# upgrades from NEW to a copy of NEW with a higher version. Needs Debian, root, mmdebstrap and node.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
new=$(realpath "$1")
old=$(realpath "${2:-$1}")
if [ "$(id -u)" != 0 ]; then
    echo "This test needs root, for a root folder with users of its own." >&2
    exit 1
fi
# Mounts and processes end with this namespace, whatever happens.
if [ -z "${PLENUM_IN_NAMESPACE:-}" ]; then
    exec env PLENUM_IN_NAMESPACE=1 unshare --mount --pid --fork --kill-child "$0" "$@"
fi

work=$(mktemp -d)
root=$work/root
log=$work/service.log
service=
trap 'umount --recursive --lazy "$root/proc" "$root/dev" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 0755 "$work"

fail() {
    echo "FAILED: $*" >&2
    if [ -e "$log" ]; then tail -n 20 "$log" >&2; fi
    exit 1
}
# Runs a command in the root, with a plain environment.
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
apt() { inside apt-get --quiet --quiet --yes "$@" </dev/null >"$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "apt-get $*"; }; }
seconds() { awk "BEGIN { printf \"%.1f\", ($(date +%s%N) - $1) / 1e9 }"; }

# The values of a setting in the unit.
setting() { sed -n "s/^$1=//p" "$root/usr/lib/systemd/system/plenum.service"; }

# Starts the service as systemd would, and waits until it is ready.
start() {
    local variables user command
    mapfile -t variables < <(setting Environment && grep '^[A-Z]' "$root$(setting EnvironmentFile)")
    user=$(setting User)
    read -ra command < <(setting ExecStart)
    chroot "$root" setpriv --reuid "$user" --regid "$(setting Group)" --init-groups --no-new-privs \
        env -i --chdir="$(setting WorkingDirectory)" PATH=/usr/sbin:/usr/bin:/sbin:/bin "${variables[@]}" "${command[@]}" \
        >"$log" 2>&1 &
    service=$!
    for _ in $(seq 600); do
        if curl --silent --fail --output /dev/null "$url/health/ready"; then return; fi
        kill -0 "$service" 2>/dev/null || fail "The service ended."
        sleep 0.1
    done
    fail "The service is not ready after a minute."
}
stop() {
    kill -TERM "$service"
    wait "$service" || fail "The service ended with $?."
}
sign_in() { node "$here/first-sign-in.mjs" "$url" "$@" || fail "The sign-in failed."; }
# Starts, signs in and stops: the data is as it was.
expect_data() {
    start
    sign_in "" ""
    stop
}

"$here/bare-root.sh" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
cp "$old" "$root/tmp/old.deb"
if [ "$old" = "$new" ]; then
    dpkg-deb --raw-extract "$new" "$work/copy"
    sed -i 's/^Version: .*/&+upgrade/' "$work/copy/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$work/copy" "$root/tmp/new.deb" >/dev/null
else
    cp "$new" "$root/tmp/new.deb"
fi

echo "== From a bare Debian to an organizer who is signed in"
begin=$(date +%s%N)
apt update
apt install /tmp/old.deb
echo "1. apt-get install ./plenum.deb: $(seconds "$begin") s, with PostgreSQL from the mirror"
[ "$(stat -c '%U %a' "$root/etc/plenum/environment")" = "root 600" ] || fail "The configuration is readable by others."
[ "$(inside stat -c '%U %a' /var/lib/plenum)" = "plenum 700" ] || fail "The data folder is not the service's own."
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
url=http://127.0.0.1:$port
printf 'PLENUM_LISTEN=127.0.0.1:%s\nPLENUM_SUPER_ADMIN_EMAIL=root@example.org\nPLENUM_SUPER_ADMIN_PASSWORD=correct-horse-battery\n' \
    "$port" >>"$root/etc/plenum/environment"
configuration=$(cat "$root/etc/plenum/environment")
step=$(date +%s%N)
start
echo "2. systemctl start plenum: $(seconds "$step") s until it is ready"
step=$(date +%s%N)
sign_in root@example.org "correct-horse-battery"
echo "3. The first sign-in: $(seconds "$step") s"
echo "Together: $(seconds "$begin") s"
inside /usr/bin/plenum --version

echo "== Upgrade"
stop
before=$(inside dpkg-query --show --showformat '${Version}' plenum)
apt install /tmp/new.deb
after=$(inside dpkg-query --show --showformat '${Version}' plenum)
inside dpkg --compare-versions "$before" lt "$after" || fail "$after is not higher than $before."
[ "$(cat "$root/etc/plenum/environment")" = "$configuration" ] || fail "The upgrade changed the configuration."
expect_data
echo "From $before to $after, with the data and the configuration."

echo "== Remove"
apt remove plenum
[ ! -e "$root/usr/bin/plenum" ] || fail "The program is still there."
apt install /tmp/new.deb
expect_data
echo "The program went, and the data stayed."

echo "== Purge"
apt purge plenum
grep --quiet "are kept" "$work/apt.log" || fail "Purge did not say that the data is kept."
apt install /tmp/new.deb
expect_data
echo "Without a request, purge keeps the data."
touch "$root/etc/plenum/remove-data-on-purge"
apt purge plenum
for path in /var/lib/plenum /etc/plenum /usr/share/plenum /usr/bin/plenum; do
    [ ! -e "$root$path" ] || fail "$path is still there."
done
if inside getent passwd plenum >/dev/null; then fail "The user is still there."; fi
echo "With the request, it removes data, configuration and user."
