// Package call holds what a use case of a kind is asked with, whoever asks: a request over
// HTTP, an import, or a host's own code.
package call

import (
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// Call is what a use case needs to know of who asks, for what, and in which form.
type Call struct {
	caller.Request
	Root   *Root         // whose addresses answers contain
	Values *param.Values // what is given; nil until the parameters are read
	Path   *param.Map    // what names the item, unparsed: its id or its slug
	// IfMatch are the validators of the revisions that a write is meant for, as If-Match
	// has them; "" for any.
	IfMatch string
	// TryPassword counts a trial of a post's password, right or wrong, and refuses it past
	// the limit. nil counts nothing.
	TryPassword func(post int64, right bool) error
	// Whole asks for lists of events, also where those have one item for each date.
	Whole bool
	// Fields are the members that the answer is to have, nil for all. What no other member needs is not read.
	Fields phpjson.Selection
	// Sync asks for lists as sync has them; nil for usual ones.
	Sync *Sync
	// Target is what rights on the item depend on, once that was read.
	Target any
}

// Sync asks of some items which of them a list has, in all states that the caller may see, whatever the list is by default.
type Sync struct{ Among []int64 }

// Root is the API of one language version.
type Root struct {
	Tag     string // language tag
	BaseURL string // public address of the REST root, without trailing slash
	SiteURL string // address on which item pages live, "" for the site's own
	URL     string // BaseURL with the namespace
	Named   bool   // the address names the language, which no parameter changes then (D1)
}
