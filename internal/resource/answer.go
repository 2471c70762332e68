package resource

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// The answers if the connection was lost at the commit. A request with an Idempotency-Key
// can be repeated at once.
var (
	errUnknown       = apierror.New(http.StatusServiceUnavailable, "rest_outcome_unknown", "error_outcome_unknown")
	errUnknownOfOnce = apierror.New(http.StatusServiceUnavailable, errUnknown.Code, "error_outcome_unknown_key").
				After(1)
)

// errUnstorable is the answer where a site's tables have lower limits than usual
// ones.
var errUnstorable = apierror.New(http.StatusBadRequest, "rest_invalid_param", "error_unstorable")

// Answer renders the answer of a write from what the write has read; it reads nothing
// itself. nil is the usual response.
type Answer func() *rest.Response

// Write runs fn, which changes rows and reads what the answer shows, in one
// transaction. fn may run more than once, each time from the beginning. Hooks are
// called and the answer is rendered after the commit: rendering may take long, and
// other writers wait until then. The answer to a request with an Idempotency-Key is
// rendered and kept before the commit; if the request was carried out before, the error
// is a *rest.Repeated, and nothing is written.
func (s *Service) Write(ctx context.Context, fn func(ctx context.Context) (Answer, error)) (*rest.Response, error) {
	var answer Answer
	var resp *rest.Response
	once := rest.OnceFrom(ctx)
	err := s.Service.Write(ctx, func(ctx context.Context) (err error) {
		if once != nil {
			resp, err = s.once(ctx, once, fn)
		} else {
			answer, err = fn(ctx)
		}
		return err
	})
	if errors.Is(err, store.ErrOutcomeUnknown) {
		if once != nil {
			return nil, errUnknownOfOnce.Because(err)
		}
		return nil, errUnknown.Because(err)
	}
	if store.Unstorable(err) {
		return nil, errUnstorable.Because(err)
	}
	if err != nil {
		return nil, err
	}
	if once != nil {
		return resp, nil
	}
	return answer(), nil
}

// errUpload refuses a file of a caller who may not upload any.
var errUpload = apierror.New(http.StatusForbidden, "rest_forbidden", "fault_image_right")

// WriteWithImages is Write for requests whose fields may give images as files and by address.
// They are stored before the write, whose transaction must not wait for other servers,
// and after the right to write was checked. A write that fails leaves no file; if its
// outcome is unknown the files stay, since rows may name them.
func (s *Service) WriteWithImages(ctx context.Context, fields []*content.Fields,
	fn func(context.Context) (Answer, error)) (resp *rest.Response, err error) {
	undo, err := s.PrepareImages(ctx, fields)
	if errors.Is(err, content.ErrUpload) {
		return nil, errUpload
	}
	if err != nil {
		return nil, err
	}
	keep := false
	defer func() { // in panics too
		if !keep {
			undo()
		}
	}()
	resp, err = s.Write(ctx, fn)
	keep = err == nil || errors.Is(err, store.ErrOutcomeUnknown)
	return resp, err
}

var errChanged = apierror.New(http.StatusPreconditionFailed, "rest_precondition_failed", "error_precondition")

// CheckMatch refuses a write whose If-Match names another revision of the item than
// the stored one. Only the part of the validator that is the same in every view of
// the item counts.
func CheckMatch(r *rest.Request, revision string) error {
	header := strings.Join(r.HTTP.Header.Values("If-Match"), ",")
	if header == "" {
		return nil
	}
	matches := slices.ContainsFunc(strings.Split(header, ","), func(tag string) bool {
		tag = strings.TrimSpace(tag)
		given, _, ok := strings.Cut(strings.TrimPrefix(tag, `"`), ".")
		return tag == "*" || ok && tag[0] == '"' && given == revision
	})
	if !matches {
		return errChanged
	}
	return nil
}

// Revision returns a hash of what is stored of a post: its row, its meta rows with
// the given keys, and its terms by term_taxonomy_id. The password is left out, so
// that nobody can try passwords on it.
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
