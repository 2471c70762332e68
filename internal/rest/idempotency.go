package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// A client that gets no answer to a write does not know whether the write was carried out. With the header
// Idempotency-Key it can repeat the request until it gets an answer: the request is carried out once, and repetitions
// get the first answer.
//
//   - The key belongs to one caller and one request, which is identified by a fingerprint.
//   - Only successful answers are kept, since a rejected request has written nothing: it
//     may be corrected and sent with the same key.
//   - Rights and parameters are checked each time, before an answer is repeated. A
//     caller whose rights have changed since does not get the answer, because it may show
//     what the caller may not see now. The request is not carried out again either.
//   - The answer is kept by the transaction that writes. There is nothing to repair
//     after a crash.

const (
	keyHeader      = "Idempotency-Key"
	replayedHeader = "Idempotency-Replayed"
	longestKey     = 255
)

// Errors of requests with an Idempotency-Key.
var (
	errKey            = apierror.New(http.StatusBadRequest, "rest_invalid_idempotency_key", "error_idempotency_key")
	errKeyUnavailable = apierror.New(http.StatusBadRequest, "rest_idempotency_unavailable", "error_idempotency_unavailable")
	errKeyReused      = apierror.New(http.StatusUnprocessableEntity, "rest_idempotency_key_reused", "error_idempotency_key_reused")
	errKeyRights      = apierror.New(http.StatusConflict, "rest_idempotency_rights_changed", "error_idempotency_rights_changed")
	// ErrRunning is the answer while a request with the same key is in progress.
	ErrRunning = apierror.New(http.StatusConflict, "rest_idempotency_key_running", "error_idempotency_key_running").
			After(1)
	// ErrAnswerTooLarge is the answer to a request whose answer is too large to be kept.
	ErrAnswerTooLarge = apierror.New(http.StatusBadRequest, "rest_idempotency_answer_too_large", "error_idempotency_answer_too_large")
)

var keyErrors = []*apierror.Error{errKey, errKeyUnavailable, errKeyReused, errKeyRights, ErrRunning, ErrAnswerTooLarge}

// TakesKey reports whether an operation accepts an Idempotency-Key: an operation that accepts the fields of an item
// does, with all its methods. A deletion does not need a key, since repeating it writes nothing.
func (o *Operation) TakesKey() bool { return !o.Host && slices.Contains(o.Methods, http.MethodPost) }

// Once is a request that is to be carried out once.
type Once struct {
	Key         string // hash of the caller and the key, in hexadecimal digits
	Fingerprint string // of the request, in hexadecimal digits
	Rights      string // hash of the caller's rights, in hexadecimal digits
	Out         *phpjson.Writer
}

type onceKey struct{}

// OnceFrom returns the Once of the request of ctx, nil if the request has no Idempotency-Key.
func OnceFrom(ctx context.Context) *Once {
	o, _ := ctx.Value(onceKey{}).(*Once)
	return o
}

// Kept is the answer to a request that was carried out under a key, as its handler returned it.
type Kept struct {
	Fingerprint string // of the request
	Rights      string // that of Once; "" if the answer was kept by a version of this program that did not store it
	Response    *Response
	Body        []byte
}

// Repeated is the error of a request that was carried out before. The engine replies with the kept answer.
type Repeated struct{ Kept *Kept }

func (*Repeated) Error() string { return "rest: the request was carried out before" }

// readKey reads the Idempotency-Key, if the operation accepts one, and returns the hash of the key and the caller, ""
// without one.
func (c *request) readKey() (string, error) {
	if c.part != nil {
		if !c.op.TakesKey() {
			return "", nil
		}
		return c.part.key, nil
	}
	given := c.HTTP.Header.Values(keyHeader)
	if len(given) == 0 || !c.op.TakesKey() {
		return "", nil
	}
	if c.engine.Kept == nil {
		return "", errKeyUnavailable
	}
	key := given[0]
	if len(given) > 1 || key == "" || len(key) > longestKey || strings.ContainsFunc(key, func(r rune) bool { return r < '!' || r > '~' }) {
		return "", errKey
	}
	return keyOf(c.Principal, key), nil
}

// keyOf returns the hash of a caller and a key. Programs, which are not users of the site, are distinguished by their
// names.
func keyOf(p caller.Principal, key string) string {
	name := ""
	if p.UserID == 0 {
		name = p.Login
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %q %q", p.UserID, name, key))
	return hex.EncodeToString(sum[:])
}

// rightsOf returns a hash of the caller's rights.
func rightsOf(p caller.Principal) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", p.Held()))
	return hex.EncodeToString(sum[:])
}

// once runs the operation, unless the request was carried out before under its key. Then it returns the first answer.
func (c *request) once(key string) (*Response, error) {
	o := &Once{Key: key, Fingerprint: requestFingerprint(c.Request, c.method, c.src), Rights: rightsOf(c.Principal), Out: c.Out}
	kept, err := c.engine.Kept(c.ctx, key)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		c.ctx = context.WithValue(c.ctx, onceKey{}, o)
		resp, err := c.op.Handle(c.ctx, c.Request)
		var before *Repeated // carried out by a concurrent request
		if !errors.As(err, &before) {
			return resp, err
		}
		kept = before.Kept
	}
	switch {
	case kept.Fingerprint != o.Fingerprint:
		return nil, errKeyReused
	case kept.Rights != "" && kept.Rights != o.Rights:
		return nil, errKeyRights
	}
	c.header = append(c.header, Header{replayedHeader, "true"})
	c.Out.Reset()
	c.Out.Raw(kept.Body)
	return kept.Response, nil
}

// requestFingerprint returns a hash of everything on which the answer to a write depends: the address, the
// precondition, and the parameters' values, wherever they were sent.
func requestFingerprint(r *Request, method string, sent param.Sources) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %q %q %q", method, r.Root.Tag, r.route.Path, r.HTTP.Header.Values("If-Match"))
	for _, m := range [...]*param.Map{r.Path, sent.Query, sent.JSON, sent.Form} {
		addValue(h, m)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// addValue adds a value of a param.Map to a hash.
func addValue(h hash.Hash, v any) {
	switch x := v.(type) {
	case *param.Map:
		fmt.Fprintf(h, "{%d", x.Len())
		for _, name := range x.Keys() {
			fmt.Fprintf(h, "%q", name)
			value, _ := x.Get(name)
			addValue(h, value)
		}
	case []any:
		fmt.Fprintf(h, "[%d", len(x))
		for _, value := range x {
			addValue(h, value)
		}
	case *param.File:
		fmt.Fprintf(h, "file %q %d ", x.Name, len(x.Data))
		h.Write(x.Data)
	default:
		fmt.Fprintf(h, "%T %#v;", x, x)
	}
}
