package contract

import (
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
	"github.com/agendahq/agenda/internal/test/must"
)

// script runs the lines of a test in the case files.
type script struct {
	*site
	e       Engine
	t       testing.TB
	opts    calendar.Options
	clients []*client         // of processes on the site; empty before the first request with these options
	now     *time.Time        // clock of the processes
	roles   callers           // callers that requests can name
	as      []string          // callers for lines that name none
	words   map[string]string // values of variables
	rows    apitest.Rows      // the stored rows, nil if they must be read again
	wrote   bool              // the database may have assigned ids since a line last built something
}

func newScript(t testing.TB, e Engine) *script {
	return &script{e: e, t: t, as: []string{""}, words: map[string]string{"EVERYBODY": everybody}}
}

// everybody lists all users and the anonymous caller.
var everybody = strings.Join(append(slices.Sorted(maps.Keys(apitest.Users)), "nobody"), ",")

// built creates a site of the case files.
func built(t testing.TB, e Engine, name string) *site {
	t.Helper()
	s := newScript(t, e)
	s.on(name)
	return s.site
}

// on continues with a new site.
func (s *script) on(name string) {
	s.t.Helper()
	moment := now
	switch name {
	case "recorded":
		s.site, moment = recordedSite(s.t, s.e, s.e.Recorded), recordedNow
		s.shared = true
	case "copy":
		s.site, moment = recordedSite(s.t, s.e, s.e.Copy(s.t, s.e.prefix())), recordedNow
	default:
		s.site = newSite(s.t, s.e)
	}
	s.opts, s.clients, s.rows, s.wrote, s.roles, s.now = calendar.Options{}, nil, nil, false, nil, &moment
	if form, ok := strings.CutPrefix(name, "polyglot "); ok {
		name, s.opts.Languages = "polyglot", languages
		s.categories("cat")
		s.tags("tag")
		s.storeLanguages(form)
	}
	if !slices.Contains([]string{"blank", "recorded", "copy"}, name) {
		s.playAll(section("site " + name))
	}
}

func (s *script) playAll(lines []*line) {
	s.t.Helper()
	for _, l := range lines {
		s.play(l)
	}
}

// play runs a line and the lines below it.
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
	case "if":
		if one, other, _ := strings.Cut(rest, " = "); one == other {
			s.playAll(l.sub)
		}
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
		s.open(l, split(rest))
	case "beside":
		s.clients = append(s.clients, s.mount())
	case "swap":
		slices.Reverse(s.clients)
	case "later":
		by, err := time.ParseDuration(rest)
		if *s.now = s.now.Add(by); err != nil {
			s.t.Fatalf("%s: %v", l.at, err)
		}
	case "due":
		s.publishDue()
	case "rows":
		s.scan(l, rest)
	case "consistent":
		s.consistent()
	case "language":
		s.language(l, rest)
	case "languages":
		s.counts()
		s.ownGroups()
	default:
		if build, known := builders[word]; known {
			if s.shared {
				s.t.Fatalf("%s: no test changes the recorded site; begin with a copy", l.at)
			}
			if s.wrote {
				s.next += 1000
				s.wrote = false
			}
			build(s.site, l, rest)
			if s.rows = nil; word == "option" || word == "own" || word == "answers" {
				s.clients = nil
			}
			return
		}
		s.request(l, text)
	}
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

// fill replaces $VARIABLES by their values, and {slugs} by ids.
func (s *script) fill(l *line, text string) string {
	s.t.Helper()
	text = variable.ReplaceAllStringFunc(text, func(name string) string {
		value, known := s.words[name[1:]]
		if !known {
			s.t.Fatalf("%s: %s has no value", l.at, name)
		}
		return value
	})
	if s.site == nil {
		return text
	}
	return s.site.fill(text)
}

// each runs the lines below it for each row of values of some variables. The rows follow "in", separated as words or by
// bars, or they are on the lines below it, each after a bar.
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
	below, body := rowsBelow(l)
	for _, sub := range below {
		for part := range strings.SplitSeq(s.fill(sub, strings.TrimPrefix(sub.text, "| ")), " | ") {
			rows = append(rows, split(part))
		}
	}
	if len(rows) == 0 {
		s.t.Fatalf("%s: no rows", l.at)
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

// let sets a variable to a value or, with "* n", to n repetitions of a value. Spaces at its ends require backquotes.
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

// caller adds a caller with an id and capabilities, which may be those of another caller, or removes one. The capability
// With "stored" they are those in the rows of the site.
func (s *script) caller(words []string) {
	s.t.Helper()
	if s.clients = nil; s.roles == nil {
		s.roles = callersOf(s.t, s.DB, s.prefix)
	}
	id := must.Get(strconv.ParseInt(words[1], 10, 64))(s.t)
	name := s.named(words[0])[0]
	if slices.Contains(words[2:], "stored") {
		s.roles[name] = calendar.Principal{UserID: id}
		return
	}
	p := calendar.Principal{UserID: id, Login: name, Capabilities: map[string]bool{}}
	for _, capability := range words[2:] {
		if like, isCaller := s.roles[capability]; isCaller {
			maps.Copy(p.Capabilities, like.Capabilities)
			continue
		}
		word, denied := strings.CutPrefix(capability, "-")
		p.Capabilities[word] = !denied
	}
	s.roles[name] = p
}

// mount mounts a calendar on the site.
func (s *script) mount() *client {
	s.t.Helper()
	opts := s.opts
	if opts.Now = func() time.Time { return *s.now }; s.roles != nil {
		opts.Authenticator = s.roles
	}
	return s.site.client(opts)
}

// open sets options of the calendar.
func (s *script) open(l *line, words []string) {
	s.t.Helper()
	s.opts, s.clients = calendar.Options{Languages: s.opts.Languages}, nil
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.ParseFloat(value, 64)
		d, _ := time.ParseDuration(value)
		switch name {
		case "CacheBytes":
			s.opts.Cache.Bytes = int64(n)
		case "PageSize":
			s.opts.Limits.PageSize = int(n)
		case "MaxPageSize":
			s.opts.Limits.MaxPageSize = int(n)
		case "GeoRadius":
			s.opts.Site.GeoRadius = n
		case "MaxBody":
			s.opts.Limits.MaxBody = int64(n)
		case "Dates":
			s.opts.Site.Dates = calendar.Dates(value)
		case "FilterHTML":
			s.opts.Site.FilterHTML = true
		case "WriteDates":
			s.opts.Site.WriteDates = true
		case "Fields": // those of fields.go
			s.opts.Fields, s.opts.Filters = HostFields(), HostFilters()
		case "ServeRoot":
			s.opts.ServeRoot = true
		case "Origins":
			s.opts.Login.CredentialOrigins = strings.Split(value, ",")
		case "MaxPerAddress":
			s.opts.Login.MaxPerAddress = int(n)
			s.opts.Login.ClientAddress = func(*http.Request) string { return "one" }
		case "Window":
			s.opts.Login.Window = d
		case "Marks":
			s.opts.Site.Marks = calendar.EnglishMarks()
			s.opts.Site.Marks.OpenDouble, s.opts.Site.Marks.CloseDouble, _ = strings.Cut(value, ",")
		case "Translations":
			s.opts.Site.Translations = calendar.Translations(value)
		case "DefaultLanguage":
			s.opts.Site.DefaultLanguage = value
		case "Languages":
			s.opts.Languages = map[string][]calendar.Language{
				"none": {}, "public": atPublic(calendar.Options{}).Languages, "plain": plainLanguages, "polyglot": languages,
				"roots":   {languages[0], {Tag: "en", BaseURL: languages[1].BaseURL}, {Tag: "fr", BaseURL: languages[2].BaseURL}},
				"swapped": {languages[2], languages[0], languages[1]},
				"belgian": {{Tag: "nl-BE", Code: "NL", BaseURL: Site + "/wp-json"}, languages[1], languages[2]},
			}[value]
		case "Now":
			*s.now = s.clock(value)
		default:
			s.t.Fatalf("%s: no option %s", l.at, name)
		}
	}
}

// processes returns the processes on the site, of which there is one until a line adds another.
func (s *script) processes() []*client {
	s.t.Helper()
	if s.clients == nil {
		s.clients = []*client{s.mount()}
	}
	return s.clients
}

// publishDue lets each process publish what is due, and make the dates that rules without an end have meanwhile.
func (s *script) publishDue() {
	s.t.Helper()
	for _, c := range s.processes() {
		must.Get(c.cal.PublishDue(s.t.Context()))(s.t)
	}
	s.rows, s.wrote = nil, true
}

// scan compares the values of one column.
func (s *script) scan(l *line, text string) {
	s.t.Helper()
	query, want, _ := cutWant(text)
	got := "none"
	if values := s.Scan(query); len(values) > 0 {
		got = strings.ReplaceAll(strings.Join(values, ", "), "\n", " ")
	}
	if got != want {
		s.t.Errorf("%s\n got  %s\n want %s", l.at, got, want)
	}
}

// language compares the stored language of an item and of its translations. "only nl" stands for a group of its own.
func (s *script) language(l *line, text string) {
	s.t.Helper()
	item, want, _ := cutWant(text)
	kind, id, _ := strings.Cut(item, " ")
	if code, ok := strings.CutPrefix(want, "only "); ok {
		want = s.alone(kind, code, number(id))
	}
	if got := s.record(kind, number(id)); got != want {
		s.t.Errorf("%s: %s is recorded as %q, want %q", l.at, item, got, want)
	}
}
