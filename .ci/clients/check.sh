#!/usr/bin/env bash
# Uses the example by clients that were written for sites of this kind, as they come
# from npm. Needs Go, node 18 or later with npm, and the network for npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

step the client of docs/sync.md
node "$here/sync.mjs"

install clients.js
start

step find, list, write and count with wpapi and api-fetch
cd "$work"
node clients.js "$pages" "$login" "$password"
