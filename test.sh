#!/usr/bin/env bash
# Checks everything: formatting, linters, a release in a copy, all tests of all
# modules, the recipes for contributors, those of what runs at the same time under
# the race detector, each benchmark once, the OpenAPI document and the API with
# programs of others (from npm), and the pages in a browser. On a fresh Debian
# machine it needs Go and, to install the rest, root or sudo. Arguments go to go
# test, and nothing comes after:
# ./test.sh -run TestArch
# ./test.sh cluster runs what is not among all this: clusters of servers and their
# outages. What follows it goes to go test: ./test.sh cluster -run TestFailOver
# ./test.sh cluster mysql runs those of groups of MySQL alone, with ten minutes of load
# for each outage instead of half a minute, or $AGENDA_TEST_LOAD.
# ./test.sh mysql and ./test.sh mariadb11 run all tests on MySQL 9.7 and MariaDB 11.8, or
# what follows: ./test.sh mysql -run TestDiagnose ./schema. All checks run a part on MySQL.
# ./test.sh soak loads two sites for half an hour, or for $AGENDA_SOAK, with a fault
# each minute; as root, since it mounts small disks.
# ./test.sh usage runs the tests, as a rule of the module at the root, and prints the processor time of each package.
# ./test.sh faults makes the mistakes of .ci/faults, or those named, and tests find them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

golangci=github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

# Each step notes how long the one before it took.
times='' running=''
step() {
	end_step
	running=$* began=$SECONDS
	printf '\n== %s\n' "$*"
}
end_step() {
	[ -z "$running" ] || times+=$(printf '%5d s  %s' $((SECONDS - began)) "$running")$'\n'
	running=''
}
fail() { printf 'test.sh: %s\n' "$*" >&2; exit 1; }

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif ! command -v sudo >/dev/null; then
		fail "not root and no sudo; as root, run: $*"
	elif [ -n "${CI:-}" ] || [ ! -t 0 ]; then
		sudo -n "$@" # nobody is there to type a password
	else
		sudo "$@"
	fi
}

# Looks for the programs and not for the packages: others may have installed them.
missing_packages() {
	if [ -z "${AGENDA_TEST_DSN:-}" ] && ! PATH="$PATH:/usr/sbin" command -v mariadbd >/dev/null; then
		echo mariadb-server-core
	fi
	command -v chromium >/dev/null || command -v google-chrome >/dev/null || echo chromium
	(PATH="$PATH:/usr/sbin"; command -v nginx >/dev/null) || echo nginx-light
	command -v mariadb-dump >/dev/null || echo mariadb-client
	command -v openssl >/dev/null || echo openssl
	command -v curl >/dev/null || echo curl
	command -v systemd-analyze >/dev/null || echo systemd
	command -v gcc >/dev/null || echo gcc
	command -v git >/dev/null || echo git
	[ -e /usr/include/stdlib.h ] || echo libc6-dev
	command -v node >/dev/null || echo nodejs
	command -v npm >/dev/null || echo npm
	[ -n "${SSL_CERT_FILE:-}" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
}

install_missing() {
	[ "$#" -gt 0 ] || return 0
	step "install $*"
	command -v apt-get >/dev/null || fail "no apt-get here; install what these Debian packages hold: $*"
	as_root apt-get update -qq
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# Of what unpacks other servers: all but the keyring is in every Debian.
missing_server_packages() {
	[ -n "${AGENDA_TEST_SERVER:-}" ] || [ -e /usr/share/keyrings/debian-archive-keyring.gpg ] || echo debian-archive-keyring
}

# Of what starts clusters; their servers are not the one that the machine may run.
missing_cluster_packages() {
	command -v wsrep_sst_rsync >/dev/null || echo mariadb-server # by which a node gives another one its data
	[ -e /usr/lib/galera/libgalera_smm.so ] || echo galera-4
	command -v rsync >/dev/null || echo rsync
	command -v lsof >/dev/null || echo lsof
}

command -v go >/dev/null || PATH="$PATH:/usr/local/go/bin"
command -v go >/dev/null || fail "Go is not installed: https://go.dev/dl/"

if [ "${1:-}" = cluster ]; then
	shift
	only=() limit=40m
	if [ "${1:-}" = mysql ]; then
		shift
		only=(-run '^TestGroup') limit=4h
		export AGENDA_TEST_LOAD=${AGENDA_TEST_LOAD:-10m}
	fi
	mapfile -t packages < <([ -n "${only[*]}" ] || missing_cluster_packages; AGENDA_TEST_SERVER='' missing_server_packages)
	install_missing "${packages[@]}"
	step "$(go version)"
	AGENDA_TEST_MYSQL=$(dirname "$(.ci/servers/get.sh "" sid mysql-router mysql-server-core | grep '/mysqld$')")
	export AGENDA_TEST_MYSQL
	exec go test -count=1 -tags cluster -timeout "$limit" -v "${only[@]}" "$@" ./internal/test/cluster
fi

if [ "${1:-}" = mysql ] || [ "${1:-}" = mariadb11 ]; then
	mapfile -t packages < <(missing_server_packages)
	install_missing "${packages[@]}"
	step "$(go version)"
	exec .ci/servers/run.sh "$@"
fi

if [ "${1:-}" = soak ]; then
	mapfile -t packages < <(missing_cluster_packages)
	install_missing "${packages[@]}"
	step "$(go version)"
	exec go test -count=1 -tags cluster,soak -timeout 0 -v -run '^TestSoak$' ./internal/test/cluster
fi

if [ "${1:-}" = faults ]; then
	shift
	mapfile -t packages < <(missing_packages | grep '^mariadb-server-core$')
	install_missing "${packages[@]}"
	step "$(go version)"
	exec go run ./.ci/faults "$@"
fi

if [ "${1:-}" = usage ]; then
	shift
	[ "$#" -gt 0 ] || set -- ./...
	exec go run ./.ci/usage "$@"
fi

mapfile -t packages < <(missing_packages; missing_server_packages)
install_missing "${packages[@]}"

step "$(go version)"

step gofmt
unformatted=$("$(go env GOROOT)/bin/gofmt" -l .)
[ -z "$unformatted" ] || fail "not formatted; run gofmt -w on:
$unformatted"

# vet, staticcheck and more: .golangci.yml.
step golangci-lint
go run "$golangci" run --allow-parallel-runners ./... ./.ci/faults ./.ci/usage ./schema/embedded/... ./example/...
(cd .ci/pages && GOWORK=off go run "$golangci" run --allow-parallel-runners ./...)

modules=$(GOWORK=off go list -m all | wc -l)
[ "$modules" -le 75 ] || fail "a host that imports calendar gets $modules modules, at most 75: does an import belong in example/?"

[ "$#" -eq 0 ] || exec go test -timeout 30m "$@" ./... ./schema/embedded/... ./example/...

# Beside the tests, which wait often: each module alone, as its importers get it,
# and without a C compiler; and the API and the pages with programs of others.
beside=$(mktemp)
set -m # so that all of it can be ended
{
	times='' running=''
	step release of a copy
	deploy/prove.sh
	for check in .ci/*/check.sh; do
		step "$check"
		"$check"
	done
	end_step
	printf '\n%s' "$times"
} >"$beside" 2>&1 </dev/null &
checks=$!
set +m
trap 'kill -- -$checks 2>/dev/null || true; rm -f "$beside"' EXIT

# The longest come first. Each benchmark runs once: that it does, not how fast, which
# depends on the machine. With -bench the packages would run one after the other.
step go test
go test -vet=off -timeout 45m ./calendar ./example/agenda ./... ./schema/embedded/... ./example/... -args -test.bench=. -test.benchtime=1x

# The recipes of docs/contributing.md, made as patches on top of what go test has compiled.
step exercises
go test -tags exercises -count=1 ./internal/test/exercises

# All that runs beside the tests has to end first: under the race detector they are slow enough.
step the rest of the checks
failed=
wait "$checks" || failed=yes
end_step
cat "$beside"
[ -z "$failed" ] || fail "a check beside the tests failed: see above"

# The race detector makes tests several times as slow. So it checks what runs at
# the same time: at the packages that do, but for their slowest tests of one
# goroutine, and at such tests of the others, beside the former, since they wait.
step go test -race
slow='Matches|EveryFormOfHash|Flood|Save$|SaveOf|SourceOf|StoredForms|DocumentIn|MemoryOf|ScannedPages|StrategiesAgree|SearchByIndexTakesAnyText'
race() { CGO_ENABLED=1 go test -race -vet=off -timeout 45m "$@"; }
{
	race -run "TestSuite/^(races|changes|languages_of_writes_at_once|totals_that_are_kept)|\
AtOnce|Several|Close|Recovers|Deadline|RequestTimeout|ClientGone|OnTheWire|TestHandler|Abandoned|Killed|MissingTexts|HookQueue|LastingFault" \
		./calendar ./schema
	race -run 'TestServe|TestShutdown|TestUsers|AtTheSameTime|LoseNothing' ./example/{agenda,internal/users} ./schema/embedded
} &
waiting=$!
race -skip "Test($slow)" ./internal/{api,auth,content,item,media,openapi,rendercache,rest,site,store,wp/strtotime}/... || failed=yes
wait "$waiting" || failed=yes
[ -z "$failed" ] || fail "the tests failed under the race detector: see above"

end_step
printf '\n%s' "$times"
