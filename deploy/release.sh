#!/usr/bin/env bash
# Tags a release: the root module, and then those below it, whose go.mod require that
# very version of those before. usage: deploy/release.sh [-n] VERSION, such as v0.3.0;
# with -n it checks and says what it would do. It pushes nothing.
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
tags=("$version")
for dir in "${below[@]}"; do
	tags+=("$dir/$version")
done
for tag in "${tags[@]}"; do
	! git rev-parse -q --verify "refs/tags/$tag" >/dev/null || fail "there is a tag $tag already"
done
[ -z "$(git status --porcelain)" ] || fail "the tree is not clean: commit or remove what git status lists"
grep -qF "## [${version#v}]" CHANGELOG.md || fail "CHANGELOG.md has no entry \"## [${version#v}]\""

before=$(sed -n "s#^\t$module \(v[^ ]*\)\$#\1#p" example/go.mod)
[ -n "$before" ] || fail "example/go.mod does not require $module"
if [ -n "$dry" ]; then
	echo "would tag $(git rev-parse --short HEAD) $version; then, in ${below[*]}: require it instead of $before, commit, and tag that"
	printf '%s\n' "${tags[@]}"
	exit 0
fi

work=$(mktemp -d)
start=$(git rev-parse HEAD)
made=()
finish() {
	rm -rf "$work"
	[ -z "$start" ] || { git tag -d "${made[@]}" && git reset -q --hard "$start"; } >&2
}
trap finish EXIT

tag() {
	git tag -a "$1" -m "$1"
	made+=("$1")
}

tag "$version"
edits=("-require=$module@$version")
# Nothing has to be published for the modules to be built together.
go work edit -replace="$module@$version=./"
for dir in "${below[@]}"; do
	(
		modules_of_tags "$PWD" "${MODULES:-$work}"
		cd "$dir"
		go mod edit "${edits[@]}"
		go mod tidy 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
	)
	edits+=("-require=$module/$dir@$version")
	if [ "$dir" != example ]; then
		go work edit -replace="$module/$dir@$version=./$dir"
	else # nothing requires the version before any more
		go work edit -dropreplace="$module@$before" -dropreplace="$module/schema/embedded@$before"
	fi
	git commit -q -m "Require $version in $dir" "$dir/go.mod" "$dir/go.sum" go.work
	tag "$dir/$version"
done
start= # nothing is to be undone
echo "tagged ${tags[*]}; to publish: git push --atomic origin HEAD ${tags[*]}"
