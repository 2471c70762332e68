#!/usr/bin/env bash
# Walks the path of docs/operating.md from nothing to a calendar behind nginx with TLS:
# program, MariaDB, init, first events, metrics, limits, backup and restore, a restart of two
# programs without a gap, upgrade. It prints each command and checks what it did. Everything is in one directory, which must be
# empty or new (default: a temporary one that is removed), and on ports of its own.
# usage: deploy/try.sh [DIRECTORY]
#
# It needs Go, and the programs of mariadb-server-core, mariadb-client, nginx, openssl
# and curl.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
PATH=$PATH:/usr/sbin:/usr/local/go/bin

fail() { printf 'try.sh: %s\n' "$*" >&2; exit 1; }
step() { printf '\n# %s\n' "$*"; }
say() { printf '$ %s\n' "$*"; }
run() { say "$*"; "$@"; }

for program in go mariadbd mariadb-install-db mariadb mariadb-dump nginx openssl curl; do
	command -v "$program" >/dev/null || fail "$program is not installed"
done

dir=${1:-}
if [ -n "$dir" ]; then
	mkdir -p "$dir"
	[ -z "$(ls -A "$dir")" ] || fail "$dir is not empty"
else
	dir=$(mktemp -d)
	temporary=$dir
fi
cd "$dir"
dir=$PWD

# Those of a machine that does nothing else would be 3306, 8080, 443 and 9090.
database=$((20000 + RANDOM % 8000)) http=$((database + 1)) https=$((database + 2)) metrics=$((database + 3)) second=$((database + 5))
site=https://localhost:$https

pids=()
finish() {
	[ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	wait 2>/dev/null || true
	[ -z "${temporary:-}" ] || rm -rf "$temporary"
}
trap finish EXIT

# wait_for COMMAND: until it succeeds, for half a minute.
wait_for() {
	for _ in $(seq 150); do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.2
	done
	fail "in vain: $*"
}

# has FILE TEXT: or it fails and shows the file.
has() { grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "no $2 in the answer above"; }; }

step "The program (of a release: go install github.com/agendahq/agenda/example/agenda@latest)"
say "go build -o agenda ./example/agenda"
(cd "$source" && CGO_ENABLED=0 go build -o "$dir/agenda" ./example/agenda)
run ./agenda --version

step "A database server"
mkdir data run
say "mariadb-install-db --datadir=data"
mariadb-install-db --no-defaults --user="$(id -un)" --datadir="$dir/data" --auth-root-authentication-method=normal \
	--skip-test-db >/dev/null
mariadbd --no-defaults --user="$(id -un)" --datadir="$dir/data" --socket="$dir/run/db.sock" --pid-file="$dir/run/db.pid" \
	--bind-address=127.0.0.1 --port="$database" --character-set-server=utf8mb4 \
	--collation-server=utf8mb4_unicode_520_ci >database.log 2>&1 &
pids+=($!)
admin=(mariadb --no-defaults --socket="$dir/run/db.sock" --user=root)
wait_for "${admin[@]}" -e 'SELECT 1'
secret=$(openssl rand -hex 16)
say "mariadb -e 'CREATE DATABASE calendar; CREATE USER agenda …; GRANT … ON calendar.* TO agenda'"
"${admin[@]}" -e "CREATE DATABASE calendar; CREATE USER agenda@'%' IDENTIFIED BY '$secret';
	GRANT CREATE, SELECT, INSERT, UPDATE, DELETE ON calendar.* TO agenda@'%'"

step "A site with its first administrator"
export AGENDA_DSN="agenda:$secret@tcp(127.0.0.1:$database)/calendar"
umask 077
openssl rand -hex 16 >password
run ./agenda init --login anna --email anna@example.org --title 'Town calendar' --site-url "$site" \
	--time-zone Europe/Brussels --locale nl_BE --password-file password
login="anna:$(cat password)"
echo "# again: a site is never made over another one"
code=0
./agenda init --email anna@example.org >again 2>&1 || code=$?
[ "$code" -eq 2 ] || fail "init on a site ends with code $code"

step "The server, and nginx with TLS before it"
cat >agenda.env <<-EOF
	AGENDA_DSN='$AGENDA_DSN'
	AGENDA_ADDR=127.0.0.1:$http
	AGENDA_BASE_URL=$site/wp-json
	AGENDA_TRUSTED_PROXIES=127.0.0.1
	AGENDA_METRICS=127.0.0.1:$metrics
	AGENDA_LANGUAGES=nl,en,fr
	AGENDA_LOG_FORMAT=json
EOF
: >agenda.own.env
cat >agenda2.own.env <<-EOF
	AGENDA_ADDR=127.0.0.1:$second
	AGENDA_METRICS=127.0.0.1:$((second + 1))
EOF
declare -A serving
# serve NAME PORT: as the unit of that name does.
serve() {
	say "agenda serve # with the variables of agenda.env, and those of $1.own.env"
	(set -a && . ./agenda.env && . "./$1.own.env" && exec ./agenda serve --wait 30s) >>agenda.log 2>&1 &
	serving[$1]=$!
	pids+=("$!")
	wait_for curl -fsS "http://127.0.0.1:$2/readyz"
}
# stop NAME: with SIGTERM, and waits.
stop() {
	code=0
	run kill -TERM "${serving[$1]}"
	wait "${serving[$1]}" || code=$?
	[ "$code" -eq 0 ] || fail "SIGTERM ends the server with code $code"
}
serve agenda "$http"
say "openssl req -x509 … # a certificate of your own; in earnest: certbot"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
	-keyout key.pem -out cert.pem 2>/dev/null
{
	echo "daemon off; pid $dir/run/nginx.pid; error_log $dir/nginx.log; events {} http { access_log off;"
	for kind in client_body proxy fastcgi uwsgi scgi; do
		echo "${kind}_temp_path $dir/run/$kind;"
	done
	# The line of HSTS is tried, too, and writes have their limit in a minute, which a slow machine reaches.
	# An old nginx has another form of http2, as the file says.
	old=
	[ "$(printf '%s\n' 1.25.1 "$(nginx -v 2>&1 | sed 's#.*/\([0-9.]*\).*#\1#')" | sort -V | head -n 1)" = 1.25.1 ] ||
		old='/^\thttp2 on;/d; s# ssl;# ssl http2;#'
	sed -e "s#127.0.0.1:8080#127.0.0.1:$http#; s#127.0.0.1:8081#127.0.0.1:$second#" \
		-e 's#rate=10r/s#rate=10r/m#; s/# add_header Strict/add_header Strict/' -e "$old" \
		-e "s#listen 443#listen 127.0.0.1:$https#; s#listen 80;#listen 127.0.0.1:$((https + 2));#" \
		-e '/listen \[::\]/d' -e "s#/etc/letsencrypt/live/[^/]*/fullchain.pem#$dir/cert.pem#" \
		-e "s#/etc/letsencrypt/live/[^/]*/privkey.pem#$dir/key.pem#; s#calendar.example.org#localhost#" "$source/deploy/nginx.conf"
	echo "}"
} >nginx.conf
say "nginx -v # $(nginx -v 2>&1)"
run nginx -q -t -c "$dir/nginx.conf" -e "$dir/nginx.log"
nginx -c "$dir/nginx.conf" -e "$dir/nginx.log" &
pids+=($!)
ask() { curl -fsS --cacert cert.pem "$@"; }
wait_for ask "$site/readyz"
api=$site/wp-json/vendor/events/v1
version=$(ask -o answer -D headers -w '%{http_version}' "$site/")
[ "$version" = 2 ] || fail "HTTP/$version, not HTTP/2"
has headers 'strict-transport-security: max-age=31536000'

step "First events"
day=$(date -d '+9 days' +%F)
post() { # PATH JSON
	say "curl -u anna:… $api$1 -d '$2'"
	ask -u "$login" -H 'Content-Type: application/json' -d "$2" "$api$1" >answer
}
post /categories '{"name":"Muziek"}'
has answer '"slug":"muziek"'
post /events '{"title":"Zomerconcert","start_date":"'"$day"' 20:00","end_date":"'"$day"' 22:30","cost":"10","categories":["muziek"],
  "venue":{"venue":"Stadhuis","city":"Gent"},"organizer":{"organizer":"Vrienden van de zaal"}}'
has answer '"url":"https:\/\/localhost:'"$https"'\/event\/zomerconcert\/"'
post /events '{"title":"Rommelmarkt","start_date":"'"$day"'","end_date":"'"$day"'","all_day":true}'
run ask -o answer "$api/events?search=concert"
has answer '"title":"Zomerconcert"'
has answer '"total":1'
ask -o answer "$api/events"
has answer '"total":2'
ask "$site/?view=list" >answer # its month may be the next one
has answer Zomerconcert
ask "$site/events/?ical=1" >answer
has answer 'SUMMARY:Rommelmarkt'
code=$(curl -s --cacert cert.pem -o answer -w '%{http_code}' -u anna:wrong "$api/events?status=draft")
[ "$code" -eq 401 ] || fail "a wrong password is answered $code"
has agenda.log '"level":"WARN","msg":"wrong password'
echo "# what a client says about itself does not reach the program"
run ask -u "$login" -H 'Forwarded: for=192.0.2.9;proto=http' -H 'X-Forwarded-For: 192.0.2.9' -H 'X-Forwarded-Proto: http' -o answer \
	"$api/events?status=draft"

step "Limits of one address"
say "curl -d '{}' $api/events # 80 times"
curl -s --cacert cert.pem -o answer -D headers -w '%{http_code}\n' -d '{}' "$api/events?n=[1-80]" >statuses
sort statuses | uniq -c
[ "$(sort -u statuses | xargs)" = "401 429" ] || fail "writes without a login are answered $(sort -u statuses | xargs)"
has answer '"code":"rest_too_many_requests"'
has headers 'retry-after: 1'
run ask -o answer "$api/events"
has answer '"total":2'

step Metrics
say "curl http://127.0.0.1:$metrics/metrics"
curl -fsS "http://127.0.0.1:$metrics/metrics" >answer
grep -E '^agenda_http_request_duration_seconds_count.*route="/events"' answer || fail "no requests in the metrics"

step "Backup and restore"
say "mariadb-dump --single-transaction calendar >calendar.sql"
mariadb-dump --no-defaults --socket="$dir/run/db.sock" --user=root --single-transaction calendar >calendar.sql
"${admin[@]}" -e "CREATE DATABASE restored; GRANT CREATE, SELECT, INSERT, UPDATE, DELETE ON restored.* TO agenda@'%'"
"${admin[@]}" restored <calendar.sql
say "agenda copy --from 'agenda:…@tcp(127.0.0.1:$database)/restored' --to backup.db"
./agenda copy --from "agenda:$secret@tcp(127.0.0.1:$database)/restored" --to backup.db >copy.log 2>&1 || { cat copy.log >&2; exit 1; }
step "A copy of the backup is served by itself"
mkdir copy
mv backup.db copy/agenda.db
say "agenda user list --data copy"
AGENDA_DSN='' ./agenda user list --data copy >answer || { cat answer >&2; exit 1; }
has answer anna

step "Restarts without a gap, of two programs in turn"
serve agenda2 "$second"
say "curl $api/events # again and again"
: >statuses
readers=()
for _ in 1 2 3; do
	while [ ! -e restarted ]; do
		curl -s --cacert cert.pem -o /dev/null -w '%{http_code}\n' "$api/events?n=[1-20]" || true
	done >>statuses &
	readers+=("$!")
	pids+=("$!")
done
for _ in 1 2; do
	stop agenda
	serve agenda "$http"
	stop agenda2
	serve agenda2 "$second"
done
touch restarted
wait "${readers[@]}"
echo "$(grep -cx 200 statuses) requests of $(wc -l <statuses) were answered with 200"
[ "$(sort -u statuses)" = 200 ] || fail "requests failed while programs were restarted: $(sort statuses | uniq -c | xargs)"
stop agenda2

step "Upgrade: the new program, then SIGTERM; what is under way ends"
stop agenda
serve agenda "$http"
ask "$api/events" >answer
has answer '"total":2'
printf '\ntry.sh: all of it works\n'
