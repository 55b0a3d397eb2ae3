#!/bin/bash
# Succeeds if the server in this container is ready. The image has no program for HTTP.
exec 3<>"/dev/tcp/127.0.0.1/${PLENUM_LISTEN##*:}" || exit 1
printf 'GET %s/health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n' "${PLENUM_BASE_PATH:-}" >&3
read -r -t 4 status <&3
[[ $status == *" 200 "* ]]
