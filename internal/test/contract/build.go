package contract

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // for machines without a zone database

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// zeroDate is the UTC date of a draft.
const zeroDate = "0000-00-00 00:00:00"

// site is a small site that a test builds. Its rows are identified by slugs.
type site struct {
	apitest.Tables
	host *bun.DB // as passed to calendar.New by a host
	id   map[string]int64
	next int64

	prefix string // prefix of its tables
	shared bool   // this is the recorded site, which other tests read

	form   string // form in which the languages of items are stored, "" for none
	groups int64  // number of translation groups
}

// newSite returns an empty site in the zone Europe/Brussels.
func newSite(t testing.TB, e Engine) *site {
	t.Helper()
	return siteOn(t, e, e.Blank(t))
}

// siteOn returns an empty site on an empty database.
func siteOn(t testing.TB, e Engine, host *bun.DB) *site {
	t.Helper()
	return siteBeside(t, e, host, ofOthers(t, host))
}

// siteBeside is like siteOn, with a separate pool for other programs.
func siteBeside(t testing.TB, e Engine, host, others *bun.DB) *site {
	t.Helper()
	prefix := e.prefix()
	// InstallCopy does not mark the site as managed by Agenda, because tests write rows for dates as The Events
	// Calendar stores them.
	if !e.Installed {
		must.Succeed(t, schema.InstallCopy(t.Context(), host, prefix))
	}
	if e.Network {
		testdb.Networked(t, others, prefix, ofNetwork)
	}
	s := &site{Tables: tablesOf(t, others, prefix), host: host, prefix: prefix, id: map[string]int64{}, next: 100}
	s.option(schema.OptionHome, Site)
	s.option(schema.OptionSiteURL, Site)
	s.option(schema.OptionTimezone, "Europe/Brussels")
	return s
}

// recordedNow is the time at which the site was recorded.
var recordedNow = time.Date(2026, 11, 21, 5, 41, 58, 0, time.UTC)

// recordedSite returns the recorded site on a database that contains it. Rows that a test adds have ids above those of
// the site.
func recordedSite(t testing.TB, e Engine, host *bun.DB) *site {
	t.Helper()
	return &site{Tables: tablesOf(t, ofOthers(t, host), e.prefix()), host: host, prefix: e.prefix(), id: map[string]int64{}, next: 100_000}
}

// tablesOf returns the tables of a site with a prefix. The prefix of the tables of users, which the sites of a network
// share, is ?(users).
func tablesOf(t testing.TB, others *bun.DB, prefix string) apitest.Tables {
	t.Helper()
	db := must.Get(schema.Bind(others, prefix))(t)
	return apitest.Tables{T: t, DB: db.WithNamedArg("users", bun.Safe(schema.DefaultPrefix))}
}

// users returns the tables of the site's users.
func (s *site) users() *apitest.Tables {
	return &apitest.Tables{T: s.T, DB: s.DB.WithNamedArg("prefix", bun.Safe(schema.DefaultPrefix))}
}

// ofOthers returns a pool for what other programs write to a database. It differs from the host's pool, except on
// SQLite, whose databases may be in memory.
func ofOthers(t testing.TB, host *bun.DB) *bun.DB {
	t.Helper()
	if host.Dialect().Name() != dialect.MySQL {
		return host
	}
	return testdb.OfOthers(t, host)
}

// now is the time on all small sites: noon on a Saturday in Brussels, during daylight saving time.
var now = time.Date(2030, 6, 15, 10, 0, 0, 0, time.UTC)

// client serves the site as it is stored now, with a caller for each role.
func (s *site) client(opts calendar.Options) *client {
	s.T.Helper()
	opts.DB, opts.Site.Prefix = s.host, s.prefix
	if opts.Now == nil {
		opts.Now = func() time.Time { return now }
	}
	if opts.Authenticator == nil {
		opts.Authenticator = callersOf(s.T, s.DB, s.prefix)
	}
	return newClient(s.T, opts)
}

// option sets an option. Only clients that are created afterwards read it.
func (s *site) option(name, value string) {
	s.T.Helper()
	s.Exec("DELETE FROM ?(prefix)options WHERE option_name = ?", name)
	s.Insert(&schema.Option{Name: name, Value: value, Autoload: "on"})
}

// own makes the site one of our own: it keeps several dates, and no other program writes them.
func (s *site) own() {
	s.T.Helper()
	must.Succeed(s.T, schema.InstallDates(s.T.Context(), s.host, s.prefix))
	s.option(schema.OptionOwn, "1")
}

// meta adds a meta row to a post.
func (s *site) meta(slug, key, value string) {
	s.T.Helper()
	s.Insert(&schema.PostMeta{PostID: s.idOf(slug), Key: key, Value: value})
}

// idOf returns the id for a slug.
func (s *site) idOf(slug string) int64 {
	s.T.Helper()
	id, ok := s.id[slug]
	if !ok {
		s.T.Fatalf("nothing has the slug %q", slug)
	}
	return id
}

var reference = regexp.MustCompile(`\{[A-Za-z0-9%][\w%.' -]*\}`)

// fill replaces {slugs} by ids.
func (s *site) fill(text string) string {
	s.T.Helper()
	return reference.ReplaceAllStringFunc(text, func(slug string) string { return s.idText(slug[1 : len(slug)-1]) })
}

func (s *site) idText(slug string) string {
	s.T.Helper()
	return itoa(s.idOf(slug))
}

// thing is a post of any type. If metas contains a key that the builder itself writes, it replaces those rows.
type thing struct {
	slug, title, content, excerpt string
	status                        string // default: publish
	author                        int64  // default: 1
	password                      string
	posted                        string // local time; default: 2030-01-01 with the id as seconds
	parent                        string // slug
	order                         int64
	meta                          [][2]string

	// For events:
	start, end  string // local time in the zone; the default of the end is an hour after the start
	zone        string // default: Europe/Brussels
	occurrences [][2]string
	noRow       bool // omit the row in the table of occurrences
	venues      []string
	organizers  []string
	terms       []string
}

// post inserts a post of a type.
func (s *site) post(postType string, p thing) int64 {
	s.T.Helper()
	s.next++
	id := s.next
	s.id[p.slug] = id
	status := cmp.Or(p.status, schema.StatusPublish)
	posted := cmp.Or(p.posted, time.Date(2030, 1, 1, 0, 0, int(id), 0, time.UTC).Format(time.DateTime))
	utc := posted
	if status == schema.StatusDraft || status == schema.StatusPending {
		utc = zeroDate
	}
	parent := int64(0)
	if p.parent != "" {
		parent = s.idOf(p.parent)
	}
	s.Insert(&schema.Post{
		ID: id, Author: cmp.Or(p.author, 1), Date: posted, DateGMT: utc, Modified: posted, ModifiedGMT: posted,
		Title: cmp.Or(p.title, p.slug), Content: p.content, Excerpt: p.excerpt, Status: status, Password: p.password,
		Name: p.slug, Parent: parent, MenuOrder: p.order, Type: postType, GUID: Site + "/?p=" + itoa(id),
	})
	for _, m := range p.meta {
		s.meta(p.slug, m[0], m[1])
	}
	return id
}

func (s *site) venue(p thing) int64     { s.T.Helper(); return s.post("tribe_venue", p) }
func (s *site) organizer(p thing) int64 { s.T.Helper(); return s.post("tribe_organizer", p) }

// event inserts an event with its dates in the meta rows and in both tables.
func (s *site) event(p thing) int64 {
	s.T.Helper()
	id := s.post("tribe_events", p)
	p.zone = cmp.Or(p.zone, "Europe/Brussels")
	start := s.clock(p.start)
	end := start.Add(time.Hour)
	if p.end != "" {
		end = s.clock(p.end)
	}
	dates := map[string]string{
		schema.MetaStartDate: start.Format(time.DateTime), schema.MetaEndDate: end.Format(time.DateTime),
		schema.MetaStartDateUTC: s.utc(start, p.zone), schema.MetaEndDateUTC: s.utc(end, p.zone), schema.MetaTimezone: p.zone,
	}
	for _, m := range p.meta {
		delete(dates, m[0])
	}
	for _, key := range slices.Sorted(maps.Keys(dates)) {
		s.meta(p.slug, key, dates[key])
	}
	for _, v := range p.venues {
		s.meta(p.slug, schema.MetaVenueID, s.idText(v))
	}
	for _, o := range p.organizers {
		s.meta(p.slug, schema.MetaOrganizerID, s.idText(o))
	}
	for _, term := range p.terms {
		s.assign(id, term, cmp.Or(p.status, schema.StatusPublish) == schema.StatusPublish)
	}
	rows := p.occurrences
	if rows == nil {
		rows = [][2]string{{start.Format(time.DateTime), end.Format(time.DateTime)}}
	}
	if !p.noRow {
		s.occurrences(id, p.zone, rows)
	}
	return id
}

func (s *site) occurrences(id int64, zone string, rows [][2]string) {
	s.T.Helper()
	for i, r := range rows {
		start, end := s.clock(r[0]), s.clock(r[1])
		if i == 0 {
			s.Insert(&schema.EventRow{
				ID: id, PostID: id, StartDate: r[0], EndDate: r[1], Timezone: zone,
				StartDateUTC: s.utc(start, zone), EndDateUTC: s.utc(end, zone),
				Duration: min(int64(end.Sub(start).Seconds()), schema.MaxDuration),
			})
		}
		s.Insert(&schema.Occurrence{
			EventID: id, PostID: id, StartDate: start.Format(time.DateTime), StartDateUTC: s.utc(start, zone),
			EndDate: end.Format(time.DateTime), EndDateUTC: s.utc(end, zone),
			Duration: min(int64(end.Sub(start).Seconds()), schema.MaxDuration),
			Hash:     itoa(id) + "-" + strconv.Itoa(i),
		})
	}
}

// clock parses a local time, with or without seconds, or a date.
func (s *site) clock(text string) time.Time {
	s.T.Helper()
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, strings.Replace(text, "T", " ", 1)); err == nil {
			return t
		}
	}
	s.T.Fatalf("no date: %q", text)
	return time.Time{}
}

func (s *site) utc(wall time.Time, zone string) string {
	s.T.Helper()
	at, err := time.LoadLocation(zone)
	if err != nil { // a fixed offset such as "UTC+5.5"
		hours, err := strconv.ParseFloat(strings.TrimPrefix(zone, "UTC"), 64)
		if err != nil {
			s.T.Fatalf("no zone: %q", zone)
		}
		at = time.FixedZone(zone, int(hours*3600))
	}
	y, m, d := wall.Date()
	return time.Date(y, m, d, wall.Hour(), wall.Minute(), wall.Second(), 0, at).UTC().Format(time.DateTime)
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// term inserts a term. A category may have a parent.
func (s *site) term(taxonomy, slug, name, parent string) {
	s.T.Helper()
	s.next++
	above := int64(0)
	if parent != "" {
		above = s.idOf(parent)
	}
	s.id[slug] = s.next
	s.Insert(&schema.Term{ID: s.next, Name: name, Slug: slug})
	s.Insert(&schema.TermTaxonomy{ID: s.next + termShift, TermID: s.next, Taxonomy: taxonomy, Parent: above})
}

// termShift is the difference between the two ids of a term, so that a test fails if the code confuses them.
const termShift = 5000

func (s *site) categories(slugs ...string) {
	s.T.Helper()
	for _, slug := range slugs {
		s.term("tribe_events_cat", slug, slug, "")
	}
}

func (s *site) tags(slugs ...string) {
	s.T.Helper()
	for _, slug := range slugs {
		s.term("post_tag", slug, slug, "")
	}
}

func (s *site) assign(post int64, term string, counted bool) {
	s.T.Helper()
	id := s.idOf(term) + termShift
	s.Insert(&schema.TermRelationship{ObjectID: post, TermTaxonomyID: id})
	if counted {
		s.Exec("UPDATE ?(prefix)term_taxonomy SET count = count + 1 WHERE term_taxonomy_id = ?", id)
	}
}
