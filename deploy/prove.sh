#!/usr/bin/env bash
# Proves that the modules can be released as they are: in a temporary copy of the
# working tree it releases a version, offers its modules as a GOPROXY does,
# builds each of them alone and installs the programs as their users do. Needs Go,
# git, and the Go module proxy for what is not in the module cache.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. deploy/modules.sh

fail() { printf 'prove.sh: %s\n' "$*" >&2; exit 1; }

version=v0.0.0-test
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy=$work/copy
mkdir "$copy" "$work/empty" "$work/bin"

git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' name; do
	[ ! -e "$name" ] || printf '%s\0' "$name" # what was deleted is listed, too
done | tar --null -T - -c | tar -x -C "$copy"
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
git -C "$copy" init -q -b main
git -C "$copy" add -A
git -C "$copy" commit -q -m "The working tree"

refused() {
	! "$copy/deploy/release.sh" -n "$1" >/dev/null 2>&1 || fail "release.sh takes $1 $2"
}
for wrong in "" 0.0.0-test v0.0 v2.0.0 v0.0.0-01 v0.0.0+x "v0.0.0 -test"; do
	refused "$wrong" "as a version"
done
refused $version "without an entry in the changelog"
printf '\n## [%s]\n' "${version#v}" >>"$copy/CHANGELOG.md"
refused $version "with changes that are not committed"
git -C "$copy" commit -q -a -m "An entry"

"$copy/deploy/release.sh" -n $version
[ -z "$(git -C "$copy" tag)" ] || fail "release.sh -n made a tag"
MODULES=$work/modules "$copy/deploy/release.sh" $version >/dev/null
changed=$(git -C "$copy" diff --stat "$version" "example/$version" -- | sed '$d' | cut -d '|' -f 1 | xargs)
[ "$changed" = "example/go.mod example/go.sum go.work schema/embedded/go.mod schema/embedded/go.sum" ] || fail "the release changes $changed"
lines=$(git -C "$copy" diff --numstat "$version" "example/$version" -- '*/go.mod' | xargs)
[ "$lines" = "2 2 example/go.mod 1 1 schema/embedded/go.mod" ] ||
	fail "go mod tidy changes more than what is required of $module: $lines"
refused $version "a second time"

# A cache of modules is laid out as a GOPROXY is. What it has of other modules is
# kept for the builds.
(
	modules_of_tags "$copy" "$work/modules"
	cd "$work/empty"
	for dir in "" "${below[@]/#//}"; do
		go mod download "$module$dir@$version"
	done
)
mkdir -p "$work/proxy/github.com"
mv "$work/modules/cache/download/github.com/agendahq" "$work/proxy/github.com/"
rm -rf "$work/modules/github.com/agendahq" "$work/modules/cache/vcs"
# Paths are trimmed, so that what is compiled is found again by the next run.
GOPROXY="file://$work/proxy,file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
export GOPROXY GOMODCACHE="$work/modules" GOWORK=off GOFLAGS="-modcacherw -trimpath" GONOSUMDB="$module" CGO_ENABLED=0 GOBIN="$work/bin"
for dir in . "${below[@]}"; do
	go build -C "$copy/$dir" -o /dev/null ./...
done
modules=$(go list -C "$copy/schema/embedded" -m all | wc -l)
[ "$modules" -le 100 ] || fail "a host that imports schema/embedded gets $modules modules, at most 100: does an import belong in example/?"
cd "$work/empty"
# A host of its own tests with what is public.
mkdir "$work/host"
cat >"$work/host/host_test.go" <<'END'
package host

import (
	"testing"

	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

func TestHost(t *testing.T) {
	site := calendartest.New(t)
	answer, err := site.As(calendartest.Editor).Get(site.URL + "/events?status=draft")
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
}
END
(
	cd "$work/host"
	go mod init example.org/host
	go mod edit -require="$module/schema/embedded@$version"
	go get -t .
) 2>/dev/null
go test -C "$work/host" ./...
go install "$module/example/agenda@$version" "$module/example/bench/agenda-bench@$version"
for program in agenda agenda-bench; do
	said=$("$GOBIN/$program" version)
	said=${said%%$'\n'*} # then comes its zone data
	[ "$said" = "$program $version, commit unknown" ] || fail "$program says $said"
	printf '%s: %s\n' "$program" "$said"
done
