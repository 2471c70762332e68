#!/usr/bin/env bash
# Holds the OpenAPI document of the example against its specification, makes a
# TypeScript client of it, compiles the client and runs it against the example.
# Needs Go, node 18 or later with npm, and the network for npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."

step() { printf '\n== %s\n' "$*"; }

work=$(mktemp -d)
server=
finish() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap finish EXIT

step "npm ci, node $(node --version)"
cp "$here"/{package.json,package-lock.json,tsconfig.json,client.ts} "$work"
# No script of a package is run; what is installed is what the lock file says.
(cd "$work" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)

step start the example
go build -o "$work/agenda" ./example/agenda
"$work/agenda" -addr 127.0.0.1:0 -data "$work/data" >"$work/out" 2>"$work/log" &
server=$!
root=
for _ in $(seq 300); do
	root=$(sed -n 's/^ *en .*API \(.*\)\/events$/\1/p' "$work/out")
	[ -z "$root" ] || break
	kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
	sleep 0.1
done
[ -n "$root" ] || { echo "the example does not start" >&2; exit 1; }
password=$("$work/agenda" user add -data "$work/data" -login generated -email generated@example.org -role administrator | tail -n 1)

step lint
for language in $(ls locales | sed -n 's/^active\.\(.*\)\.toml$/\1/p'); do
	node -e 'fetch(process.argv[1]).then((r) => r.text()).then((text) => process.stdout.write(text))' "$root/doc?i18n_language=$language" >"$work/doc-$language.json"
	"$work/node_modules/.bin/spectral" lint "$work/doc-$language.json" --ruleset .spectral.yaml --fail-severity hint
done

step generate, compile and run a client
cd "$work"
node_modules/.bin/openapi-typescript doc-en.json --output schema.d.ts
node_modules/.bin/tsc --project .
node built/client.js "$root" generated "$password"
