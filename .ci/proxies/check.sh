#!/usr/bin/env bash
# what docs/varnish.vcl lets through of the scheme that clients claim
#
# A server shows what reaches it: what the end of TLS says does, what anybody else says does not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. .ci/lib.sh
need curl python3 varnishd

work=$(mktemp -d)
pids=()
finish() {
	[ "${#pids[@]}" -eq 0 ] || kill "${pids[@]}" 2>/dev/null || true
	wait 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

cat >"$work/show.py" <<'END'
import http.server, sys

class Show(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(" ".join(self.headers.get(name, "-") for name in ("X-Forwarded-Proto", "Forwarded")).encode())

    def log_message(self, *_):
        pass

http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Show).serve_forever()
END
backend=$(free)
python3 "$work/show.py" "$backend" &
pids+=($!)

# through NAME ADDRESS WANT: where TLS ends at ADDRESS, requests of this machine reach the server with WANT.
through() {
	local port
	port=$(free)
	awk -v address="$2" '/^acl tls_end/ { inside = 1; print; print "    \"" address "\";"; next }
		/^}/ { inside = 0 } !inside' docs/varnish.vcl |
		sed "s/\"8080\"/\"$backend\"/" >"$work/$1.vcl"
	varnishd -F -j none -n "$work/$1" -a "127.0.0.1:$port" -f "$work/$1.vcl" -s malloc,16m >"$work/$1.log" 2>&1 &
	pids+=($!)
	local got=
	for _ in $(seq 300); do
		got=$(curl -fs -H 'X-Forwarded-Proto: https' -H 'Forwarded: proto=https' "http://127.0.0.1:$port/") && break
		kill -0 "${pids[-1]}" 2>/dev/null || { cat "$work/$1.log" >&2; exit 1; }
		sleep 0.1
	done
	[ "$got" = "$3" ] || { echo "$1: the server gets \"$got\", not \"$3\"" >&2; exit 1; }
	echo "$1: $got"
}
through end 127.0.0.1 'https proto=https'
through stranger 192.0.2.1 '- -'
