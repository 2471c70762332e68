package item

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/store"
)

// ErrChanged rejects a write that is meant for another revision.
var ErrChanged = apierror.New(apierror.PreconditionFailed, "rest_precondition_failed", "error_precondition")

// CheckMatch rejects a write whose If-Match names a revision of the item other than the stored one. It only compares
// the part of the ETag that is the same in every view of the item.
func CheckMatch(c *call.Call, revision string) error {
	header := c.IfMatch
	if header == "" {
		return nil
	}
	matches := slices.ContainsFunc(strings.Split(header, ","), func(tag string) bool {
		tag = strings.TrimSpace(tag)
		given, _, ok := strings.Cut(strings.TrimPrefix(tag, `"`), ".")
		return tag == "*" || ok && tag[0] == '"' && given == revision
	})
	if !matches {
		return ErrChanged
	}
	return nil
}

// Revision returns a hash of the stored state of a post: its row, its meta rows with the given keys, and its terms by
// term_taxonomy_id. The hash only covers whether there is a password, so that a password cannot be guessed by comparing
// hashes.
func Revision(p *store.Post, m store.Meta, keys []string, terms ...int64) string {
	var b []byte
	number := func(n int64) { b = binary.AppendVarint(b, n) }
	text := func(s string) { number(int64(len(s))); b = append(b, s...) }
	for _, n := range [...]int64{p.ID, p.Author, p.Parent, p.MenuOrder} {
		number(n)
	}
	for _, s := range [...]string{p.Date, p.DateUTC, p.Modified, p.ModifiedUTC, p.Title, p.Content, p.Excerpt, p.Status, p.Name,
		strconv.FormatBool(p.Password != "")} {
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
