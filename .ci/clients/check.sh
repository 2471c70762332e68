#!/usr/bin/env bash
# clients from npm that were written for sites of this kind
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need node npm

step the client of docs/sync.md
node "$here/sync.mjs"

install clients.js
start

step find, list, write and count with wpapi and api-fetch
cd "$work"
node clients.js "$pages" "$login" "$password"
