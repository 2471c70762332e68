#!/usr/bin/env bash
# all tests on MariaDB 11.8, or what follows: ./test.sh mariadb11 -run TestDiagnose ./schema
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
[ -n "${AGENDA_TEST_SERVER:-}" ] || need /usr/share/keyrings/debian-archive-keyring.gpg

exec .ci/servers/run.sh mariadb11 "$@"
