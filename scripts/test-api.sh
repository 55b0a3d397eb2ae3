#!/usr/bin/env bash
# Tests a debug build against its OpenAPI document: test-api.sh [ARGUMENT OF tools/schemathesis/run.py …]
# The server has its own database and a free port. Both are removed afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

data=$(mktemp --directory)
said=$(mktemp)
server=
clean_up() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$data" "$said"
}
trap clean_up EXIT
# If root starts it, the database runs as another user, who needs access to the folder.
chmod 755 "$data"

export PLENUM_SUPER_ADMIN_EMAIL=root@plenum.test PLENUM_SUPER_ADMIN_PASSWORD="correct horse battery"
env --unset=DATABASE_URL --unset=PLENUM_BASE_PATH \
    PLENUM_LISTEN=127.0.0.1:0 PLENUM_DATA_DIR="$data" PLENUM_ALLOW_VOTE_RESET=on PLENUM_TRUSTED_PROXIES=127.0.0.1 \
    PLENUM_SMTP_URL=smtp://127.0.0.1:9 PLENUM_MAIL_FROM=no-reply@plenum.test PLENUM_PUBLIC_URL=https://plenum.test \
    target/debug/plenum serve >"$said" 2>&1 &
server=$!

address=
for _ in $(seq 900); do
    address=$(sed -n 's/^listening on //p' "$said")
    if [ -n "$address" ] || ! kill -0 "$server" 2>/dev/null; then break; fi
    sleep 0.1
done
if [ -z "$address" ]; then
    echo "The server did not start:" >&2
    cat "$said" >&2
    exit 1
fi

status=0
PLENUM_API_URL="$address/api" target/schemathesis/bin/python -B tools/schemathesis/run.py "$@" || status=$?
if ! kill -0 "$server" 2>/dev/null; then
    echo "The server has ended. Its last output:" >&2
    tail -n 40 "$said" >&2
    status=1
fi
exit "$status"
