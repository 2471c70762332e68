package contract

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// fact is an increasing number that is stored in one place and shown in some responses.
type fact struct {
	name  string
	views []exactView

	// store writes a number like another program. If it is nil, the number is written through the API.
	store func(ctx context.Context, db bun.IDB, n int64) error
	// body is the body of the request that writes a number through the API, to path.
	method, path, body string

	mu     sync.Mutex // held by the only writer
	stored int64      // the last number that was stored, guarded by mu

	published sync.Mutex
	exact     int64       // the last number that every response must show
	older     []published // later numbers, which responses may lack for a while
}

// published is a number with the time at which it was known to be committed.
type published struct {
	n  int64
	at time.Time
}

// publish records that a number was committed, by the process that is read (own) or by another one.
func (f *fact) publish(n int64, own bool) {
	f.published.Lock()
	defer f.published.Unlock()
	if own {
		f.exact, f.older = n, nil
		return
	}
	f.older = append(f.older, published{n, time.Now()})
}

// least returns the smallest number that responses to requests from now on may show. They may lack what others
// committed during the time stale.
func (f *fact) least(stale time.Duration) int64 {
	f.published.Lock()
	defer f.published.Unlock()
	for len(f.older) > 0 && time.Since(f.older[0].at) >= stale {
		f.exact, f.older = f.older[0].n, f.older[1:]
	}
	return f.exact
}

// exactView is a response that shows a fact.
type exactView struct {
	path string
	at   []string // the path of the member; for a page, the word before the number
}

var lastNumber = regexp.MustCompile(`(\d+)\D*$`)

// number returns the number that a response shows, or -1 if it shows none.
func (v exactView) number(a apitest.Answer) int64 {
	m := v.shown(a)
	if m == nil {
		return -1
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// Numbers of facts of a kind, and the days on which events are listed.
const (
	exactTitles     = 3   // written by other programs
	exactWriters    = 64  // written through the API
	exactUntold     = 200 // events without a language
	exactListed     = "2050-01-01"
	exactTranslated = "2060-01-01"
	exactCreated    = "2070-01-01"

	factTranslations = "translations"
)

// exactSite is a site with facts in every table that responses are made from.
type exactSite struct {
	*site
	facts []*fact
}

// newExactSite creates the site on an empty database.
func newExactSite(s *site) *exactSite {
	x := &exactSite{site: s}
	s.storeLanguages("table")
	s.option(schema.OptionLastSavePost, "0")
	for i := range exactTitles {
		x.title(fmt.Sprint("title", i))
		x.city(fmt.Sprint("city", i))
		x.category(fmt.Sprint("category", i))
	}
	x.link()
	x.file()
	x.symbol()
	for i := range exactWriters {
		x.written(i)
	}
	x.occurrence()
	x.translation()
	for _, f := range x.facts {
		f.exact = f.stored
	}
	return x
}

// addFact adds a fact whose first number is stored.
func (x *exactSite) addFact(f *fact) {
	x.T.Helper()
	x.facts = append(x.facts, f)
}

// update returns a store function that executes a statement with two arguments: text formatted with the number, and an
// id.
func update(statement, text string, id int64) func(context.Context, bun.IDB, int64) error {
	return func(ctx context.Context, db bun.IDB, n int64) error {
		_, err := db.NewRaw(statement, fmt.Sprintf(text, n), id).Exec(ctx)
		return err
	}
}

// metaRow returns the id of a meta row.
func (x *exactSite) metaRow(slug, key string) int64 {
	x.T.Helper()
	ids := x.Scan("SELECT meta_id FROM ?(prefix)postmeta WHERE post_id = ? AND meta_key = ?", x.idOf(slug), key)
	id := must.Get(strconv.ParseInt(ids[0], 10, 64))(x.T)
	return id
}

const (
	setTitle = "UPDATE ?(prefix)posts SET post_title = ? WHERE ID = ?"
	setMeta  = "UPDATE ?(prefix)postmeta SET meta_value = ? WHERE meta_id = ?"
	setName  = "UPDATE ?(prefix)terms SET name = ? WHERE term_id = ?"
)

func (x *exactSite) title(slug string) {
	month := len(x.facts)%12 + 1
	id := x.event(thing{slug: slug, title: "Title 1", start: fmt.Sprintf("2031-%02d-10 10:00", month)})
	x.addFact(&fact{name: slug, stored: 1, store: update(setTitle, "Title %d", id), views: []exactView{
		{"/events/" + itoa(id), []string{"title"}}, {"/events?include=" + itoa(id), []string{"events", "0", "title"}},
		{"/events/by-slug/" + slug, []string{"title"}}, onPage("/event/"+slug+"/", "Title "),
		onPage("/?month=2031-"+fmt.Sprintf("%02d", month), "Title "),
	}})
}

func (x *exactSite) city(slug string) {
	venue := x.venue(thing{slug: slug, meta: [][2]string{{schema.MetaVenueCity, "City 1"}}})
	event := x.event(thing{slug: slug + "-event", start: "2032-01-10 10:00", venues: []string{slug}})
	x.addFact(&fact{name: slug, stored: 1, store: update(setMeta, "City %d", x.metaRow(slug, schema.MetaVenueCity)), views: []exactView{
		{"/venues/" + itoa(venue), []string{"city"}}, {"/events/" + itoa(event), []string{"venue", "city"}},
		{"/events?venue=" + itoa(venue) + "&start_date=2032-01-01", []string{"events", "0", "venue", "city"}},
		onPage("/event/"+slug+"-event/", "City "),
	}})
}

func (x *exactSite) category(slug string) {
	x.term("tribe_events_cat", slug, "Name 1", "")
	event := x.event(thing{slug: slug + "-event", start: "2033-01-10 10:00", terms: []string{slug}})
	x.addFact(&fact{name: slug, stored: 1, store: update(setName, "Name %d", x.idOf(slug)), views: []exactView{
		{"/categories/" + x.idText(slug), []string{"name"}}, {"/events/" + itoa(event), []string{"categories", "0", "name"}},
		{"/categories?include=" + x.idText(slug), []string{"categories", "0", "name"}}, onPage("/?category="+slug+"&view=list", "Name "),
	}})
}

// link adds the fact of which venue an event links.
func (x *exactSite) link() {
	x.venue(thing{slug: "hall", title: "Hall 1"})
	event := x.event(thing{slug: "linked", start: "2034-01-10 10:00", venues: []string{"hall"}})
	row := x.metaRow("linked", schema.MetaVenueID)
	x.addFact(&fact{name: "link", stored: 1, views: []exactView{
		{"/events/" + itoa(event), []string{"venue", "venue"}},
		{"/events?start_date=2034-01-01&end_date=2034-01-31", []string{"events", "0", "venue", "venue"}}, onPage("/event/linked/", "Hall "),
	}, store: func(ctx context.Context, db bun.IDB, n int64) error {
		venue := publicPost("tribe_venue", fmt.Sprint("Hall ", n))
		if _, err := db.NewInsert().Model(venue).Exec(ctx); err != nil {
			return err
		}
		return update(setMeta, "%d", row)(ctx, db, venue.ID)
	}})
}

func publicPost(kind, title string) *schema.Post {
	const day = "2030-01-01 00:00:00"
	return &schema.Post{Author: 1, Date: day, DateGMT: day, Modified: day, ModifiedGMT: day, Title: title, Name: title,
		Status: schema.StatusPublish, Type: kind}
}

// file adds the fact of which file an event's image is.
func (x *exactSite) file() {
	x.post(schema.TypeAttachment, thing{slug: "image", status: schema.StatusInherit,
		meta: [][2]string{{schema.MetaAttachedFile, "2030/01/image-1.png"}}})
	x.Exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", x.idOf("image"))
	event := x.event(thing{slug: "pictured", start: "2035-01-10 10:00", meta: [][2]string{{"_thumbnail_id", x.idText("image")}}})
	x.addFact(&fact{name: "file", stored: 1, store: update(setMeta, "2030/01/image-%d.png", x.metaRow("image", schema.MetaAttachedFile)),
		views: []exactView{
			{"/events/" + itoa(event), []string{"image", "url"}},
			{"/events?start_date=2035-01-01&end_date=2035-01-31", []string{"events", "0", "image", "url"}},
		}})
}

// symbol adds the fact of the currency symbol, which is an option.
func (x *exactSite) symbol() {
	value := func(n int64) string {
		text := fmt.Sprint("c", n)
		return fmt.Sprintf(`a:2:{s:21:"defaultCurrencySymbol";s:%d:"%s";s:23:"reverseCurrencyPosition";b:1;}`, len(text), text)
	}
	const name = "tribe_events_calendar_options"
	x.option(name, value(1))
	event := x.event(thing{slug: "paid", start: "2036-01-10 10:00", meta: [][2]string{{schema.MetaCost, "5"}}})
	x.addFact(&fact{name: "symbol", stored: 1, views: []exactView{
		{"/events/" + itoa(event), []string{"cost"}},
		{"/events?start_date=2036-01-01&end_date=2036-01-31", []string{"events", "0", "cost"}},
	}, store: func(ctx context.Context, db bun.IDB, n int64) error {
		_, err := db.NewRaw("UPDATE ?(prefix)options SET option_value = ? WHERE option_name = ?", value(n), name).Exec(ctx)
		return err
	}})
}

// from returns views of the number of events from a day on.
func from(root, day string) []exactView {
	path := root + "/events?start_date=" + day + "&end_date=" + day[:4] + "-12-31"
	return []exactView{{path, []string{"total"}}, {path + "&per_page=1", []string{"total"}}}
}

// occurrence adds the fact of how many occurrences there are in a year.
func (x *exactSite) occurrence() {
	x.addFact(&fact{name: "occurrences", views: from("", exactListed), store: func(ctx context.Context, db bun.IDB, n int64) error {
		post := publicPost("tribe_events", fmt.Sprint("listed-", n))
		if _, err := db.NewInsert().Model(post).Exec(ctx); err != nil {
			return err
		}
		return addDates(ctx, db, post.ID, exactListed)
	}})
}

// addDates adds the rows for an event's dates. The one by which it is listed is the last.
func addDates(ctx context.Context, db bun.IDB, id int64, day string) error {
	start, end := day+" 10:00:00", day+" 11:00:00"
	metas := []*schema.PostMeta{
		{PostID: id, Key: schema.MetaStartDate, Value: start}, {PostID: id, Key: schema.MetaEndDate, Value: end},
		{PostID: id, Key: schema.MetaStartDateUTC, Value: start}, {PostID: id, Key: schema.MetaEndDateUTC, Value: end},
		{PostID: id, Key: schema.MetaTimezone, Value: "UTC"},
	}
	if _, err := db.NewInsert().Model(&metas).Returning("NULL").Exec(ctx); err != nil {
		return err
	}
	row := &schema.EventRow{PostID: id, StartDate: start, EndDate: end, StartDateUTC: start, EndDateUTC: end, Timezone: "UTC",
		Duration: 3600}
	if _, err := db.NewInsert().Model(row).Exec(ctx); err != nil {
		return err
	}
	_, err := db.NewInsert().Model(&schema.Occurrence{EventID: row.ID, PostID: id, StartDate: start, EndDate: end, StartDateUTC: start,
		EndDateUTC: end, Duration: 3600, Hash: itoa(id)}).Exec(ctx)
	return err
}

// translation adds the fact of how many events are in a language.
func (x *exactSite) translation() {
	const firstEvent, firstGroup = 10_000, 50_000
	must.Succeed(x.T, x.DB.RunInTx(x.T.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
		for i := range exactUntold {
			post := publicPost("tribe_events", fmt.Sprint("untold-", i))
			post.ID = int64(firstEvent + i)
			if _, err := tx.NewInsert().Model(post).Exec(ctx); err != nil {
				return err
			}
			if err := addDates(ctx, tx, post.ID, exactTranslated); err != nil {
				return err
			}
		}
		return nil
	}))
	x.addFact(&fact{name: factTranslations, views: from(Site+"/en/wp-json/tribe/events/v1", exactTranslated),
		store: func(ctx context.Context, db bun.IDB, n int64) error {
			if n > exactUntold {
				return fmt.Errorf("there are %d events to translate", exactUntold)
			}
			_, err := db.NewRaw("INSERT INTO ?(prefix)icl_translations (element_type, element_id, trid, language_code) "+
				"VALUES ('post_tribe_events', ?, ?, 'en')", firstEvent+n-1, firstGroup-n).Exec(ctx)
			return err
		}})
}

// written adds the fact of one writer that uses the API.
func (x *exactSite) written(i int) {
	slug := fmt.Sprint("written", i)
	f := &fact{name: slug, stored: 1, method: "PATCH"}
	switch i % 4 {
	case 0:
		f.path = "/events/" + itoa(x.event(thing{slug: slug, title: "Title 1", start: "2037-01-10 10:00"}))
		f.body, f.views = `{"title":"Title %d"}`, []exactView{{f.path, []string{"title"}},
			{"/events?include=" + x.idText(slug), []string{"events", "0", "title"}}, onPage("/event/"+slug+"/", "Title ")}
	case 1:
		f.path = "/venues/" + itoa(x.venue(thing{slug: slug, meta: [][2]string{{schema.MetaVenueCity, "City 1"}}}))
		f.body, f.views = `{"city":"City %d"}`, []exactView{{f.path, []string{"city"}},
			{"/venues/by-slug/" + slug, []string{"city"}}}
	case 2:
		x.term("tribe_events_cat", slug, "Name 1", "")
		f.path = "/categories/" + x.idText(slug)
		f.body, f.views = `{"name":"Name %d"}`, []exactView{{f.path, []string{"name"}},
			{"/categories?hide_empty=0&include=" + x.idText(slug), []string{"categories", "0", "name"}}}
	default: // each of these has its own day
		day := exactCreated[:5] + time.Date(2070, 1, 1+i, 0, 0, 0, 0, time.UTC).Format("01-02")
		f.method, f.path, f.stored = "POST", "/events", 0
		f.body = `{"title":"Created %d","start_date":"` + day + ` 10:00","end_date":"` + day + ` 11:00"}`
		f.views = []exactView{{"/events?start_date=" + day + "&end_date=" + day, []string{"total"}}}
	}
	x.addFact(f)
}
