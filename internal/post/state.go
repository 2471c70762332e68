package post

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/store"
)

// State stands for what is stored of a post: its row, its meta rows with the
// given keys, and the places of its terms. The password is left out, so that
// nobody can try passwords on it.
func State(p *store.Post, m store.Meta, keys []string, terms ...int64) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d %q %q %q %q ", p.ID, p.Author, p.Parent, p.MenuOrder, p.Date, p.DateUTC, p.Modified, p.ModifiedUTC)
	fmt.Fprintf(h, "%q %q %q %q %q %t", p.Title, p.Content, p.Excerpt, p.Status, p.Name, p.Password != "")
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		fmt.Fprintf(h, "\n%s %q", key, m[key])
	}
	fmt.Fprint(h, "\n", slices.Sorted(slices.Values(terms)))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12])
}

// StoredRow is the stored row of a draft in the form that reads load.
func (d *Draft) StoredRow() *store.Post {
	p := d.Stored
	return &store.Post{
		ID: p.ID, Author: p.Author, Parent: p.Parent, Date: p.Date, DateUTC: p.DateGMT, Modified: p.Modified, ModifiedUTC: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: p.Status, Password: p.Password, Name: p.Name,
		Type: p.Type, MimeType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder,
	}
}
