#!/usr/bin/env bash
# Checks what deploy holds: the unit, and the path from nothing to a server.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '\n== systemd-analyze verify deploy/agenda.service\n'
sed 's#/usr/local/bin/agenda#/bin/true#' deploy/agenda.service >"$work/agenda.service" # which has to exist
found=$(systemd-analyze verify "$work/agenda.service" 2>&1)
[ -z "$found" ] || { echo "$found" >&2; exit 1; }

printf '\n== deploy/try.sh\n'
deploy/try.sh
