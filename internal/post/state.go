package post

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/store"
)

// State stands for what is stored of a post: its row, its meta rows with the
// given keys, and the places of its terms. The password is left out, so that
// nobody can try passwords on it.
func State(p *store.Post, m store.Meta, keys []string, terms ...int64) string {
	var b []byte
	number := func(n int64) { b = binary.AppendVarint(b, n) }
	text := func(s string) { number(int64(len(s))); b = append(b, s...) }
	for _, n := range [...]int64{p.ID, p.Author, p.Parent, p.MenuOrder} {
		number(n)
	}
	for _, s := range [...]string{p.Date, p.DateUTC, p.Modified, p.ModifiedUTC, p.Title, p.Content, p.Excerpt, p.Status, p.Name, strconv.FormatBool(p.Password != "")} {
		text(s)
	}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		text(key)
		number(int64(len(m[key])))
		for _, value := range m[key] {
			text(value)
		}
	}
	for _, id := range slices.Sorted(slices.Values(terms)) {
		number(id)
	}
	sum := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
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
