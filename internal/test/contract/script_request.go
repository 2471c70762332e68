package contract

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/test/apitest"
)

// cutWant splits a line at its arrow.
func cutWant(text string) (before, want string, found bool) {
	i := strings.LastIndex(text+" ", " -> ")
	if i < 0 {
		return text, "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len(" ->"):]), true
}

var requestLine = regexp.MustCompile(`^(?:([a-z][\w,-]*) +)?(?:([A-Z]+) +)?(?:(\w\w|site):)?(/\S*)(?: +(.+))?$`)

// request sends a request, once for each caller, and checks the responses. A write must change rows if it is accepted,
// and none if it is rejected.
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
	switch m[3] {
	case "":
	case "site":
		path = Site + path
	default:
		path = strings.Replace(Root, Site, Site+"/"+m[3], 1) + path
	}
	if m[1] != "" {
		as = s.named(m[1])
	}
	asked := s.processes()
	if isWrite := !slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, method); isWrite {
		asked = asked[:1]
	}
	for _, name := range as {
		for _, c := range asked {
			a := s.send(c, l, name, method, path, body, !found || strings.HasPrefix(want, "2"))
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
				case sub.text == "twice":
					unchanged := &line{at: sub.at, sub: append(slices.Clone(l.sub), &line{at: sub.at, text: "changes ="})}
					givenAgain(s.t, a, s.send(c, unchanged, name, method, path, body, true))
				case walks:
					s.walk(c, sub, name, path, number(least))
				}
			}
		}
	}
}

// send sends a request. If it is a write, send compares the rows before and after it. Only one of two engines checks
// that an accepted write stores something.
func (s *script) send(c *client, l *line, as, method, path, body string, accepted bool) apitest.Answer {
	s.t.Helper()
	var headers []string
	tables, known := "", false // tables that change
	for _, sub := range l.sub {
		switch word, rest, _ := strings.Cut(sub.text, " "); word {
		case "with":
			name, value, _ := strings.Cut(s.fill(sub, rest), ": ")
			headers = append(headers, name, value)
		case "changes":
			tables, known = strings.TrimSpace(strings.TrimPrefix(s.fill(sub, rest), "=")), true
		}
	}
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions}, method) {
		return c.Do(as, method, path, body, headers...)
	}
	s.wrote = true
	if accepted && !known && !s.shared && s.e.Share == TheRest {
		s.rows = nil
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
		table, _, _ := strings.Cut(strings.TrimPrefix(change, s.prefix), " ")
		changed = append(changed, table)
	}
	switch got := strings.Join(slices.Compact(changed), " "); {
	case s.shared && got != "":
		s.t.Fatalf("%s: %s changed %s of the recorded site, which tests only read", l.at, a.Request, got)
	case (a.Status >= 400 || known) && got != tables:
		s.t.Errorf("%s: %s: %s, changed %q, want %q\n %s", l.at, a.Request, a.Verdict(), got, tables, strings.Join(lines, "\n "))
	case a.Status < 400 && !known && got == "":
		s.t.Errorf("%s: %s: %s, but nothing changed", l.at, a.Request, a.Verdict())
	}
	return a
}

// expect checks a line about a response.
func (s *script) expect(l *line, a apitest.Answer) {
	s.t.Helper()
	text, negated := strings.CutPrefix(s.fill(l, l.text), "not ")
	word, rest, _ := strings.Cut(text, " ")
	name, want, _ := strings.Cut(rest+" ", "= ")
	name, want = strings.TrimSpace(name), strings.TrimSpace(want)
	var compact bytes.Buffer
	got := ""
	switch word {
	case "with", "changes", "again", "twice", "walks":
		return
	case "has", "lacks":
		if strings.Contains(a.Text, rest) != ((word == "has") != negated) {
			s.t.Errorf("%s: %s: %s", l.at, a.Request, a.Text)
		}
		return
	case "shows":
		name, where, _ := strings.Cut(rest, " in ")
		for _, member := range section("members " + name) {
			s.expect(&line{at: l.at, text: strings.TrimPrefix(where+"/"+member.text, "/")}, a)
		}
		return
	case "text":
		got = a.Text
	case "calendar":
		got = eventsOf(s.t, a)
	case "header":
		got = a.Header.Get(name)
	case "keys":
		got = withoutAdded(a.Keys(steps(name)...), strings.Fields(want))
	case "types":
		got = withoutAdded(typesOf(a, steps(name)), strings.Fields(want))
	case "items":
		var list []any
		_ = json.Unmarshal([]byte(a.At(steps(name)...)), &list) // nil if it is not a list
		got = strconv.Itoa(len(list))
	case "links":
		got = linksOf(a.At(steps(name)...))
	default:
		member, where, _ := strings.Cut(text, " ")
		if path, ok := strings.CutPrefix(where, ":= "); ok {
			if name, isHeader := strings.CutPrefix(path, "header "); isHeader {
				s.words[member] = a.Header.Get(name)
			} else {
				s.keep(l, member, a.At(steps(path)...))
			}
			return
		}
		if got, word = a.At(steps(member)...), member; json.Compact(&compact, []byte(want)) == nil {
			want = compact.String()
		}
	}
	if (got != want) != negated {
		s.t.Errorf("%s: %s: %s\n got  %s\n want %s (negated: %t)", l.at, a.Request, word, got, want, negated)
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

// linksOf returns the URLs that a text links to, without that of the site.
func linksOf(text string) string {
	var list []string
	for _, part := range strings.Split(text, "<a href='")[1:] {
		address, _, _ := strings.Cut(part, "'")
		list = append(list, strings.TrimPrefix(address, Site))
	}
	return strings.Join(list, " ")
}

// again requests the rest_url of a list.
func (s *script) again(c *client, l *line, as string, a apitest.Answer) {
	s.t.Helper()
	b := c.follow(a.Word("rest_url"), as)
	if b.Summary() != a.Summary() || b.Word("rest_url") != a.Word("rest_url") {
		s.t.Errorf("%s: %s: %s\n gives %s", l.at, a.Request, a.Word("rest_url"), b)
	}
}

// walk follows a list from page to page, and compares the pages with the list on one page.
func (s *script) walk(c *client, l *line, as, path string, least int64) {
	s.t.Helper()
	opts, now := s.opts, *s.now
	opts.Limits.MaxPageSize, opts.Now = 100000, func() time.Time { return now }
	if n := c.checkWalk(s.site.client(opts), path, as); n < int(least) {
		s.t.Errorf("%s: %s: %d items", l.at, path, n)
	}
}

func steps(path string) []string {
	return strings.FieldsFunc(path, func(c rune) bool { return c == '/' })
}

// keep stores a value of a response: an id under a name in lower case, and any JSON under a name in capitals.
func (s *script) keep(l *line, name, value string) {
	s.t.Helper()
	if variable.MatchString("$" + name) {
		s.words[name] = value
	} else if s.id[name] = number(value); s.id[name] == 0 {
		s.t.Errorf("%s: %s is no id", l.at, value)
	}
}
