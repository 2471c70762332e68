#!/usr/bin/env bash
# the systemd unit, the images, and the path of docs/operating.md from nothing to a server
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. .ci/lib.sh
need systemd-analyze nginx mariadbd mariadb mariadb-dump openssl curl

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step "systemd-analyze verify deploy/agenda.service"
sed 's#/usr/local/bin/agenda#/bin/true#' deploy/agenda.service >"$work/agenda.service" # which has to exist
found=$(systemd-analyze verify "$work/agenda.service" 2>&1)
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
for bound in MemoryMax TasksMax; do
	grep -q "^$bound=[0-9]" deploy/agenda.service || { echo "the unit has no $bound" >&2; exit 1; }
done

step "images by version, and nothing but the program in them"
for kept_out in .git '**/.env' '**/*.db' '**/agenda-data'; do
	grep -qxF "$kept_out" .dockerignore || { echo ".dockerignore lacks $kept_out" >&2; exit 1; }
done
# All but distroless, which has no versions.
if grep -hE '^ *(FROM|image:) ' deploy/Dockerfile deploy/compose.yaml | grep -vE '[:@][^ ]*([0-9]+\.){2}[0-9]+|@sha256:|distroless'; then
	echo "an image without an exact version" >&2
	exit 1
fi

step "deploy/try.sh"
deploy/try.sh
