#!/usr/bin/env bash
# Reads the feed of the recorded site by readers that others wrote, as they come from
# npm, and holds it against the same events as JSON. Needs Go, MariaDB, node 18 or later
# with npm, and the network for npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

install read.js

step read feeds by node-ical and ical.js
AGENDA_FEED_READERS=$work go test -count=1 -v ./.ci/feeds
