#!/usr/bin/env bash
# all tests on MySQL 9.7, or what follows; mysql quick: recorded sites, store, schema, clock
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
[ -n "${AGENDA_TEST_SERVER:-}" ] || need /usr/share/keyrings/debian-archive-keyring.gpg

if [ "${1:-}" != quick ]; then
	exec .ci/servers/run.sh mysql "$@"
fi
.ci/servers/run.sh mysql -vet=off -run '^TestRecorded' ./calendar
.ci/servers/run.sh mysql -vet=off -skip '^TestLong' ./internal/store/... ./schema ./internal/change
