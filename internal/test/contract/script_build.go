package contract

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// builders write rows like other programs.
var builders = map[string]func(s *site, l *line, rest string){
	"event":     func(s *site, l *line, rest string) { s.posts(l, rest, s.event) },
	"venue":     func(s *site, l *line, rest string) { s.posts(l, rest, s.venue) },
	"organizer": func(s *site, l *line, rest string) { s.posts(l, rest, s.organizer) },
	"post": func(s *site, l *line, rest string) {
		postType, rest, _ := strings.Cut(rest, " ")
		s.posts(l, rest, func(p thing) int64 { return s.post(postType, p) })
	},
	"category": func(s *site, l *line, rest string) { s.terms(l, "tribe_events_cat", rest) },
	"tag":      func(s *site, l *line, rest string) { s.terms(l, "post_tag", rest) },
	"assign": func(s *site, _ *line, rest string) {
		post, term, _ := strings.Cut(rest, " ")
		s.assign(s.idOf(post), term, true)
	},
	"meta": func(s *site, l *line, rest string) {
		slugs, attributes := attributesOf(rest)
		for _, slug := range slugs {
			for _, a := range attributes {
				s.meta(slug, a[0], a[1])
			}
		}
	},
	"user": func(s *site, _ *line, rest string) {
		name, id, _ := strings.Cut(rest, " ")
		s.users().Insert(&schema.User{ID: number(id), Login: name, Nicename: name, DisplayName: name, Registered: "2020-01-01 00:00:00"})
	},
	"option": func(s *site, _ *line, rest string) {
		name, value, _ := strings.Cut(rest, " ")
		s.option(name, value)
	},
	"settings": func(s *site, _ *line, rest string) {
		name, text, _ := strings.Cut(rest, " ")
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			s.T.Fatalf("%s: %v", text, err)
		}
		s.option(name, phpval.Serialize(ofJSON(value)))
	},
	"group": func(s *site, _ *line, rest string) {
		kind, versions, _ := strings.Cut(rest, " ")
		s.group(kind, strings.TrimSpace(versions))
	},
	"own": func(s *site, _ *line, _ string) { s.own() },
	"answers": func(s *site, _ *line, _ string) {
		must.Succeed(s.T, schema.InstallIdempotency(s.T.Context(), s.host, s.prefix))
	},
	"dated": func(s *site, _ *line, _ string) {
		s.option(schema.OptionRecurrence, "1")
		s.dated(true)
	},
	"sql": func(s *site, _ *line, rest string) { s.Exec(rest) },
	"occurrences": func(s *site, _ *line, rest string) {
		if rest == "without" {
			drop(s.T, s.host, s.prefix)
			return
		}
		last := number(s.Scan("SELECT MAX(ID) FROM ?(prefix)posts")[0])
		for id := last + 1; id < last+40; id++ {
			s.occurrences(id, "Europe/Brussels", [][2]string{
				{"2029-01-01 10:00:00", "2029-01-01 11:00:00"}, {"2029-01-02 10:00:00", "2029-01-02 11:00:00"}})
		}
	},
}

// ofJSON returns a JSON value as PHP stores it.
func ofJSON(value any) any {
	array := &phpval.Array{}
	switch v := value.(type) {
	case float64:
		return int64(v)
	case []any:
		for i, element := range v {
			array.Set(phpval.IntKey(int64(i)), ofJSON(element))
		}
		return array
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			array.Set(phpval.StrKey(name), ofJSON(v[name]))
		}
		return array
	}
	return value
}

// attributesOf splits a line into slugs and attributes of the form name=value.
func attributesOf(text string) (slugs []string, attributes [][2]string) {
	for _, word := range split(text) {
		if name, value, ok := strings.Cut(word, "="); ok {
			attributes = append(attributes, [2]string{name, value})
		} else {
			slugs = append(slugs, word)
		}
	}
	return slugs, attributes
}

// terms creates terms of a taxonomy, all with the same attributes.
func (s *site) terms(l *line, taxonomy, text string) {
	s.T.Helper()
	slugs, attributes := attributesOf(text)
	for _, slug := range slugs {
		name, parent := slug, ""
		for _, a := range attributes {
			switch a[0] {
			case "name":
				name = a[1]
			case "parent":
				parent = a[1]
			default:
				s.T.Fatalf("%s: terms have no %s", l.at, a[0])
			}
		}
		s.term(taxonomy, slug, name, parent)
	}
}

// posts creates posts, all with the same attributes. Attributes whose names begin with _ are meta rows.
func (s *site) posts(l *line, text string, insert func(thing) int64) {
	s.T.Helper()
	slugs, attributes := attributesOf(text)
	for _, slug := range slugs {
		p, mime, as := thing{slug: slug}, "", slug
		texts := map[string]*string{
			"title": &p.title, "content": &p.content, "excerpt": &p.excerpt, "status": &p.status, "password": &p.password,
			"posted": &p.posted, "parent": &p.parent, "start": &p.start, "end": &p.end, "zone": &p.zone, "mime": &mime,
		}
		lists := map[string]*[]string{"venues": &p.venues, "organizers": &p.organizers, "terms": &p.terms}
		for _, a := range attributes {
			name, value := a[0], a[1]
			switch {
			case texts[name] != nil:
				*texts[name] = value
			case lists[name] != nil:
				*lists[name] = strings.Split(value, ",")
			case name[0] == '_':
				p.meta = append(p.meta, [2]string{name, value})
			case name == "author" && apitest.Users[value].ID != 0:
				p.author = apitest.Users[value].ID
			case name == "occurrence":
				start, end, _ := strings.Cut(value, "/")
				p.occurrences = append(p.occurrences, [2]string{start, end})
			case name == "row":
				p.noRow = value == "no"
			case name == "as":
				as = value
			default:
				s.number(l, &p, name, value)
			}
		}
		if p.posted != "" {
			p.posted = s.clock(p.posted).Format(time.DateTime)
		}
		if s.id[as] = insert(p); mime != "" {
			s.Exec("UPDATE ?(prefix)posts SET post_mime_type = ? WHERE ID = ?", mime, s.idOf(as))
		}
	}
}

// number sets an attribute of a post that is a number.
func (s *site) number(l *line, p *thing, name, value string) {
	s.T.Helper()
	n, err := strconv.ParseInt(value, 10, 64)
	switch {
	case name == "author" && err == nil:
		p.author = n
	case name == "order" && err == nil:
		p.order = n
	default:
		s.T.Fatalf("%s: posts have no %s=%s", l.at, name, value)
	}
}
