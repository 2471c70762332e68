package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// garden is a site whose terms have all kinds of names.
func garden(t *testing.T, e Engine) *site {
	s := newSite(t, e)
	for _, x := range [][3]string{
		{"music", "Music", ""}, {"rock", "Rock", "music"}, {"punk", "Punk", "rock"}, {"arts-crafts", "Arts &amp; Crafts", ""}, {"cafe", "Café, bar", ""},
		{"empty", "Empty", ""}, {"void", "Void", "empty"}, {"hollow", "Hollow", ""}, {"deep", "Deep", "hollow"}, {"deepest", "Deepest", "deep"}, {"2026", "Year", ""},
	} {
		s.term("tribe_events_cat", x[0], x[1], x[2])
	}
	s.term("post_tag", "jazz", "Jazz", "")
	s.term("post_tag", "free-entry", "Free entry", "")
	s.term("post_tag", "unused", "Unused", "")
	s.term("tribe_events_cat", itoa(s.of("rock")), "Slug of another's id", "")
	s.event(thing{slug: "e-rock", start: "2030-07-01 10:00", terms: []string{"rock", "jazz"}})
	s.event(thing{slug: "e-punk", start: "2030-07-02 10:00", terms: []string{"punk", "free-entry"}})
	s.event(thing{slug: "e-music", start: "2030-07-03 10:00", terms: []string{"music", "jazz", "free-entry"}})
	s.event(thing{slug: "e-arts", start: "2030-07-04 10:00", terms: []string{"arts-crafts", "cafe", "2026"}})
	s.event(thing{slug: "e-number", start: "2030-07-05 10:00", terms: []string{itoa(s.of("rock"))}})
	s.event(thing{slug: "e-deepest", start: "2030-07-06 10:00", terms: []string{"deepest"}})
	s.event(thing{slug: "e-draft", start: "2030-07-07 10:00", status: "draft", terms: []string{"void", "unused"}})
	s.event(thing{slug: "e-none", start: "2030-07-08 10:00"})
	s.post("post", thing{slug: "blog"})
	s.assign(s.of("blog"), "jazz", true)
	return s
}

// termsOfEvents proves how events are found by their terms.
func termsOfEvents(t *testing.T, e Engine) {
	s := garden(t, e)
	c := s.client(calendar.Options{})
	badCategory, badTag := "400 rest_invalid_param categories", "400 rest_invalid_param tags"
	c.check("", s.rows([]row{
		{"/events?categories={rock}", "e-rock e-punk"}, // the id, though another has it as its slug
		{"/events?categories[]={rock}", "e-rock e-punk"},
		{"/events?categories=music", "e-rock e-punk e-music"},
		{"/events?categories=MUSIC", "e-rock e-punk e-music"},
		{"/events?categories={punk}", "e-punk"},
		{"/events?categories=2026", "e-arts"}, // no id: a slug
		{"/events?categories=punk,arts-crafts", "e-punk e-arts"},
		{"/events?categories=+punk+,,+{arts-crafts}+,", "e-punk e-arts"},
		{"/events?categories[]=punk&categories[x]=2026", "e-punk e-arts"},
		{"/events?categories=Arts+%26+Crafts", "e-arts"},
		{"/events?categories=Arts+%26amp;+Crafts", "e-arts"},
		{"/events?categories=arts+crafts", "e-arts"},
		{"/events?categories[]=Caf%C3%A9,+bar", "e-arts"}, // not split
		{"/events?categories=Caf%C3%A9,+bar", badCategory},
		{"/events?categories[]=punk,rock", badCategory},
		{"/events?categories=punk%252Crock", "e-rock e-punk"}, // unescaped once more
		{"/events?categories={rock}.0", "e-rock e-punk"},
		{"/events?categories=0{rock}", "e-rock e-punk"},
		{"/events?categories=void", ""},
		{"/events?categories=empty", ""},
		{"/events?categories=hollow", "e-deepest"},
		{"/events?categories=none", badCategory},
		{"/events?categories=punk,none", badCategory},
		{"/events?categories={jazz}", badCategory},
		{"/events?categories=jazz", badCategory},
		{"/events?categories=", badCategory},
		{"/events?categories=,", badCategory},
		{"/events?categories=0", badCategory},
		{"/events?categories=-{rock}", badCategory},
		{"/events?categories[][x]=1", badCategory},
		{"/events?tags=jazz", "e-rock e-music"},
		{"/events?tags=jazz,free-entry", "e-rock e-punk e-music"}, // any of them
		{"/events?tags=free-entry,{jazz}", "e-rock e-punk e-music"},
		{"/events?tags=Free+entry", "e-punk e-music"},
		{"/events?tags=free+ENTRY", "e-punk e-music"},
		{"/events?tags={music}", badTag},
		{"/events?tags=nope", badTag},
		{"/events?tags=", badTag},
		{"/events?categories=music&tags=jazz", "e-rock e-music"},
		{"/events?categories=punk&tags=jazz", ""},
		{"/events?categories=x&tags=y", "400 rest_invalid_param categories,tags"},
	}))
	c.check("editor", []row{{"/events?categories=empty", "e-draft"}, {"/events?tags=unused", "e-draft"}})
}

// categoryLists proves which empty categories are listed.
func categoryLists(t *testing.T, e Engine) {
	s := garden(t, e)
	number := itoa(s.of("rock"))
	c := s.client(calendar.Options{})
	c.check("", s.rows([]row{
		{"/categories?per_page=50", "arts-crafts cafe deep deepest hollow music punk rock " + number + " 2026"},
		{"/categories?per_page=2&page=3", "hollow music of 10"},
		{"/categories?per_page=5&page=2", "music punk rock " + number + " 2026 of 10"},
		{"/categories?hide_empty=false&per_page=50", "arts-crafts cafe deep deepest empty hollow music punk rock " + number + " void 2026"},
		{"/categories?hide_empty=0&per_page=50&search=e", "cafe deep deepest empty " + number + " 2026"},
		{"/categories?search=o", "hollow rock " + number},
		{"/categories?include={hollow},{empty},{rock}", "hollow rock"},
		{"/categories?slug=hollow", "hollow"},
		{"/categories?parent={hollow}", "deep"},
		{"/categories?parent=0", "arts-crafts cafe hollow music " + number + " 2026"},
		{"/categories?parent=0&hide_empty=0", "arts-crafts cafe empty hollow music " + number + " 2026"},
		{"/categories?exclude={hollow},{deep}&parent=0", "arts-crafts cafe music " + number + " 2026"},
	}))
	a := c.get("/categories?per_page=4", "")
	if a.at("total") != "10" || a.at("total_pages") != "3" || a.header.Get("X-TEC-Total") != "10" || a.header.Get("X-TEC-TotalPages") != "3" {
		t.Errorf("%s: total %s, pages %s, headers %v", a.request, a.at("total"), a.at("total_pages"), a.header)
	}
}

var termRows = []row{
	{"/tags?per_page=50", "free-entry jazz"},
	{"/tags?hide_empty=0", "free-entry jazz unused"},
	{"/tags?search=ENTRY", "free-entry"}, {"/tags?search=e-e", "free-entry"}, {"/tags?search=e+e", "free-entry"}, {"/tags?search=free+e", "free-entry"},
	{"/tags?search=entry+free", ""}, {"/tags?search=%25", ""}, {"/tags?search=_", ""}, {"/tags?search=\\", ""}, {"/categories?search=Arts+%26+Crafts", ""},
	{"/categories?search=Arts+%26amp;+Crafts", "arts-crafts"}, {"/categories?search=cafe", "cafe"}, {"/categories?search=CAF%C3%89", "cafe"},
	{"/tags?search=", "400 rest_invalid_param search"}, {"/tags?search=0", "400 rest_invalid_param search"}, {"/tags?search[]=a", "400 rest_invalid_param search"},
	{"/tags?include={jazz},{unused}", "jazz"}, {"/tags?include={jazz},{unused}&hide_empty=0", "jazz unused"}, {"/tags?exclude={jazz}", "free-entry"},
	{"/tags?include={jazz}&exclude={jazz}", "jazz"}, {"/tags?include=999999", "400 rest_invalid_param include"},
	{"/tags?exclude=nope", "400 rest_invalid_param exclude"}, {"/tags?include=", "400 rest_invalid_param include"}, {"/tags?include={rock}", "400 rest_invalid_param include"},
	{"/tags?order=asc", "free-entry jazz"}, {"/tags?order=desc", "jazz free-entry"}, {"/tags?order=sideways", "jazz free-entry"}, {"/tags?order=ASC", "free-entry jazz"},
	{"/tags?order=", "400 rest_invalid_param order"}, {"/tags?orderby=", "400 rest_invalid_param orderby"}, {"/tags?orderby[]=id", "400 rest_invalid_param orderby"},
	{"/tags?orderby=name", "free-entry jazz"}, {"/tags?orderby=count", "free-entry jazz"}, {"/tags?orderby=count&order=desc", "jazz free-entry"},
	{"/tags?orderby=id", "jazz free-entry"}, {"/tags?orderby=term_id", "jazz free-entry"}, {"/tags?orderby=slug&order=desc", "jazz free-entry"},
	{"/tags?orderby=nonsense", "free-entry jazz"}, {"/tags?orderby=term_group", "jazz free-entry"}, {"/tags?orderby=description", "jazz free-entry"},
	{"/tags?orderby=include&include={free-entry},{jazz}", "free-entry jazz"}, {"/tags?orderby=include&include={jazz},{free-entry}", "jazz free-entry"},
	{"/tags?orderby=parent", "jazz free-entry"}, {"/categories?orderby=parent&include={punk},{rock},{music}", "music rock punk"},
	{"/tags?hide_empty=", "400 rest_invalid_param hide_empty"}, {"/tags?hide_empty=maybe", "400 rest_invalid_param hide_empty"},
	{"/tags?hide_empty=TRUE", "free-entry jazz"}, {"/tags?parent={music}", "free-entry jazz"}, {"/tags?parent=nonsense", "free-entry jazz"},
	{"/categories?parent={music}", "rock"}, {"/categories?parent=music", "400 rest_invalid_param parent"}, {"/categories?parent={jazz}", "400 rest_invalid_param parent"},
	{"/categories?parent=999999", "400 rest_invalid_param parent"}, {"/categories?parent=", "400 rest_invalid_param parent"},
	{"/categories?event={e-rock}", "rock"}, {"/categories?post={e-arts}", "arts-crafts cafe 2026"}, {"/tags?post={e-music}", "free-entry jazz"},
	{"/tags?event={e-rock}&post={e-punk}", "jazz"}, {"/tags?post={e-punk}&event={e-rock}", "jazz"}, {"/tags?post={blog}", "400 rest_invalid_param post"},
	{"/tags?event={e-none}", ""}, {"/tags?event=x", "400 rest_invalid_param event"}, {"/tags?event={e-rock}&post=x", "400 rest_invalid_param post"},
	{"/tags?slug=jazz", "jazz"}, {"/tags?slug=JAZZ", "jazz"}, {"/tags?slug=Free+Entry", "free-entry"}, {"/tags?slug=jazz,free-entry", ""}, {"/tags?slug=none", ""},
	{"/tags?slug[]=jazz", "400 rest_invalid_param slug"}, {"/tags?slug=", "400 rest_invalid_param slug"}, {"/tags?slug=unused", ""}, {"/tags?slug=unused&hide_empty=0", "unused"},
	{"/tags?page=9", "of 2"}, {"/categories?page=9&per_page=3", "of 10"},
	{"/tags?context=embed", "free-entry jazz"}, {"/tags?context=view", "free-entry jazz"}, {"/tags?context=edit", "of 2"}, {"/tags?context=odd", "<nil> <nil>"},
}

// termParameters proves the parameters of term lists and the views of terms.
func termParameters(t *testing.T, e Engine) {
	s := garden(t, e)
	c := s.client(calendar.Options{})
	c.check("", s.rows(termRows))
	c.check("subscriber", []row{{"/tags?context=edit", "of 2"}, {"/categories?context=edit&per_page=1", "of 10"}})
	c.check("contributor", []row{{"/tags?context=edit", "of 2"}, {"/categories?context=edit&per_page=1", "of 10"}})
	c.check("author", []row{{"/tags?context=edit", "of 2"}, {"/categories?context=edit&per_page=1", "arts-crafts of 10"}})
	c.check("editor", []row{{"/tags?context=edit", "free-entry jazz"}})
	if a := c.get("/tags?page=9", ""); !strings.Contains(a.text("previous_rest_url"), "page=8") || a.text("next_rest_url") != "" {
		t.Errorf("%s: previous %s, next %s", a.request, a.text("previous_rest_url"), a.text("next_rest_url"))
	}
	for _, x := range []struct{ path, object, want string }{
		{"/tags", "", "rest_url total total_pages tags"},
		{"/categories?per_page=1&page=2", "", "rest_url total total_pages categories next_rest_url previous_rest_url"},
		{"/tags/{jazz}", "", "id count description name slug taxonomy meta url urls _links"},
		{"/categories/{rock}", "", "id count description name slug taxonomy parent meta url urls _links"},
		{"/categories/{rock}?context=edit", "", "id count description name slug taxonomy parent meta url urls _links"},
		{"/categories/{rock}?context=embed", "", "id name slug taxonomy url urls _links"},
		{"/categories/{rock}?context=odd", "", "_links"},
		{"/categories/{rock}", "urls", "self collection up"},
		{"/categories/{music}", "urls", "self collection"},
	} {
		a := c.get(s.path(x.path), "")
		if got := strings.Join(keysOf(a.body, x.object), " "); got != x.want {
			t.Errorf("%s: %s has %s, want %s", a.request, x.object, got, x.want)
		}
	}
	a := c.get(s.path("/categories/{punk}"), "")
	a.holds(t, [][2]string{{"url", `"` + Site + `/events/category/music/rock/punk/"`}, {"meta", "[]"}, {"parent", s.text("rock")}, {"count", "1"}, {"description", `""`}})
	if got := a.at("_links", "self", 0, "href"); got != `"`+Root+`/categories/`+s.text("punk")+`"` {
		t.Errorf("self of a term is %s", got)
	}
	for _, x := range []row{{"/tags?context=odd", `"tags":[[],[]]`}, {"/tags?context=embed", `{"id":` + s.text("free-entry") + `,"name":"Free entry","slug":"free-entry","taxonomy":"post_tag","url":`}} {
		if a := c.get(x.path, ""); !strings.Contains(string(a.body), x.want) {
			t.Errorf("%s: %s", a.request, a.body)
		}
	}
	nested := c.get(s.path("/events/{e-punk}"), "")
	if got := strings.Join(keysOf(nested.body[strings.Index(string(nested.body), `"categories":[`)+len(`"categories":[`):], ""), " "); got !=
		"name slug term_group term_taxonomy_id taxonomy description parent count filter id urls" {
		t.Errorf("a term in an event has %s", got)
	}
	s.option(schema.OptionPermalinks, "")
	plain := s.client(calendar.Options{}).get(s.path("/categories/{punk}"), "")
	plain.holds(t, [][2]string{{"url", `"` + Site + `/?tribe_events_cat=punk"`}})
}
