// Package call defines the input of use cases that does not depend on how they are called: by a request over HTTP, an
// import, or a host's own code.
package call

import (
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Call is what a use case knows about its caller: who asks for what, and in which form.
type Call struct {
	caller.Request
	Root   *Root         // API root whose addresses the response contains
	Values *param.Values // parameters; nil until they are parsed
	Path   *param.Map    // unparsed id or slug of the item, from the address
	// IfMatch contains the revisions to which a write applies, in the form of the If-Match header; "" for any revision.
	IfMatch string
	// TryPassword records an attempt to enter a post's password, right or wrong, and returns an error beyond the limit.
	// If it is nil, attempts are not limited.
	TryPassword func(post int64, right bool) error
	// Whole requests a list of events in which a recurring event is one item, not one for each occurrence.
	Whole bool
	// Fields are the members that the response contains, nil for all. Data that only other members need is not read.
	Fields phpjson.Selection
	// Sync requests a list for synchronization; nil for an ordinary list.
	Sync *Sync
	// Target is what rights on the item depend on. It is set once the item was read.
	Target any
}

// Sync restricts a list to the items with these ids, in all states that the caller may see, whatever statuses the list
// contains by default.
type Sync struct{ Among []int64 }

// Root is the root of the API in one language version of the site.
type Root struct {
	Tag     string // language tag
	BaseURL string // public URL of the REST root, without a trailing slash
	SiteURL string // URL below which the pages of items are; "" for that of the site
	URL     string // BaseURL followed by the namespace
	Named   bool   // the address determines the language, so no parameter can change it (D1)
}
