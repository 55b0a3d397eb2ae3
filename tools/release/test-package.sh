#!/usr/bin/env bash
# Tests the Debian package as it is installed: test-package.sh NEW.deb [OLD.deb]. In a bare Debian root it installs OLD and signs in
# over https by the commands of docs/operations.md, "From nothing to a signed-in organizer". Then it upgrades to NEW, removes and
# purges. Without OLD, it upgrades from NEW to a copy of NEW with a higher version. The service runs by the command of its unit and as
# its user. Needs Debian, root, mmdebstrap, node, pebble, openssl, and free ports 80 and 443.
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
domain=vote.example.org
url=https://$domain
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
    local variables user command capability
    mapfile -t variables < <(setting Environment && grep '^[A-Z]' "$root$(setting EnvironmentFile)")
    user=$(setting User)
    read -ra command < <(setting ExecStart)
    capability=$(setting AmbientCapabilities | sed 's/^CAP_/+/' | tr '[:upper:]' '[:lower:]')
    chroot "$root" setpriv --reuid "$user" --regid "$(setting Group)" --init-groups --no-new-privs \
        --inh-caps="-all,$capability" --ambient-caps="-all,$capability" --bounding-set="-all,$capability" env -i --chdir="$(setting WorkingDirectory)" PATH=/usr/sbin:/usr/bin:/sbin:/bin "${variables[@]}" "${command[@]}" \
        >"$log" 2>&1 &
    service=$!
    for _ in $(seq 600); do
        if curl --silent --fail --cacert "$work/authority.pem" --output /dev/null "$url/health/ready"; then return; fi
        kill -0 "$service" 2>/dev/null || fail "The service ended."
        sleep 0.1
    done
    fail "The service is not ready after a minute."
}
stop() {
    kill -TERM "$service"
    wait "$service" || fail "The service ended with $?."
}
vote() { NODE_EXTRA_CA_CERTS=$work/authority.pem node "$here/first-vote.mjs" "$url" "$@" || fail "The vote failed."; }
# Starts, votes and stops: the data is as it was.
expect_data() {
    start
    vote "" ""
    stop
}

# Starts an authority of ours in place of Let's Encrypt. It finds every name on this machine.
start_authority() {
    printf '[authority]\nbasicConstraints=critical,CA:TRUE\n[server]\nsubjectAltName=DNS:localhost\n' >"$work/extensions"
    (
        cd "$work"
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out vouching.pem -days 1 -subj /CN=Authority \
            -addext basicConstraints=critical,CA:TRUE
        openssl req -newkey rsa:2048 -nodes -keyout pebble.key -out pebble.csr -subj /CN=localhost
        openssl x509 -req -in pebble.csr -CA vouching.pem -CAkey ca.key -CAcreateserial -days 1 -out pebble.pem \
            -extfile extensions -extensions server
    ) 2>/dev/null
    cat >"$work/pebble.json" <<EOF
{ "pebble": { "listenAddress": "127.0.0.1:14000", "managementListenAddress": "127.0.0.1:15000",
  "certificate": "$work/pebble.pem", "privateKey": "$work/pebble.key", "httpPort": 80, "tlsPort": 443 } }
EOF
    pebble-challtestsrv -defaultIPv4 127.0.0.1 -defaultIPv6 "" -dns01 127.0.0.1:8053 -http01 "" -https01 "" -tlsalpn01 "" \
        -management 127.0.0.1:8055 >/dev/null 2>&1 &
    pebble -config "$work/pebble.json" -dnsserver 127.0.0.1:8053 >"$work/pebble.log" 2>&1 &
    for _ in $(seq 100); do
        if curl --silent --cacert "$work/vouching.pem" --output "$work/authority.pem" https://localhost:15000/roots/0; then return; fi
        sleep 0.1
    done
    fail "The authority does not start."
}

"$here/bare-root.sh" "$root"
# Names lead here, for this process and its children.
printf '127.0.0.1 localhost %s\n' "$domain" >"$work/hosts"
mount --bind "$work/hosts" /etc/hosts
cp "$work/hosts" "$root/etc/hosts"
start_authority
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ "$old" = "$new" ]; then
    dpkg-deb --raw-extract "$new" "$work/copy"
    sed -i 's/^Version: .*/&+upgrade/' "$work/copy/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$work/copy" "$root/tmp/new.deb" >/dev/null
else
    cp "$new" "$root/tmp/new.deb"
fi

# The commands of the documentation below a mark: PAGE MARK.
commands_in() { sed -n "/<!-- $2 of tools\/release\/test-package.sh/,/^\`\`\`\$/p" "$here/../../docs/$1" | grep -v '^```\|^<!--'; }
mapfile -t commands < <(commands_in operations.md commands)
[ "${#commands[@]}" = 3 ] || fail "docs/operations.md has ${#commands[@]} commands."
cp "$old" "$root/root/$(grep -o 'plenum_[^ ]*\.deb' <<<"${commands[0]}")"
# There is no systemd here: the service is started by the unit's own command below, and its output is the journal.
mkdir "$root/root/bin"
printf '#!/bin/sh\n[ "$*" = "restart plenum" ] && touch /root/restarted\n' >"$root/root/bin/systemctl"
printf '#!/bin/sh\n[ "$*" = "--unit plenum --grep password" ] && grep password /root/journal\n' >"$root/root/bin/journalctl"
chmod 0755 "$root"/root/bin/*
as_documented() {
    chroot "$root" env -i --chdir=/root PATH=/root/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        bash -euc "$1" </dev/null >"$work/command.log" 2>&1 || { cat "$work/command.log"; fail "$1"; }
}

echo "== The root checks the release before it installs it"
cp --recursive "$(dirname "$new")" "$root/root/release"
rm -f "$root/root/release/SHA256SUMS.sig"
ssh-keygen -q -t ed25519 -N '' -C release -f "$work/key"
PLENUM_RELEASE_KEY=$work/key "$here/sign.sh" "$root/root/release" >/dev/null
echo "release $(cat "$work/key.pub")" >"$root/root/release/signers"
apt update
apt install openssh-client
mapfile -t checks < <(commands_in releasing.md checks)
[ "${#checks[@]}" = 2 ] || fail "docs/releasing.md has ${#checks[@]} checks."
for check in "${checks[@]}"; do as_documented "cd release && $check"; done
grep --quiet 'plenum_.*deb: OK' "$work/command.log" && grep --quiet 'crates.cdx.json: OK' "$work/command.log" ||
    fail "The hashes of the package or of its lists were not checked."
node "$here/check-sboms.mjs" "$root/root/release" "$(dpkg-deb --field "$new" Version)" || fail "The lists of packages are wrong."
printf x >>"$root/root/release/$(basename "$new")"
if (as_documented "cd release && ${checks[1]}") >/dev/null 2>&1; then fail "A changed package passes."; fi
rm -r "$root/root/release"
echo "Signature, hashes and lists of packages are right, and a changed package is found."

echo "== From a bare Debian to an organizer who is signed in over https"
begin=$(date +%s%N)
as_documented "${commands[0]}"
echo "1. ${commands[0]}: $(seconds "$begin") s, with PostgreSQL from the mirror"
[ "$(stat -c '%U %a' "$root/etc/plenum/environment")" = "root 600" ] || fail "The configuration is readable by others."
[ "$(inside stat -c '%U %a' /var/lib/plenum)" = "plenum 700" ] || fail "The data folder is not the service's own."
# Only this differs from a real installation: the authority.
install -m 0644 "$work/vouching.pem" "$root/etc/plenum/vouching.pem"
chmod 0755 "$root/etc/plenum"
printf 'PLENUM_ACME_URL=https://localhost:14000/dir\nPLENUM_ACME_CERTIFICATES=/etc/plenum/vouching.pem\n' \
    >>"$root/etc/plenum/environment"
step=$(date +%s%N)
as_documented "${commands[1]}"
[ -e "$root/root/restarted" ] || fail "The service was not restarted."
configuration=$(cat "$root/etc/plenum/environment")
start
echo "2. ${commands[1]}: $(seconds "$step") s until it answers over https"
step=$(date +%s%N)
cp "$log" "$root/root/journal"
as_documented "${commands[2]}"
read -r email password < <(sed -n 's/.*administrator is \(.*\) with the password \(.*\) (shown.*/\1 \2/p' "$work/command.log")
vote "$email" "$password"
echo "3. ${commands[2]}, and the first vote: $(seconds "$step") s"
echo "Together: $(seconds "$begin") s"
[ "$(curl --silent --output /dev/null --write-out '%{redirect_url}' "http://$domain/admin")" = "$url/admin" ] ||
    fail "Plain http does not lead to https."
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
