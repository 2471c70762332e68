#!/usr/bin/env bash
# two sites under load for half an hour, or $AGENDA_SOAK, with a fault each minute; as root, since it mounts small disks
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need wsrep_sst_rsync /usr/lib/galera/libgalera_smm.so rsync lsof

exec go test -count=1 -tags cluster,soak -timeout 0 -v -run '^TestSoak$' ./internal/test/cluster
