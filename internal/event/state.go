package event

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// state stands for what is stored of an event: its row, the meta rows of
// answers and its terms. The password is left out, so that nobody can try
// passwords on it.
func (k *Kind) state(ctx context.Context, p *store.Post, m store.Meta, terms []*store.TaxonomyTerm) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d %q %q %q %q ", p.ID, p.Author, p.Parent, p.MenuOrder, p.Date, p.DateUTC, p.Modified, p.ModifiedUTC)
	fmt.Fprintf(h, "%q %q %q %q %q %t", p.Title, p.Content, p.Excerpt, p.Status, p.Name, p.Password != "")
	keys := slices.Sorted(slices.Values(metaKeys(site.From(ctx))))
	for _, key := range slices.Compact(keys) {
		fmt.Fprintf(h, "\n%s %q", key, m[key])
	}
	ids := make([]int64, len(terms))
	for i, t := range terms {
		ids[i] = t.TaxonomyID
	}
	slices.Sort(ids)
	fmt.Fprint(h, "\n", ids)
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12])
}

// checkMatch refuses a write that was meant for another state of the event.
func (k *Kind) checkMatch(ctx context.Context, r *rest.Request, d *post.Draft) error {
	if len(r.HTTP.Header.Values("If-Match")) == 0 {
		return nil
	}
	p := d.Stored
	terms, err := k.Store.TermsOf(ctx, []int64{p.ID}, k.Names.Category, k.Names.Tag)
	if err != nil {
		return err
	}
	return post.CheckMatch(r, k.state(ctx, rowOf(p), d.StoredMeta(), terms[p.ID]))
}

// rowOf is a locked row in the form that reads load.
func rowOf(p *schema.Post) *store.Post {
	return &store.Post{
		ID: p.ID, Author: p.Author, Parent: p.Parent, Date: p.Date, DateUTC: p.DateGMT, Modified: p.Modified, ModifiedUTC: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: p.Status, Password: p.Password, Name: p.Name,
		Type: p.Type, MimeType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder,
	}
}
