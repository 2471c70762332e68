#!/usr/bin/env bash
# Reads the feed of the recorded site by readers that others wrote, as they come from
# npm and Debian, and holds it against the same events as JSON. Needs Go, MariaDB, node 20 or
# later with npm, Debian's python3-recurring-ical-events and khal, which it installs, and the
# network for both.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

install read.js dates.js dates.py
if ! command -v khal >/dev/null || ! /usr/bin/python3 -c 'import recurring_ical_events' 2>/dev/null; then
	step install readers of Debian
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends khal python3-recurring-ical-events
fi

step read feeds by node-ical, ical.js, python-icalendar and khal
AGENDA_FEED_READERS=$work go test -count=1 -v ./.ci/feeds
