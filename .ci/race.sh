#!/usr/bin/env bash
# the race detector, at the tests of what runs at the same time; race quick takes a minute
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. .ci/lib.sh
need mariadbd gcc /usr/include/stdlib.h

race() { CGO_ENABLED=1 go test -race -vet=off -timeout 45m "$@"; }

if [ "${1:-}" = quick ]; then
	race ./internal/{budget,change,rendercache} 
	race -run 'AtOnce|Deadline|Several|Concurrent' ./internal/{rest,store}
	exit
fi

# The race detector makes tests several times as slow, so those of one goroutine that are slow anyway are left out.
slow='Long|Matches|EveryFormOfHash|Flood|Save$|SaveOf|SourceOf|StoredForms|DocumentIn|MemoryOf|StrategiesAgree|SearchByIndexTakesAnyText'
race -skip "Test($slow)" ./internal/{api,auth,content,item,media,openapi,rendercache,rest,site,store,wp/strtotime}/...
race -run "TestSuite/^(races|changes|languages_of_writes_at_once|totals_that_are_kept)|\
AtOnce|Several|Close|Recovers|Deadline|RequestTimeout|ClientGone|OnTheWire|Abandoned|Killed|MissingTexts|HookQueue|LastingFault" \
	./calendar ./schema
# Requests have a time limit, which those of many slow servers at the same time could exceed.
race -parallel "$(nproc)" -run 'TestServe|TestShutdown|TestUsers|AtTheSameTime|LoseNothing' ./example/{agenda,internal/users} \
	./schema/embedded
