#!/usr/bin/env bash
# Varnish before the example, with docs/varnish.vcl and docs/purge.sh
#
# What is written by the API or by SQL is seen in items, lists, feeds, months and pages once the purge came, which comes
# twice; until then the cache answers.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need curl python3 varnishd

free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
port=$(free)
cache=http://127.0.0.1:$port
start -log-level warn -request-timeout 10s -cache-tags Surrogate-Key -on-change "$PWD/docs/purge.sh $cache/"
origin=${root%%/wp-json*}
site=${origin#http://}
sed "s/\"8080\"/\"${site##*:}\"/" docs/varnish.vcl >"$work/varnish.vcl"

step start Varnish
mkdir "$work/varnish"
varnishd -F -j none -n "$work/varnish" -a "127.0.0.1:$port" -f "$work/varnish.vcl" -s malloc,64m >"$work/varnish.log" 2>&1 &
varnish=$!
trap 'kill "$varnish" 2>/dev/null || true; wait "$varnish" 2>/dev/null || true; finish' EXIT
for _ in $(seq 300); do
	! curl -fs -o "$work/first" "$cache/wp-json/" || break
	kill -0 "$varnish" 2>/dev/null || { cat "$work/varnish.log" >&2; exit 1; }
	sleep 0.1
done

step write, and read by Varnish
AGENDA="$work/agenda" DATA="$work/data" CACHE=$cache ORIGIN=$origin LOGIN=$login PASSWORD=$password python3 "$here/read.py"
