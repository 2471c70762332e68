#!/usr/bin/env bash
# Varnish before the example, with docs/varnish.vcl and docs/purge.sh
#
# What is written by the API or by SQL is seen in items, lists, feeds, months and pages once the purge came, which comes
# twice; until then the cache answers. Failures are not kept, nobody purges at the address of visitors, also
# not through nginx on the same machine, and what is past its time is answered while the calendar is away.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need curl nginx python3 varnishd

free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free)
cache=http://127.0.0.1:$port
purges=$work/purges.sock
proxied=$(free)
start -log-level warn -request-timeout 10s -editing on -trusted-proxies 127.0.0.1 -cache-tags Surrogate-Key -on-change "$PWD/docs/purge.sh $purges"
origin=${root%%/wp-json*}
site=${origin#http://}
api=/wp-json/vendor/events/v1
sed "s/\"8080\"/\"${site##*:}\"/" docs/varnish.vcl >"$work/varnish.vcl"
sed 's/beresp.ttl = 1h/beresp.ttl = 2s/' "$work/varnish.vcl" >"$work/short.vcl"

step start Varnish, and nginx before it
mkdir "$work/varnish"
start_varnish() {
	varnishd -F -j none -n "$work/varnish" -a "http=127.0.0.1:$port" -a "purges=$purges,mode=0600" -f "$1" -s malloc,64m \
		>"$work/varnish.log" 2>&1 &
	varnish=$!
}
await() {
	for _ in $(seq 300); do
		! curl -fs -o /dev/null "$1" || return 0
		kill -0 "$varnish" 2>/dev/null || { cat "$work/varnish.log" >&2; exit 1; }
		kill -0 "$nginx" 2>/dev/null || { cat "$work/nginx.log" >&2; exit 1; }
		sleep 0.1
	done
	echo "no answer from $1" >&2
	exit 1
}
start_varnish "$work/varnish.vcl"
cat >"$work/nginx.conf" <<END
pid $work/nginx.pid;
error_log $work/nginx.log;
daemon off;
events {}
http {
	access_log off;
	client_body_temp_path $work/nginx-body;
	proxy_temp_path $work/nginx-proxy;
	fastcgi_temp_path $work/nginx-1;
	uwsgi_temp_path $work/nginx-2;
	scgi_temp_path $work/nginx-3;
	server {
		listen 127.0.0.1:$proxied;
		location / {
			proxy_pass $cache;
			proxy_set_header Host \$host;
			proxy_set_header X-Forwarded-For \$remote_addr;
		}
	}
}
END
nginx -c "$work/nginx.conf" &
nginx=$!
trap 'kill "$varnish" "$nginx" 2>/dev/null || true; wait "$varnish" "$nginx" 2>/dev/null || true; finish' EXIT
await "http://127.0.0.1:$proxied/wp-json/"

# status prints the status of an answer. await_hit asks until the cache has an answer, which "X-Varnish" with two numbers says.
status() { curl -s -o /dev/null -w '%{http_code}' "$@"; }
is() { [ "$2" = "$3" ] || { echo "$1: $2, not $3" >&2; exit 1; }; }
hit() { curl -s -o /dev/null -D - "$@" | grep -qi '^x-varnish: [0-9]* [0-9]'; }
await_hit() {
	for _ in $(seq 100); do
		! hit "$@" || return 0
		sleep 0.1
	done
	echo "never kept: $*" >&2
	exit 1
}

step only the socket purges
await_hit "$cache$api/venues"
for at in "$cache" "http://127.0.0.1:$proxied"; do
	for method in BAN PURGE; do
		is "$method at $at" "$(status -X "$method" -H 'X-Keys: venues|settings' "$at$api/venues")" 405
	done
	[ "$(status -X POST -H 'X-HTTP-Method-Override: BAN' -H 'X-Keys: settings' "$at$api/venues")" != 200 ]
done
hit "$cache$api/venues" || { echo "a visitor purged" >&2; exit 1; }
is "a read at the socket" "$(status --unix-socket "$purges" "http://purges$api/venues")" 405
is "no key at the socket" "$(status --unix-socket "$purges" -X BAN -H 'X-Keys: .*' http://purges/)" 400
is "a purge at the socket" "$(status --unix-socket "$purges" -X BAN -H 'X-Keys: venues' http://purges/)" 200
! hit "$cache$api/venues" || { echo "the socket does not purge" >&2; exit 1; }

step clients share what they ask for
await_hit -H 'Accept: text/html' "$cache$api/venues"
for accept in '*/*' application/json 'text/html, */*;q=0.8' image/webp; do
	hit -H "Accept: $accept" "$cache$api/venues" || { echo "$accept has an object of its own" >&2; exit 1; }
done

step write, and read by Varnish
AGENDA="$work/agenda" DATA="$work/data" CACHE=$cache ORIGIN=$origin LOGIN=$login PASSWORD=$password python3 "$here/read.py"

step edit by Varnish
CACHE=$cache LOGIN=$login PASSWORD=$password python3 "$here/edit.py"

step the calendar is away
kill "$varnish" && wait "$varnish" || true
start_varnish "$work/short.vcl"
await "$cache$api/organizers"
curl -s "$cache$api/organizers" >"$work/before"
kill -STOP "$server"
sleep 3 # past the time of what is kept, and until it is known
for _ in $(seq 100); do
	[ "$(status --max-time 5 "$cache$api/organizers")" != 200 ] || break
	sleep 0.1
done
curl -s --max-time 5 "$cache$api/organizers" >"$work/away"
cmp "$work/before" "$work/away"
is "what is not kept" "$(status --max-time 30 "$cache$api/organizers?per_page=1")" 503
kill -CONT "$server"
for _ in $(seq 300); do
	[ "$(status "$cache$api/organizers?per_page=1")" != 200 ] || break
	sleep 0.1
done
is "the failure after it" "$(status "$cache$api/organizers?per_page=1")" 200
