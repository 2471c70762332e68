#!/usr/bin/env bash
# Receives webhooks of the example with the reference library of Standard Webhooks, as it comes from npm: changes by the API and
# by SQL, tries, forgeries, rotation. Needs Go, python3, node 20 or later with npm, and the network for npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

install receive.js
start -log-level warn -webhook-networks 127.0.0.0/8
"$work/agenda" journal install -data "$work/data"
"$work/agenda" journal scan -data "$work/data"

step receive webhooks
cd "$work"
node receive.js "$work/agenda" "$work/data" "$root" "$login" "$password"
