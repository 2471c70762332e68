#!/usr/bin/env bash
# the OpenAPI document, and clients that seven generators make of it; openapi quick: the client in TypeScript
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../example.sh"
need node npm

# The linter and the other clients in JavaScript, nine packages of ten, are the devDependencies.
[ "${1:-}" != quick ] || export npm_config_omit=dev
install tsconfig.json tsconfig.generated.json client.ts generated.ts count.mjs orval.config.mjs swagger.js
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

step openapi-typescript
cd "$work"
node_modules/.bin/openapi-typescript doc-en.json --output schema.d.ts
node count.mjs doc-en.json 'operations["{id}"]' schema.d.ts
node_modules/.bin/tsc --project .
node built/client.js "$root" "$login" "$password"
[ "${1:-}" != quick ] || exit 0

step hey-api, orval and zod
node_modules/.bin/openapi-ts -i doc-en.json -o heyapi -c @hey-api/client-fetch --silent
node_modules/.bin/orval --config orval.config.mjs
node count.mjs doc-en.json 'export const {id} = ' heyapi/sdk.gen.ts
node count.mjs doc-en.json 'export const {id} = ' orval/client.ts
node count.mjs doc-en.json 'export const {Id}Response = ' orval/zod.ts
node_modules/.bin/tsc --project tsconfig.generated.json
node built/generated.js "$root" "$login" "$password"

step swagger-client
node swagger.js "$root" "$root/doc"

step oapi-codegen
cp -r "$here/client" go
(
	cd go
	go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -generate types,client -package main -o api.gen.go ../doc-en.json
	node ../count.mjs ../doc-en.json ') {Id}WithResponse(' api.gen.go
	GOWORK=off go run . "$root" "$login" "$password"
)

step ogen
cp -r "$here/ogen" ogen
(
	cd ogen
	export GOWORK=off
	go tool ogen --clean --config ogen.yml --target api --package api ../doc-en.json 2>ogen.log || { cat ogen.log >&2; exit 1; }
	if grep 'Skipping \(operation\|parameter\|response\)' ogen.log >&2; then fail "ogen leaves out what the document has"; fi
	node ../count.mjs ../doc-en.json ' {Id}(ctx context.Context' api/oas_client_gen.go
	go run . "$root" "$login" "$password"
)
