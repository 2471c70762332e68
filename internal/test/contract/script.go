package contract

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// script plays the lines of a test of the case files.
type script struct {
	*site
	e      Engine
	t      testing.TB
	opts   calendar.Options
	client *client           // nil before the first request with these options
	roles  callers           // who may ask
	as     []string          // who asks where a line does not say
	words  map[string]string // values of variables
	rows   apitest.Rows      // what is stored, nil where that is not known
}

func newScript(t testing.TB, e Engine) *script {
	return &script{e: e, t: t, as: []string{""}, words: map[string]string{"EVERYBODY": everybody}}
}

const everybody = "nobody,subscriber,contributor,author,editor,admin"

// built makes a site of the case files.
func built(t testing.TB, e Engine, name string) *site {
	t.Helper()
	s := newScript(t, e)
	s.on(name)
	return s.site
}

// on goes on with a new site.
func (s *script) on(name string) {
	s.t.Helper()
	s.site = newSite(s.t, s.e)
	s.opts, s.client, s.rows, s.roles = calendar.Options{}, nil, nil, nil
	if name != "blank" {
		s.playAll(named(s.t, "site", name))
	}
}

func (s *script) playAll(lines []*line) {
	s.t.Helper()
	for _, l := range lines {
		s.play(l)
	}
}

// play plays a line and those below it.
func (s *script) play(l *line) {
	s.t.Helper()
	text := s.fill(l, l.text)
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "":
	case "on":
		s.on(rest)
	case "case":
		s.t.(*testing.T).Run(rest, func(t *testing.T) {
			sub := *s
			sub.t = t
			if s.site != nil {
				here := *s.site
				here.T, sub.site = t, &here
			}
			sub.playAll(l.sub)
		})
	case "each":
		s.each(l, rest)
	case "let":
		s.let(rest)
	case "as":
		was := s.as
		s.as = s.named(rest)
		s.playAll(l.sub)
		s.as = was
	case "caller":
		s.caller(split(rest))
	case "open":
		s.opts, s.client = options(s.t, l, split(rest)), nil
	case "rows":
		s.scan(l, rest)
	case "consistent":
		s.consistent()
	default:
		if build, known := builders[word]; known {
			build(s.site, l, rest)
			if s.rows = nil; word == "option" {
				s.client = nil
			}
			return
		}
		s.request(l, text)
	}
}

var (
	variable  = regexp.MustCompile(`\$[A-Z]+`)
	reference = regexp.MustCompile(`\{[A-Za-z0-9%][\w%.' -]*\}`)
)

// fill puts values in the place of $VARIABLES, and ids in that of {slugs}.
func (s *script) fill(l *line, text string) string {
	s.t.Helper()
	text = variable.ReplaceAllStringFunc(text, func(name string) string {
		value, known := s.words[name[1:]]
		if !known {
			s.t.Fatalf("%s: %s has no value", l.at, name)
		}
		return value
	})
	return reference.ReplaceAllStringFunc(text, func(slug string) string { return s.text(slug[1 : len(slug)-1]) })
}

// each plays the lines below it for each row of values of some variables. The rows stand behind "in", one word or what
// is between bars each, or below it, each after a bar.
func (s *script) each(l *line, text string) {
	s.t.Helper()
	head, inline, _ := strings.Cut(text, " in ")
	names := split(head)
	var rows [][]string
	if strings.Contains(inline, " | ") {
		for row := range strings.SplitSeq(inline, " | ") {
			rows = append(rows, split(row))
		}
	} else {
		for _, word := range split(inline) {
			rows = append(rows, []string{word})
		}
	}
	var body []*line
	for _, sub := range l.sub {
		if row, ok := strings.CutPrefix(sub.text, "| "); ok {
			for part := range strings.SplitSeq(s.fill(sub, row), " | ") {
				rows = append(rows, split(part))
			}
		} else {
			body = append(body, sub)
		}
	}
	was := maps.Clone(s.words)
	for _, row := range rows {
		if len(row) != len(names) {
			s.t.Fatalf("%s: %q for %q", l.at, row, names)
		}
		for i, name := range names {
			s.words[name] = row[i]
		}
		s.playAll(body)
	}
	s.words = was
}

// let gives a variable a value, or with "* n" a value n times. Spaces at its ends stand within backquotes.
func (s *script) let(text string) {
	name, value, _ := strings.Cut(text, " =")
	value = strings.TrimPrefix(value, " ")
	if n := len(value) - 1; n > 0 && value[0] == '`' && value[n] == '`' {
		value = value[1:n]
	}
	name, times, _ := strings.Cut(name, " * ")
	if n, err := strconv.Atoi(times); err == nil {
		value = strings.Repeat(value, n)
	}
	s.words[name] = value
}

// named returns the callers of a list.
func (s *script) named(list string) (names []string) {
	for name := range strings.SplitSeq(list, ",") {
		if names = append(names, name); name == "nobody" {
			names[len(names)-1] = ""
		}
	}
	return names
}

// caller adds a caller with an id and capabilities, of which "stored" are those of the site's rows, or takes one away.
func (s *script) caller(words []string) {
	s.t.Helper()
	if s.client = nil; s.roles == nil {
		s.roles = callersOf(s.t, s.DB, schema.DefaultPrefix)
	}
	id, err := strconv.ParseInt(words[1], 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	name := s.named(words[0])[0]
	if slices.Contains(words[2:], "stored") {
		s.roles[name] = calendar.Principal{UserID: id}
		return
	}
	p := calendar.Principal{UserID: id, Login: name, Capabilities: map[string]bool{}}
	for _, capability := range words[2:] {
		word, denied := strings.CutPrefix(capability, "-")
		p.Capabilities[word] = !denied
	}
	s.roles[name] = p
}

// options reads the options of a calendar.
func options(t testing.TB, l *line, words []string) (opts calendar.Options) {
	t.Helper()
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.ParseFloat(value, 64)
		ttl, noTTL := time.ParseDuration(value)
		moment, noMoment := time.Parse(time.RFC3339, value)
		switch {
		case name == "PageSize" && err == nil:
			opts.Limits.PageSize = int(n)
		case name == "MaxPageSize" && err == nil:
			opts.Limits.MaxPageSize = int(n)
		case name == "GeoRadius" && err == nil:
			opts.Site.GeoRadius = n
		case name == "TotalTTL" && noTTL == nil:
			opts.Cache.TotalTTL = ttl
		case name == "Marks":
			opts.Site.Marks = calendar.EnglishMarks()
			opts.Site.Marks.OpenDouble, opts.Site.Marks.CloseDouble, _ = strings.Cut(value, ",")
		case name == "Now" && noMoment == nil:
			opts.Now = func() time.Time { return moment }
		default:
			t.Fatalf("%s: no option %s", l.at, word)
		}
	}
	return opts
}

// scan compares the values of one column.
func (s *script) scan(l *line, text string) {
	s.t.Helper()
	query, want, _ := cutWant(text)
	got := "none"
	if values := s.Scan(query); len(values) > 0 {
		got = strings.Join(values, ", ")
	}
	if got != want {
		s.t.Errorf("%s\n got  %s\n want %s", l.at, got, want)
	}
}

// cutWant cuts a line at its arrow.
func cutWant(text string) (before, want string, found bool) {
	i := strings.LastIndex(text+" ", " -> ")
	if i < 0 {
		return text, "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(" ->"):]), true
}

var requestLine = regexp.MustCompile(`^(?:([a-z][\w,-]*|-) +)?(?:([A-Z]+) +)?(?:(\w\w):)?(/\S*)(?: +(.+))?$`)

// request sends a request, once for each caller, and checks what is answered. One that writes changes rows if it is
// accepted, and none if it is refused.
func (s *script) request(l *line, text string) {
	s.t.Helper()
	text, want, found := cutWant(text)
	m := requestLine.FindStringSubmatch(text)
	if m == nil {
		s.t.Fatalf("%s: no request: %s", l.at, text)
	}
	method, path, body, as := m[2], m[4], m[5], s.as
	if method == "" {
		method = http.MethodGet
	}
	if m[3] != "" {
		path = strings.Replace(Root, Site, Site+"/"+m[3], 1) + path
	}
	if m[1] != "" {
		as = s.named(m[1])
	}
	if s.client == nil {
		if s.roles != nil {
			s.opts.Authenticator = s.roles
		}
		s.client = s.site.client(s.opts)
	}
	for _, name := range as {
		if name == "-" {
			continue
		}
		a := s.send(l, name, method, path, body)
		if summary, verdict := a.Summary(), a.Verdict(); found && want != summary && want != verdict {
			s.t.Errorf("%s: %s\n got  %s\n want %s\n %s", l.at, a.Request, summary, want, apitest.Clip(a.Text))
		} else if !found && a.Status/100 != 2 {
			s.t.Errorf("%s: %s\n %s", l.at, a.Request, a)
		}
		for _, sub := range l.sub {
			s.expect(sub, a)
		}
	}
}

func (s *script) send(l *line, as, method, path, body string) apitest.Answer {
	s.t.Helper()
	var headers []string
	same := false
	for _, sub := range l.sub {
		word, rest, _ := strings.Cut(s.fill(sub, sub.text), " ")
		if same = same || word == "unchanged"; word == "with" {
			name, value, _ := strings.Cut(rest, ": ")
			headers = append(headers, name, value)
		}
	}
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, method) {
		return s.client.Do(as, method, path, body, headers...)
	}
	if s.rows == nil {
		s.rows = s.Rows()
	}
	a := s.client.Do(as, method, path, body, headers...)
	before := s.rows
	s.rows = s.Rows()
	switch changed := before.Differences(s.rows); {
	case (a.Status >= 400 || same) && len(changed) > 0:
		s.t.Errorf("%s: %s: %s, but rows changed\n %s", l.at, a.Request, a.Verdict(), strings.Join(changed, "\n "))
	case a.Status < 400 && !same && len(changed) == 0:
		s.t.Errorf("%s: %s: %s, but nothing changed", l.at, a.Request, a.Verdict())
	}
	return a
}

// expect checks a line about an answer.
func (s *script) expect(l *line, a apitest.Answer) {
	s.t.Helper()
	text := s.fill(l, l.text)
	word, rest, _ := strings.Cut(text, " ")
	name, want, _ := strings.Cut(rest+" ", "= ")
	name, want = strings.TrimSpace(name), strings.TrimSpace(want)
	got := ""
	switch word {
	case "with", "unchanged":
		return
	case "has", "lacks":
		if strings.Contains(a.Text, rest) != (word == "has") {
			s.t.Errorf("%s: %s: %s", l.at, a.Request, a.Text)
		}
		return
	case "shows":
		name, where, _ := strings.Cut(rest, " in ")
		for _, member := range named(s.t, "members", name) {
			s.expect(&line{at: l.at, text: strings.TrimPrefix(where+"/"+member.text, "/")}, a)
		}
		return
	case "header":
		got = a.Header.Get(name)
	case "keys":
		got = strings.Join(a.Keys(steps(name)...), " ")
	case "types":
		got = typesOf(a, steps(name))
	case "items":
		var list []any
		_ = json.Unmarshal([]byte(a.At(steps(name)...)), &list) // nil if it is no list
		got = strconv.Itoa(len(list))
	case "links":
		got = linksOf(a.At(steps(name)...))
	default:
		member, where, _ := strings.Cut(text, " ")
		if path, ok := strings.CutPrefix(where, ":= "); ok {
			s.keep(l, member, a.At(steps(path)...))
			return
		}
		got, word = a.At(steps(member)...), member
	}
	if got != want {
		s.t.Errorf("%s: %s: %s\n got  %s\n want %s", l.at, a.Request, word, got, want)
	}
}

// typesOf returns the members of an object with their types, in the order of the text.
func typesOf(a apitest.Answer, path []string) string {
	var words []string
	for _, key := range a.Keys(path...) {
		kind := "number"
		switch value := a.At(append(slices.Clone(path), key)...); value[0] {
		case 'n':
			kind = "null"
		case 't', 'f':
			kind = "bool"
		case '"':
			kind = "string"
		case '[':
			kind = "list"
		case '{':
			kind = "object"
		}
		words = append(words, key+":"+kind)
	}
	return strings.Join(words, " ")
}

// linksOf returns the addresses that a text links to, without the site's.
func linksOf(text string) string {
	var list []string
	for _, part := range strings.Split(text, "<a href='")[1:] {
		address, _, _ := strings.Cut(part, "'")
		list = append(list, strings.TrimPrefix(address, Site))
	}
	return strings.Join(list, " ")
}

func steps(path string) []string {
	return strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
}

// keep remembers what an answer holds: an id by a name in small letters, anything by one in capitals.
func (s *script) keep(l *line, name, value string) {
	s.t.Helper()
	if variable.MatchString("$" + name) {
		s.words[name] = value
	} else if s.id[name] = number(value); s.id[name] == 0 {
		s.t.Errorf("%s: %s is no id", l.at, value)
	}
}
