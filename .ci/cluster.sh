#!/usr/bin/env bash
# clusters of servers and their outages; cluster mysql: groups of MySQL, with ten minutes of load for each
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh

only=() limit=40m
if [ "${1:-}" = mysql ]; then
	shift
	only=(-run '^TestGroup') limit=4h
	export AGENDA_TEST_LOAD=${AGENDA_TEST_LOAD:-10m}
else
	need wsrep_sst_rsync /usr/lib/galera/libgalera_smm.so rsync lsof
fi
need /usr/share/keyrings/debian-archive-keyring.gpg
AGENDA_TEST_MYSQL=$(dirname "$(.ci/servers/get.sh "" sid mysql-router mysql-server-core | grep '/mysqld$')")
export AGENDA_TEST_MYSQL
exec go test -count=1 -tags cluster -timeout "$limit" -v "${only[@]}" "$@" ./internal/test/cluster
