#!/usr/bin/env bash
# Shows the pages of the example to a browser, as people see them, to axe and to
# Lighthouse. Needs Go, Chromium, node 18 or later with npm, and the network for npm and
# Go's modules.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

install
start -log-level warn

CHROME_PATH=$(command -v chromium || command -v google-chrome) || { echo "there is no Chromium" >&2; exit 1; }
step "show the pages to $("$CHROME_PATH" --version 2>/dev/null)"
cd "$here"
CHROME_PATH=$CHROME_PATH AGENDA_PAGES=$pages AGENDA_PAGES_PROGRAM=$work/agenda AGENDA_PAGES_TOOLS=$work GOWORK=off go test -count=1 -timeout 40m
