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

step "services that may do no more than they need, and no proxy trusted but one address"
python3 - <<'END'
import ipaddress, re, sys
text = open("deploy/compose.yaml").read()
services = re.split(r"(?m)^  (?=\w+:$)", text[text.index("services:"):text.index("\nnetworks:")])[1:]
for service in services:
    name = service.split(":")[0]
    for line in ["read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]', "restart: unless-stopped"]:
        line in service or sys.exit(f"{name} lacks {line}")
    for key in ["mem_limit", "pids_limit", "stop_grace_period"]:
        re.search(rf"(?m)^    {key}: \d", service) or sys.exit(f"{name} lacks {key}")
    name == "agenda" or "user: mysql" in service or sys.exit(f"{name} runs as root")
gateway = ipaddress.ip_address(re.search(r"gateway: ([\d.]+)", text)[1])
assert gateway in ipaddress.ip_network(re.search(r"subnet: ([\d./]+)", text)[1])
trusted = re.findall(r"(?m)AGENDA_TRUSTED_PROXIES(?:=|:-)([\d./]+)", text + open("deploy/env.example").read())
if [ipaddress.ip_network(t) for t in trusted] != [ipaddress.ip_network(gateway)] * 2:
    sys.exit(f"trusted proxies are {trusted}, not {gateway} alone")
END

step "deploy/try.sh"
deploy/try.sh
