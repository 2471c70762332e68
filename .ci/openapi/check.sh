#!/usr/bin/env bash
# Holds the OpenAPI document of the example against its specification, makes a
# TypeScript client of it, compiles the client and runs it against the example.
# Needs Go, node 18 or later with npm, and the network for npm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"

install tsconfig.json client.ts
start

step lint
for language in $(ls locales | sed -n 's/^active\.\(.*\)\.toml$/\1/p'); do
	node -e 'fetch(process.argv[1]).then((r) => r.text()).then((text) => process.stdout.write(text))' "$root/doc?i18n_language=$language" >"$work/doc-$language.json"
	"$work/node_modules/.bin/spectral" lint "$work/doc-$language.json" --ruleset .spectral.yaml --fail-severity hint
done

step generate, compile and run a client
cd "$work"
node_modules/.bin/openapi-typescript doc-en.json --output schema.d.ts
node_modules/.bin/tsc --project .
node built/client.js "$root" "$login" "$password"
