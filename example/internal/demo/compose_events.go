package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/agendahq/agenda/example/internal/languages"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// writers are the authors, in turn, of events that name none.
var writers = []string{"admin", "editor", "author"}

// addEvents adds an event in all its languages. Its first version was entered at the given time, the others on the same
// day.
func (c *composer) addEvents(e event, n int, at time.Time) error {
	e.Author = cmp.Or(e.Author, writers[n%len(writers)])
	versions := map[string]int64{}
	for i, lang := range c.languages(e) {
		id, err := c.addEvent(e, lang, at.Add(time.Duration(i)*25*time.Minute))
		if err != nil {
			return err
		}
		versions[lang] = id
	}
	if len(versions) > 1 { // a post in a single language is in no group
		c.addGroup(languages.PostsGroups, "event/"+e.In[e.Announced].Slug, versions)
	}
	return nil
}

// addEvent adds an event in one language: its post, its meta, its terms and its rows in the tables of The Events
// Calendar.
func (c *composer) addEvent(e event, lang string, at time.Time) (int64, error) {
	v := e.In[lang]
	when, err := e.first(c.now)
	if err != nil {
		return 0, err
	}
	several, err := e.several(c.now)
	if err != nil {
		return 0, err
	}
	author, err := c.id("user", e.Author)
	if err != nil {
		return 0, err
	}
	post := c.post(c.names.Event, cmp.Or(e.Status, schema.StatusPublish), v.Slug, v.Title, v.Text, author, at)
	post.GUID, post.Excerpt, post.Password = c.guid(post, "event", lang), flow(v.Excerpt), e.Password
	if e.Sticky {
		post.MenuOrder = -1
	}
	m := metas{{schema.MetaEventOrigin, origin}, {schema.MetaShowMapLink, flagText(e.Venue != "")},
		{schema.MetaShowMap, flagText(e.Venue != "")}}
	if err := c.link(&m, e, lang); err != nil {
		return 0, err
	}
	dates(&m, e, when)
	if several != nil {
		m.given(schema.MetaRecurrence, several.rules)
	}
	m.given(schema.MetaCurrencySymbol, e.Symbol)
	m.given(schema.MetaCurrencyPosition, e.Position)
	cost := e.Cost
	if v.Cost != nil {
		cost = v.Cost
	}
	for _, amount := range cost {
		m.addMeta(schema.MetaCost, amount)
	}
	m.given(schema.MetaURL, e.Website)
	if e.Hidden {
		m.addMeta(schema.MetaHideFromUpcoming, "yes")
	}
	m.addMeta(schema.MetaTimezone, when.zone)
	m.addMeta(schema.MetaTimezoneAbbr, when.abbr)
	if e.Featured {
		m.addMeta(schema.MetaFeatured, "1")
	}
	m.given(schema.MetaEventStatus, e.Becomes)
	m.given(schema.MetaEventStatusReason, v.Reason)
	changed, err := c.attach(post, e, lang)
	if err != nil {
		return 0, err
	}
	c.setLanguage(post, lang)
	c.addMeta(post.ID, at, changed, m)
	if several != nil {
		c.addSeveral(post.ID, several, at)
	} else {
		c.addDates(post.ID, when, at)
	}
	return post.ID, nil
}

// flagText returns a boolean in the form that The Events Calendar stores.
func flagText(on bool) string {
	if on {
		return "1"
	}
	return ""
}

// link adds the venue and the organizers, in the language of the event, and the image.
func (c *composer) link(m *metas, e event, lang string) error {
	if e.Venue != "" {
		id, err := c.id("venue", e.Venue, lang)
		if err != nil {
			return err
		}
		m.addMeta(schema.MetaVenueID, strconv.FormatInt(id, 10))
	}
	for _, key := range e.Organizers {
		id, err := c.id("organizer", key, lang)
		if err != nil {
			return err
		}
		m.addMeta(schema.MetaOrganizerID, strconv.FormatInt(id, 10))
	}
	if e.Image != "" {
		if _, err := c.id("image", e.Image); err != nil {
			return err
		}
		m.addMeta(schema.MetaThumbnailID, c.image(e.Image))
	}
	return nil
}

// image returns the id of an image's attachment as a string, or "" if there is none.
func (c *composer) image(key string) string {
	if key == "" {
		return ""
	}
	return strconv.FormatInt(c.ids["image/"+key], 10)
}

func dates(m *metas, e event, when span) {
	if e.At.isAllDay() {
		m.addMeta(schema.MetaAllDay, "1")
	}
	m.addMeta(schema.MetaStartDate, when.start)
	m.addMeta(schema.MetaEndDate, when.end)
	m.addMeta(schema.MetaStartDateUTC, when.startUTC)
	m.addMeta(schema.MetaEndDateUTC, when.endUTC)
	if !e.At.isAllDay() {
		m.addMeta(schema.MetaDuration, strconv.Itoa(when.seconds))
	}
}

// attach relates the event to its categories and tags, in its language, and returns the taxonomies that it uses. Only
// published posts are counted.
func (c *composer) attach(post *schema.Post, e event, lang string) ([]string, error) {
	var used []string
	for _, group := range []struct {
		taxonomy string
		keys     []string
	}{{c.names.Category, e.Categories}, {c.names.Tag, e.Tags}} {
		for _, key := range group.keys {
			id, err := c.id(group.taxonomy, key, lang)
			if err != nil {
				return nil, err
			}
			c.relate(post.ID, id, post.Status == schema.StatusPublish)
		}
		if len(group.keys) > 0 {
			used = append(used, group.taxonomy)
		}
	}
	return used, nil
}

// addDates adds the rows by which lists find the event. Drafts have them too.
func (c *composer) addDates(postID int64, when span, at time.Time) {
	event, date := c.dateRows(postID, when, at)
	c.lastDate++
	date.ID = c.lastDate
	date.Hash = schema.OccurrenceHash(*date)
	c.events, c.occurrences = append(c.events, event), append(c.occurrences, date)
}

// dateRows returns the row of an event in tec_events, and the row of one of its occurrences, which has no id and no
// hash yet.
func (c *composer) dateRows(postID int64, when span, at time.Time) (*schema.EventRow, *schema.Occurrence) {
	duration := int64(min(when.seconds, schema.MaxDuration))
	id := int64(len(c.events) + len(c.severalEvents) + 1)
	updated := at.UTC().Format(stamp)
	event := &schema.EventRow{
		ID: id, PostID: postID, StartDate: when.start, EndDate: when.end, Timezone: when.zone,
		StartDateUTC: when.startUTC, EndDateUTC: when.endUTC, Duration: duration, UpdatedAt: updated,
	}
	return event, &schema.Occurrence{
		EventID: id, PostID: postID, StartDate: when.start, EndDate: when.end,
		StartDateUTC: when.startUTC, EndDateUTC: when.endUTC, Duration: duration, UpdatedAt: updated,
	}
}

// addOptions adds the settings of the site and the options that WordPress and The Events Calendar derive from its
// content.
func (c *composer) addOptions() {
	var tree phpval.Array
	for _, t := range c.taxonomies {
		if t.Parent == 0 {
			continue
		}
		key := phpval.IntKey(t.Parent)
		children, _ := tree.GetKey(key)
		list, ok := children.(*phpval.Array)
		if !ok {
			list = phpval.List()
			tree.Set(key, list)
		}
		list.Set(phpval.IntKey(int64(list.Len())), t.TermID)
	}
	c.options = [][2]string{
		{schema.OptionTimezone, siteZone}, {schema.OptionBlogName, "Elzenburg – Aulnebourg"},
		{schema.OptionCalendar, phpval.Serialize(c.calendarOption())},
		{schema.OptionChildren(c.names.Category), phpval.Serialize(&tree)},
		{languages.Option, languages.Settings(c.Languages[0].Code)},
		{schema.OptionLastSavePost, fmt.Sprintf("%d.0001", c.now.Unix())},
	}
}

// calendarOption returns the option with the currency, and with the first and the last date of published events.
func (c *composer) calendarOption() *phpval.Array {
	shown := map[int64]bool{}
	for _, p := range c.posts {
		shown[p.ID] = p.Status == schema.StatusPublish || p.Status == schema.StatusPrivate
	}
	var first, last *schema.Occurrence
	all := slices.Clone(c.occurrences)
	for _, date := range c.severalDates {
		all = append(all, &date.Occurrence)
	}
	for _, o := range all {
		if !shown[o.PostID] {
			continue
		}
		if first == nil || o.StartDateUTC < first.StartDateUTC {
			first = o
		}
		if last == nil || o.EndDateUTC > last.EndDateUTC {
			last = o
		}
	}
	return assoc(
		"defaultCurrencySymbol", "€", "defaultCurrencyCode", "EUR", "reverseCurrencyPosition", false,
		"earliest_date", first.StartDateUTC, "earliest_date_markers", phpval.List(first.PostID),
		"latest_date", last.EndDateUTC, "latest_date_markers", phpval.List(last.PostID))
}
