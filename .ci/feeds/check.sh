#!/usr/bin/env bash
# feeds, as node-ical, ical.js, python-icalendar and khal read them, and two readers of news; feeds quick: those of npm
#
# What they read of the recorded site is held against the same events as JSON.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need mariadbd node npm

debian=yes
[ "${1:-}" != quick ] || debian=
[ -z "$debian" ] || need khal /usr/lib/python3/dist-packages/recurring_ical_events.py

install text.js read.js news.js dates.js dates.py
step "read feeds"
AGENDA_FEED_READERS=$work AGENDA_FEED_DEBIAN=$debian go test -vet=off -count=1 -v ./.ci/feeds
