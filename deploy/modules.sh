# For release.sh and prove.sh, which read it.

module=github.com/agendahq/agenda

# The modules below the root, in an order in which each requires those before it.
below=(schema/embedded example)

# modules_of_tags REPOSITORY CACHE makes the go command take the modules of this
# repository from the tags of a local one, and keep them in a cache of their own,
# so that nothing of an unpublished version stays behind. What other modules there
# are in the usual cache is not fetched again.
modules_of_tags() {
	GOPROXY="file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)"
	export GOPROXY GOPRIVATE="$module" GOMODCACHE="$2" GOWORK=off GOFLAGS=-modcacherw
	export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$1.insteadOf" GIT_CONFIG_VALUE_0="https://$module"
}
