#!/usr/bin/env bash
# the pages in Chromium, with axe and Lighthouse; pages quick: one walk, and axe
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need chromium node npm

only=()
if [ "${1:-}" = quick ]; then
	only=(-run '^TestAxe$/^en$/^(month|event)$|^TestWalk$/^en_(320_dark|1440_light)$|^TestDocs$/^en$')
	export npm_config_omit=dev # Lighthouse, all packages but one
fi

install
start -log-level warn
go build -ldflags="-s -w" -o "$work/town" ./example/town

CHROME_PATH=$(command -v chromium || command -v google-chrome) || { echo "there is no Chromium" >&2; exit 1; }
step "show the pages to $("$CHROME_PATH" --version 2>/dev/null)"
cd "$here"
CHROME_PATH=$CHROME_PATH AGENDA_PAGES=$pages AGENDA_PAGES_PROGRAM=$work/agenda AGENDA_PAGES_TOWN=$work/town AGENDA_PAGES_TOOLS=$work GOWORK=off go test -vet=off -count=1 -timeout 40m "${only[@]}"
