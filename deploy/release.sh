#!/usr/bin/env bash
# Tags a release: the root module, and then the example, whose go.mod requires that
# very version. usage: deploy/release.sh [-n] VERSION, such as v0.3.0; with -n it
# checks and says what it would do. It pushes nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. deploy/modules.sh

fail() { printf 'release.sh: %s\n' "$*" >&2; exit 1; }

dry=
if [ "${1:-}" = -n ]; then
	dry=1
	shift
fi
[ "$#" -eq 1 ] || fail "usage: deploy/release.sh [-n] VERSION"
version=$1

# Semantic versions as modules have them: v2 and later would need another module path.
number='(0|[1-9][0-9]*)'
part="($number|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
[[ "$version" =~ ^v[01]\.$number\.$number(-$part(\.$part)*)?$ ]] || fail "$version: use a version such as v0.3.0 or v0.3.0-rc.1"
for tag in "$version" "example/$version"; do
	! git rev-parse -q --verify "refs/tags/$tag" >/dev/null || fail "there is a tag $tag already"
done
[ -z "$(git status --porcelain)" ] || fail "the tree is not clean: commit or remove what git status lists"
grep -qF "## [${version#v}]" CHANGELOG.md || fail "CHANGELOG.md has no entry \"## [${version#v}]\""

before=$(sed -n "s#^\t$module \(v[^ ]*\)\$#\1#p" example/go.mod)
[ -n "$before" ] || fail "example/go.mod does not require $module"
if [ -n "$dry" ]; then
	echo "would tag $(git rev-parse --short HEAD) $version, require it in example/go.mod instead of $before, commit, and tag that example/$version"
	exit 0
fi

work=$(mktemp -d)
finish() {
	rm -rf "$work"
	[ -z "${tagged:-}" ] || { git tag -d "$version" && git checkout -q HEAD -- example/go.mod example/go.sum go.work; } >&2
}
trap finish EXIT

git tag -a "$version" -m "$version"
tagged=1
(
	modules_of_tags "$PWD" "${MODULES:-$work}"
	cd example
	go mod edit -require="$module@$version"
	go mod tidy 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
)
# Nothing has to be published for the two modules to be built together.
go work edit -dropreplace="$module@$before" -replace="$module@$version=./"
git commit -q -m "Require $version in the example" example/go.mod example/go.sum go.work
tagged=
git tag -a "example/$version" -m "example/$version"
echo "tagged $version and example/$version; to publish: git push --atomic origin HEAD $version example/$version"
