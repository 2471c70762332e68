package editing

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// request is a request for a page. Its context has the user who signed in and the language of the page: reads and
// writes are done as that user.
type request struct {
	*http.Request

	site    *Site
	began   time.Time
	reading bool // whether the body is being read
	lang    *language
	below   string // path below Root, without a slash at the end
	id      int64  // id in the path, or 0
	key     string // key in the path, or ""
	session calendar.Session
	form    url.Values // values of a POST
	files   map[string][]*multipart.FileHeader
}

// user returns the user who signed in, or the zero value.
func (r *request) user() calendar.Principal { return r.session.Principal }

// link returns the address of another page in the same language, given its path below Root.
func (r *request) link(path string) string { return r.lang.link(path) }

// answer determines the user and the page of a request, and runs the page.
func (s *Site) answer(w http.ResponseWriter, r *request) (answer, error) {
	if err := s.guard.Check(r.Request); err != nil {
		return answer{}, errCrossOrigin
	}
	found, allow := s.route(r)
	switch {
	case found == nil && len(allow) > 0:
		return answer{}, &methodError{allow}
	case found == nil:
		return answer{}, &calendar.Error{Status: http.StatusNotFound}
	}
	if err := s.identify(w, r); err != nil {
		return answer{}, err
	}
	if found.may != nil && !found.may(r.user()) {
		if r.user().Anonymous() {
			if found.resume != nil {
				return s.keepAndAsk(w, r, found)
			}
			return answer{}, errSignIn
		}
		return answer{}, calendar.ErrForbidden
	}
	if r.Method == http.MethodPost {
		defer r.forget()
		if err := r.parseForm(w, found.body); err != nil {
			return answer{}, err
		}
	}
	return found.show(s, r)
}

// identify determines the session of a request and sets the context of its user.
func (s *Site) identify(w http.ResponseWriter, r *request) error {
	ctx := calendar.WithClient(calendar.WithLanguage(r.Context(), r.lang.Tag), r.Request)
	if token, ok := s.token(r.Request); ok {
		session, err := s.accounts.Session(ctx, token)
		switch {
		case isStatus(err, http.StatusUnauthorized):
			http.SetCookie(w, s.cookie(r.Request, calendar.Session{}))
		case err != nil:
			return err
		}
		r.session = session
	}
	r.use(calendar.WithPrincipal(ctx, r.user()))
	return nil
}

// use sets the context of the request.
func (r *request) use(ctx context.Context) { r.Request = r.WithContext(ctx) }

// memoryOfForms is the size of a form that is kept in memory. Larger files are stored in temporary files until the
// request was answered.
const memoryOfForms = 1 << 20

// parseForm parses the form of a request whose body has at most bound bytes; 0 is defaultBody.
func (r *request) parseForm(w http.ResponseWriter, bound int64) (err error) {
	if bound == 0 {
		bound = defaultBody
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	counted := bound
	if kind == "multipart/form-data" && bound > signInLimit {
		counted = 0 // most of it is an image in a temporary file: see readFile
	}
	r.limitBody(w, bound, counted)
	switch kind {
	case "multipart/form-data":
		if err = r.ParseMultipartForm(memoryOfForms); err == nil {
			r.files = r.MultipartForm.File
		}
	case "application/x-www-form-urlencoded":
		err = r.ParseForm()
	default:
		return &calendar.Error{Status: http.StatusUnsupportedMediaType}
	}
	r.form = r.PostForm
	var tooLarge *http.MaxBytesError
	var full *calendar.Error
	switch {
	case errors.As(err, &full):
		return full
	case errors.As(err, &tooLarge):
		return &calendar.Error{Status: http.StatusRequestEntityTooLarge}
	case err != nil:
		return &calendar.Error{Status: http.StatusBadRequest}
	}
	return nil
}

// These limit how much of the calendar's memory forms use.
const (
	freeForm    = 64 << 10 // bytes of a form that reserve no memory: see calendar.NewMemory
	formPortion = 256 << 10
	perByte     = 12 // how many bytes of memory a byte of a form takes: parsed, encoded, and shown again in a page
)

// limitBody limits the body of a request to bound bytes, and makes it reserve memory as it arrives, for the first counted
// bytes.
func (r *request) limitBody(w http.ResponseWriter, bound, counted int64) {
	r.reading = true
	r.Body = http.MaxBytesReader(w, &countedBody{ReadCloser: r.Body, reserve: r.reserve, free: freeForm, left: counted}, bound)
}

// reserve reserves n bytes of the calendar's memory until the request ends.
func (r *request) reserve(n int) error { return calendar.Reserve(r.Context(), r.site.Calendar, n) }

// countedBody is the body of a form that reserves memory while it is read. Anyone can send a form to the page for
// signing in.
type countedBody struct {
	io.ReadCloser

	reserve func(n int) error
	free    int   // how many bytes may be read before memory is reserved again
	left    int64 // for how many bytes memory may still be reserved
}

// Read returns an error if there is not enough memory.
func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for b.free -= n; b.free < 0 && b.left > 0; b.free += formPortion {
		if full := b.reserve(perByte * formPortion); full != nil {
			return n, full
		}
		b.left -= formPortion
	}
	return n, err
}

// These limit how much of a form is discarded, and for how long.
const (
	restLimit = formLimit
	restTime  = 10 * time.Second
)

// discardRest reads and discards what body, the body of a request that was answered with an error, still contains: a
// client that is still sending when the connection is closed does not see its answer. It does not if the ResponseWriter
// has no deadlines, and not what a client only sends after it was asked to continue. An earlier deadline of the host's
// server stays in effect. HTTP/2 needs none of this.
func (r *request) discardRest(w http.ResponseWriter, body io.Reader) {
	if r.ProtoMajor != 1 || r.ContentLength == 0 || r.Header.Get("Expect") != "" && !r.reading {
		return
	}
	ends := time.Now().Add(restTime)
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ReadTimeout > 0 {
		if earlier := r.began.Add(s.ReadTimeout); earlier.Before(ends) {
			ends = earlier
		}
	}
	deadlines := http.NewResponseController(w)
	if deadlines.SetReadDeadline(ends) != nil {
		return
	}
	if _, err := io.CopyN(io.Discard, body, restLimit); errors.Is(err, io.EOF) {
		// From now on the server only reads to notice that the client disconnects, which must have no deadline.
		_ = deadlines.SetReadDeadline(time.Time{})
	}
}

// forget removes the temporary files of a form.
func (r *request) forget() {
	if r.MultipartForm != nil {
		_ = r.MultipartForm.RemoveAll() // otherwise the system removes them from its temporary directory
	}
}

// isStatus reports whether err is an error of the calendar with a status.
func isStatus(err error, status int) bool {
	var refused *calendar.Error
	return errors.As(err, &refused) && refused.Status == status
}
