#!/usr/bin/env bash
# webhooks, as the reference library of Standard Webhooks receives them: changes by the API and by SQL, tries, forgeries, rotation
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need python3 node npm

install receive.js
start -log-level warn -webhook-networks 127.0.0.0/8
"$work/agenda" journal install -data "$work/data"
"$work/agenda" journal scan -data "$work/data"

step receive webhooks
cd "$work"
node receive.js "$work/agenda" "$work/data" "$root" "$login" "$password"
