package editing

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// A form that is sent after the session has ended is not lost: its values are put in the page for signing in, which
// sends them again, and then the form is shown with them. Nothing is stored before. Its image is not kept, since anyone
// can send such a form.

// keptLimit is the maximal size of the values of a form that somebody without a session has sent, in bytes. signInLimit
// is that of the page for signing in, which contains them in an encoding that may be ten times as long.
const (
	keptLimit   = 256 << 10
	signInLimit = 10*keptLimit + defaultBody
)

// lostFile is a value of a form whose image was not kept.
const lostFile = "image_lost"

// keepAndAsk answers a form that was sent without a session with the page for signing in, which contains its values.
func (s *Site) keepAndAsk(w http.ResponseWriter, r *request, p *page) (answer, error) {
	typed, err := r.values(w, cmp.Or(p.body, defaultBody))
	switch {
	case isStatus(err, http.StatusServiceUnavailable): // there is not enough memory
		return answer{}, err
	case err != nil:
		return answer{}, errSignIn
	}
	if p.keeps != nil {
		maps.DeleteFunc(typed, func(name string, _ []string) bool { return !slices.Contains(p.keeps, name) })
		if len(typed) == 0 {
			return answer{}, errSignIn
		}
	}
	form, err := s.signInForm(r)
	if err != nil {
		return answer{}, err
	}
	form.Next, form.Typed, form.Errors = r.link(r.below+"/"), typed.Encode(), fieldErrors{"": "signin.kept"}
	return answer{status: http.StatusUnauthorized, template: "signin.html", title: "signin", data: form}, nil
}

// errTooMuch is the error for values that are not kept.
var errTooMuch = errors.New("editing: too many values")

// values reads the values of a form without its files, which are skipped.
func (r *request) values(w http.ResponseWriter, bound int64) (v url.Values, err error) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		err = r.parseForm(w, keptLimit)
		return r.form, err
	}
	r.limitBody(w, bound, keptLimit)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	v = url.Values{}
	for left := int64(keptLimit); ; {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return v, nil
		}
		if err != nil {
			return nil, err
		}
		if part.FileName() != "" {
			v.Set(lostFile, yes)
			continue
		}
		value, err := io.ReadAll(io.LimitReader(part, left+1))
		if err != nil {
			return nil, err
		}
		const overhead = 100 // of a value in memory
		if left -= int64(len(part.FormName()) + len(value) + overhead); left < 0 {
			return nil, errTooMuch
		}
		v.Add(part.FormName(), string(value))
	}
}

// resume shows the form to which the page for signing in leads back, with the values that were sent without a session.
func (s *Site) resume(r *request, session calendar.Session, form signInForm) (answer, error) {
	values, err := url.ParseQuery(form.Typed)
	lang, below, ok := s.find(form.Next)
	if err != nil || !ok {
		return answer{}, &calendar.Error{Status: http.StatusBadRequest}
	}
	r.lang, r.below, r.form, r.session = lang, strings.TrimSuffix(below, "/"), values, session
	r.use(calendar.WithPrincipal(r.Context(), r.user()))
	found, _ := s.route(r)
	switch {
	case found == nil || found.resume == nil:
		return answer{}, &calendar.Error{Status: http.StatusBadRequest}
	case !found.may(r.user()):
		return answer{}, calendar.ErrForbidden
	}
	return found.resume(s, r)
}

// troubled answers with the form and the message about an error for which the user is not responsible, so that what was
// typed can be sent again. If the form cannot be shown either, it answers with the error alone.
func (f *sheet) troubled(err error) answer {
	a := f.site.failure(f.r, err)
	p, _ := a.data.(problem)
	f.rest = append([]string{f.r.lang.word(a.title) + ". " + p.Text}, p.Lines...)
	page, failed := f.page(a.status)
	if failed != nil {
		return a
	}
	page.header = a.header
	return page
}

// resume shows a form that was sent after the session had ended, for the user who has signed in again.
func (k *editor) resume(s *Site, r *request) (answer, error) {
	f, err := k.sent(s, r)
	if err != nil {
		return answer{}, err
	}
	if r.form.Has(lostFile) {
		f.w.fault("image", "image.gone")
	}
	f.rest = []string{r.lang.word("signin.resumed")}
	return f.page(0)
}
