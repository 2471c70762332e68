#!/usr/bin/env bash
# the OpenAPI document, and clients made of it in TypeScript, JavaScript and Go; openapi quick: the client in TypeScript
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need node npm

# The linter and the client in JavaScript, nine packages of ten, are the devDependencies.
[ "${1:-}" != quick ] || export npm_config_omit=dev
install tsconfig.json client.ts swagger.js
start

languages=en
[ "${1:-}" = quick ] || languages=$(ls locales | sed -n 's/^active\.\(.*\)\.toml$/\1/p')
for language in $languages; do
	node -e 'fetch(process.argv[1]).then((r) => r.text()).then((text) => process.stdout.write(text))' "$root/doc?i18n_language=$language" >"$work/doc-$language.json"
	if [ "${1:-}" != quick ]; then
		step "lint the document in $language"
		"$work/node_modules/.bin/spectral" lint "$work/doc-$language.json" --ruleset .spectral.yaml --fail-severity hint
	fi
done

step generate, compile and run clients
cd "$work"
node_modules/.bin/openapi-typescript doc-en.json --output schema.d.ts
node_modules/.bin/tsc --project .
node built/client.js "$root" "$login" "$password"
[ "${1:-}" != quick ] || exit 0

node swagger.js "$root" "$root/doc"
cp -r "$here/client" go
cd go
go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package main -o api.gen.go ../doc-en.json
GOWORK=off go run . "$root" "$login" "$password"
