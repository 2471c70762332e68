package contract

import (
	"bytes"
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
	e       Engine
	t       testing.TB
	opts    calendar.Options
	clients []*client         // of processes on the site; none before the first request with these options
	now     *time.Time        // of the processes' clock
	roles   callers           // who may ask
	as      []string          // who asks where a line does not say
	words   map[string]string // values of variables
	rows    apitest.Rows      // what is stored, nil where that is not known
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
	moment := now
	s.site = newSite(s.t, s.e)
	s.opts, s.clients, s.rows, s.roles, s.now = calendar.Options{}, nil, nil, nil, &moment
	if form, ok := strings.CutPrefix(name, "polyglot "); ok {
		name, s.opts.Languages = "polyglot", tongues
		s.categories("cat")
		s.tags("tag")
		s.speak(form)
	}
	if name != "blank" {
		s.playAll(section("site " + name))
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
			if s.rows != nil { // the database has given ids meanwhile
				s.next += 1000
			}
			build(s.site, l, rest)
			if s.rows = nil; word == "option" {
				s.clients = nil
			}
			return
		}
		s.request(l, text)
	}
}

var variable = regexp.MustCompile(`\$[A-Z]+`)

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
	if s.site == nil {
		return text
	}
	return s.site.fill(text)
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
	if s.clients = nil; s.roles == nil {
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
		case "PageSize":
			s.opts.Limits.PageSize = int(n)
		case "MaxPageSize":
			s.opts.Limits.MaxPageSize = int(n)
		case "GeoRadius":
			s.opts.Site.GeoRadius = n
		case "TotalTTL":
			s.opts.Cache.TotalTTL = d
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
			s.opts.Languages = map[string][]calendar.Language{"none": {}, "public": atPublic(calendar.Options{}).Languages}[value]
		case "Now":
			*s.now = s.clock(value)
		default:
			s.t.Fatalf("%s: no option %s", l.at, name)
		}
	}
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

// language compares what is stored of the language of an item, "only nl" if it is in a group of its own.
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

// cutWant cuts a line at its arrow.
func cutWant(text string) (before, want string, found bool) {
	i := strings.LastIndex(text+" ", " -> ")
	if i < 0 {
		return text, "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(" ->"):]), true
}

var requestLine = regexp.MustCompile(`^(?:([a-z][\w,-]*) +)?(?:([A-Z]+) +)?(?:(\w\w):)?(/\S*)(?: +(.+))?$`)

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
	if s.clients == nil {
		s.clients = []*client{s.mount()}
	}
	asked := s.clients
	if isWrite := !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, method); isWrite {
		asked = asked[:1]
	}
	for _, name := range as {
		for _, c := range asked {
			a := s.send(c, l, name, method, path, body)
			if summary, verdict := a.Summary(), a.Verdict(); found && want != summary && want != verdict {
				s.t.Errorf("%s: %s\n got  %s\n want %s\n %s", l.at, a.Request, summary, want, apitest.Clip(a.Text))
			} else if !found && a.Status/100 != 2 {
				s.t.Errorf("%s: %s\n %s", l.at, a.Request, a)
			}
			for _, sub := range l.sub {
				s.expect(sub, a)
				switch least, walks := strings.CutPrefix(sub.text, "walks "); {
				case sub.text == "again":
					s.again(c, sub, name, a)
				case walks:
					s.walk(c, sub, name, path, number(least))
				}
			}
		}
	}
}

// send sends a request and, if it writes, compares the rows before and after it.
func (s *script) send(c *client, l *line, as, method, path, body string) apitest.Answer {
	s.t.Helper()
	var headers []string
	tables, known := "", false // that change
	for _, sub := range l.sub {
		switch word, rest, _ := strings.Cut(s.fill(sub, sub.text), " "); word {
		case "with":
			name, value, _ := strings.Cut(rest, ": ")
			headers = append(headers, name, value)
		case "changes":
			tables, known = strings.TrimSpace(strings.TrimPrefix(rest, "=")), true
		}
	}
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, method) {
		return c.Do(as, method, path, body, headers...)
	}
	if s.rows == nil {
		s.rows = s.Rows()
	}
	a := c.Do(as, method, path, body, headers...)
	before := s.rows
	s.rows = s.Rows()
	lines := before.Differences(s.rows)
	var changed []string
	for _, change := range lines {
		table, _, _ := strings.Cut(strings.TrimPrefix(change, schema.DefaultPrefix), " ")
		changed = append(changed, table)
	}
	switch got := strings.Join(slices.Compact(changed), " "); {
	case (a.Status >= 400 || known) && got != tables:
		s.t.Errorf("%s: %s: %s, changed %q, want %q\n %s", l.at, a.Request, a.Verdict(), got, tables, strings.Join(lines, "\n "))
	case a.Status < 400 && !known && got == "":
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
	var compact bytes.Buffer
	got := ""
	switch word {
	case "with", "changes", "again", "walks":
		return
	case "has", "lacks":
		if strings.Contains(a.Text, rest) != (word == "has") {
			s.t.Errorf("%s: %s: %s", l.at, a.Request, a.Text)
		}
		return
	case "shows":
		name, where, _ := strings.Cut(rest, " in ")
		for _, member := range section("members " + name) {
			s.expect(&line{at: l.at, text: strings.TrimPrefix(where+"/"+member.text, "/")}, a)
		}
		return
	case "header":
		got = a.Header.Get(name)
	case "keys":
		got = withoutAdded(a.Keys(steps(name)...), strings.Fields(want))
	case "types":
		got = withoutAdded(typesOf(a, steps(name)), strings.Fields(want))
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
		if got, word = a.At(steps(member)...), member; json.Compact(&compact, []byte(want)) == nil {
			want = compact.String()
		}
	}
	if got != want {
		s.t.Errorf("%s: %s: %s\n got  %s\n want %s", l.at, a.Request, word, got, want)
	}
}

// typesOf returns the members of an object with their types, in the order of the text.
func typesOf(a apitest.Answer, path []string) (words []string) {
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
	return words
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

// again asks for the address that a list prints of itself.
func (s *script) again(c *client, l *line, as string, a apitest.Answer) {
	s.t.Helper()
	b := c.follow(a.Word("rest_url"), as)
	if b.Summary() != a.Summary() || b.Word("rest_url") != a.Word("rest_url") {
		s.t.Errorf("%s: %s: %s\n gives %s", l.at, a.Request, a.Word("rest_url"), b)
	}
}

// walk follows a list from page to page and compares all of them with the list on one page.
func (s *script) walk(c *client, l *line, as, path string, least int64) {
	s.t.Helper()
	opts := s.opts
	opts.Limits.MaxPageSize = 100000
	if n := c.checkWalk(s.site.client(opts), path, as); n < int(least) {
		s.t.Errorf("%s: %s: %d items", l.at, path, n)
	}
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
