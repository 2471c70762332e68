#!/usr/bin/env bash
# Vitess: recorded sites and changes of the primary under load, on demand; builds it the first time
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. .ci/lib.sh
need etcd /usr/share/keyrings/debian-archive-keyring.gpg

version=v0.24.4
programs=${XDG_CACHE_HOME:-$HOME/.cache}/agenda-vitess/$version

# build makes the programs from a copy of Vitess's module, without what they are not asked for here: other stores of the topology
# and of backups, tracing, figures and logins, which are half of the packages. Its own go.sum holds. The programs also run as root,
# as tests do in containers.
build() {
	local source
	export GOWORK=off GOFLAGS="${GOFLAGS:-} -mod=mod"
	module=$(cd / && go mod download -json "vitess.io/vitess@$version" | sed -n 's/^.*"Dir": "\(.*\)".*$/\1/p')
	source=$(mktemp -d)
	trap 'rm -rf "$source"' RETURN
	cp -r "$module"/{go,config,go.mod,go.sum} "$source"
	chmod -R u+w "$source"
	cd "$source"
	rm -f go/trace/plugin_{datadog,jaeger}.go
	rm -f go/cmd/{vtgate,vttablet}/cli/plugin_{azblob,ceph,consul,gcs,s3,zk2,opentracing,opentsdb,prometheus,statsd,auth_ldap,auth_vault,sysloglogger}*
	sed -i '/topo\/\(consul\|zk2\)topo"/d' go/cmd/vtctldclient/command/root.go
	sed -i 's/if uid := os.Getuid(); uid == 0 {/if false {/' go/vt/servenv/servenv_unix.go
	mkdir -p "$programs"
	go build -ldflags='-s -w' -o "$programs/" ./go/cmd/{vtctldclient,vttablet,vtgate}
	cp config/init_db.sql "$programs/"
	touch "$programs/complete"
}

if [ ! -e "$programs/complete" ]; then
	step "build Vitess $version, which takes some ten minutes of two cores"
	(build)
fi
AGENDA_TEST_MYSQL=$(dirname "$(.ci/servers/get.sh "" sid mysql-router mysql-server-core | grep '/mysqld$')")
export AGENDA_TEST_MYSQL AGENDA_TEST_VITESS=$programs
exec go test -count=1 -tags cluster -timeout 40m -v -run '^TestVitess' "$@" ./internal/test/cluster
