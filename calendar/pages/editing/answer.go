package editing

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// answer is the answer to a request: a page from a template, a redirect, or other content.
type answer struct {
	status   int    // default 200
	template string // name of the template's file
	title    string // key of a message
	data     any    // .Data in the template
	to       string // address of a redirect with 303
	raw      []byte // content other than a page; its Content-Type is kind
	kind     string
	header   http.Header
}

// shown returns a page. title is the key of a message.
func shown(template, title string, data any) answer {
	return answer{template: template, title: title, data: data}
}

// refused returns a page with a form that was rejected.
func refused(template, title string, data any) answer {
	return answer{status: http.StatusUnprocessableEntity, template: template, title: title, data: data}
}

// seeOther returns a redirect to an address, which is requested with GET.
func seeOther(to string) answer { return answer{to: to} }

// done returns a redirect to a page that then shows the message "done." followed by name.
func done(to, name string) answer { return answer{to: to + "?done=" + url.QueryEscape(name)} }

// fieldErrors maps the names of fields to messages or their keys. The key "" is an error of the whole form.
type fieldErrors map[string]string

// forField returns the error of a field, or "" if there is none.
func (e fieldErrors) forField(name string) string { return e[name] }

// field is an input element, for the template "field".
type field struct{ Name, Label, Type, Value, Error, Complete string }

func newField(name, label, kind, value string, errs fieldErrors, complete string) field {
	return field{Name: name, Label: label, Type: kind, Value: value, Error: errs[name], Complete: complete}
}

// frame contains what all pages have in common.
type frame struct {
	Tag, Title, Site string
	Home, Start      string // start page of the calendar's public pages, and of these pages
	Style, OwnStyle  string
	Script           string
	Icon, Logo       string
	Languages        []languageLink
	Here             string // address of this page
	User             string // login of the user; "" if nobody signed in
	MayUsers         bool
	Done             string // key of a message
	Data             any
}

type languageLink struct {
	Tag, Name, URL string
	Current        bool
}

// send writes a whole answer, or an error if the template fails.
func (s *Site) send(w http.ResponseWriter, r *request, a answer) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.to != "" {
		w.Header().Set("Location", a.to)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	if a.kind != "" {
		w.Header().Set("Content-Type", a.kind)
		_, _ = w.Write(a.raw) // the reader may have closed the connection
		return
	}
	var out bytes.Buffer
	if err := r.lang.templates.ExecuteTemplate(&out, a.template, s.frame(r, a)); err != nil {
		s.Logger.ErrorContext(r.Context(), "template failed", "template", a.template, "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", r.lang.Words)
	w.WriteHeader(max(a.status, http.StatusOK))
	_, _ = w.Write(out.Bytes()) // the reader may have closed the connection
}

func (s *Site) frame(r *request, a answer) frame {
	f := frame{
		Tag: r.lang.Words, Title: r.lang.word(a.title), Site: s.Name, Home: r.lang.Prefix + "/", Start: r.link("/"), Style: s.Style,
		OwnStyle: s.asset(stylePath), Script: s.asset(scriptPath), Icon: s.Icon, Logo: s.Logo, Here: r.link(r.below + "/"),
		User: r.user().Login, MayUsers: mayUsers(r.user()), Data: a.data,
	}
	if f.Site == "" {
		f.Site = r.lang.word("calendar")
	}
	if key := "done." + r.URL.Query().Get("done"); r.lang.texts[key] != "" && a.status == 0 {
		f.Done = key
	}
	for _, l := range s.languages {
		f.Languages = append(f.Languages, languageLink{Tag: l.Tag, Name: l.Name, URL: l.link(r.below + "/"), Current: l == r.lang})
	}
	return f
}

var (
	errCrossOrigin = errors.New("editing: a form of another site")
	errSignIn      = errors.New("editing: nobody signed in")
)

// methodError is the error for a path that has other methods.
type methodError struct{ allow []string }

func (e *methodError) Error() string { return "editing: methods " + strings.Join(e.allow, ", ") }

// problem contains the values of an error page.
type problem struct {
	Text  string
	Lines []string // errors in what was sent, one per line
	Back  string   // address of the form that was too large to be read
}

// failure returns the page for an error. Messages of the calendar's errors are shown, those of all other errors are
// not.
func (s *Site) failure(r *request, err error) answer {
	if errors.Is(err, errSignIn) {
		return s.askToSignIn(r)
	}
	a := answer{template: "error.html", header: http.Header{}}
	var refused *calendar.Error
	var method *methodError
	switch {
	case errors.Is(err, errCrossOrigin), errors.Is(err, calendar.ErrForbidden):
		a.status = http.StatusForbidden
	case errors.As(err, &method):
		a.status = http.StatusMethodNotAllowed
		a.header.Set("Allow", strings.Join(append(method.allow, http.MethodHead), ", "))
	case errors.As(err, &refused):
		a.status = refused.Status
	default:
		a.status = http.StatusInternalServerError
	}
	if a.status >= http.StatusInternalServerError {
		s.Logger.ErrorContext(r.Context(), "page could not be made", "path", Logged(r.URL.Path), "error", err)
	}
	p := problem{Text: r.lang.word(fmt.Sprintf("error.%d.text", a.status))}
	a.title = fmt.Sprintf("error.%d", a.status)
	switch {
	case errors.Is(err, errCrossOrigin):
		p.Text = r.lang.word("error.cross")
	case refused != nil && refused.Message != "" && a.status != http.StatusInternalServerError:
		p.Text = refused.Message
		for _, name := range slices.Sorted(maps.Keys(refused.Params)) {
			p.Lines = append(p.Lines, name+": "+refused.Params[name])
		}
	}
	if r.lang.texts[a.title] == "" {
		a.title = "error.other"
	}
	if strings.HasPrefix(p.Text, "error.") {
		p.Text = r.lang.word("error.other.text")
	}
	if refused != nil && refused.RetryAfter > 0 {
		a.header.Set("Retry-After", strconv.Itoa(int(math.Ceil(refused.RetryAfter.Seconds()))))
	}
	if a.status == http.StatusRequestEntityTooLarge {
		p.Back = r.link(r.below + "/")
	}
	a.data = p
	return a
}
