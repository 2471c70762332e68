package contract

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// ticketsActive contains the options of a site whose events have tickets of both kinds.
var ticketsActive = map[string]string{
	"active_plugins": `a:1:{i:0;s:31:"event-tickets/event-tickets.php";}`,
	schema.OptionCalendar: `a:2:{s:24:"tickets_commerce_enabled";b:1;s:25:"ticket-enabled-post-types";` +
		`a:1:{i:0;s:12:"tribe_events";}}`,
}

// ticketed is a site with Event Tickets and a journal.
type ticketed struct {
	*journaled
	seen int64 // the last change that was read
}

func newTicketed(t *testing.T, e Engine) *ticketed {
	t.Helper()
	s := &ticketed{journaled: newJournaled(t, e)}
	for name, value := range ticketsActive {
		s.option(name, value)
	}
	s.ticket("paid", schema.PaidTickets, "e1", "publish", [][2]string{{schema.MetaTicketPrice, "25"}, {schema.MetaTicketStock, "9"},
		{schema.MetaTicketLimited, "yes"}, {schema.MetaTicketStart, "2030-06-01 00:00:00"}, {schema.MetaTicketEnd, "2030-07-01 10:00:00"}})
	s.ticket("reply", schema.RSVPTickets, "e1", "draft", [][2]string{{schema.MetaTicketStock, "9"}})
	s.opts.Cache.Tags = calendar.SurrogateKey
	return s
}

// ticket adds a ticket for an event.
func (s *ticketed) ticket(slug string, kind schema.TicketKind, event, status string, meta [][2]string) {
	s.site.T.Helper()
	s.post(kind.PostType, thing{slug: slug, status: status, meta: append(meta, [2]string{kind.EventKey, s.idText(event)})})
}

// changed updates the journal, and returns the new changes.
func (s *ticketed) changed() (found []string) {
	s.site.T.Helper()
	s.scan()
	own := must.Get(schema.OpenJournal(s.site.T.Context(), s.host, s.prefix, false))(s.site.T)
	defer own.Close()
	var rows []*schema.JournalChange
	must.Succeed(s.site.T, own.DB.NewSelect().Model(&rows).Where("sequence > ?", s.seen).Order("sequence").Scan(s.site.T.Context()))
	for _, c := range rows {
		s.seen = c.Sequence
		found = append(found, surrogate.Item(c.Kind, c.ID))
	}
	slices.Sort(found)
	return found
}

// syncTickets changes tickets like Event Tickets. Each change must be recorded as a change of the ticket's event, so
// that sync and caches notice it, unless no response shows it.
func syncTickets(t *testing.T, e Engine) {
	s := newTicketed(t, e)
	s.install()
	s.changed()
	list := s.mirror("", "/events")
	list.pull()
	s.keyed("/events?start_date=2020-01-01", "events")
	s.keyed("/events?start_date=2020-01-01&ticketed=1", "events")
	const stock = "UPDATE ?(prefix)postmeta SET meta_value = '%s' WHERE meta_key = '_stock' AND post_id = {paid}"
	for _, c := range []struct {
		name, statement string
		want            string // the events that changed
		shows           string // the ticket in the response for the event afterwards
	}{
		{"a place sold", fmt.Sprintf(stock, "4"), "{e1}", `"availability":"LimitedAvailability"`},
		{"sold out", fmt.Sprintf(stock, "0"), "{e1}", `"availability":"SoldOut"`},
		{"another price", "UPDATE ?(prefix)postmeta SET meta_value = '30' WHERE meta_key = '_price' AND post_id = {paid}",
			"{e1}", `"price":"30"`},
		{"another end of the sale", "UPDATE ?(prefix)postmeta SET meta_value = '2030-06-30 18:00:00' WHERE meta_key = '_ticket_end_date'" +
			" AND post_id = {paid}", "{e1}", `"validThrough":"2030-06-30T18:00:00+02:00"`},
		{"no start of the sale", "DELETE FROM ?(prefix)postmeta WHERE meta_key = '_ticket_start_date' AND post_id = {paid}", "{e1}", ""},
		{"a draft that sells", "UPDATE ?(prefix)postmeta SET meta_value = '1' WHERE meta_key = '_stock' AND post_id = {reply}", "", ""},
		{"a seller's note", "INSERT INTO ?(prefix)postmeta (post_id, meta_key, meta_value) VALUES ({paid}, '_sku', 'A1')", "", ""},
		{"published", "UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = {reply}", "{e1}", `"ticketed":["tc","rsvp"]`},
		{"for another event", "UPDATE ?(prefix)postmeta SET meta_value = '{e2}' WHERE meta_key = '_tribe_rsvp_for_event'", "{e1} {e2}",
			`"ticketed":["tc"]`},
		{"in the trash", "UPDATE ?(prefix)posts SET post_status = 'trash' WHERE ID = {paid}", "{e1}", `"ticketed":false`},
		{"back", "UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = {paid}", "{e1}", `"ticketed":["tc"]`},
		{"deleted", "DELETE FROM ?(prefix)postmeta WHERE post_id = {paid}", "{e1}", `"ticketed":false`},
	} {
		was := s.keyed(s.fill("/events/{e1}"), s.fill("events-{e1}"))
		s.Exec(s.fill(c.statement))
		got := strings.Join(s.changed(), " ")
		if want := s.fill(strings.ReplaceAll(c.want, "{", "events-{")); got != want {
			t.Errorf("%s changed %q, want %q", c.name, got, want)
		}
		is := s.keyed(s.fill("/events/{e1}"), s.fill("events-{e1}"))
		if c.want == "" && is.Text != was.Text || c.want != "" && is.Text == was.Text || !strings.Contains(is.Text, c.shows) {
			t.Errorf("%s: %s, which was %s", c.name, apitest.Clip(is.Text), apitest.Clip(was.Text))
		}
		list.pull()
		list.check(c.name)
	}
}

// keyed reads a path whose response must have a surrogate key.
func (s *ticketed) keyed(path, key string) apitest.Answer {
	s.site.T.Helper()
	a := s.Get("", path)
	if keys := strings.Fields(a.Header.Get(calendar.SurrogateKey)); a.Status != http.StatusOK || !slices.Contains(keys, key) {
		s.site.T.Errorf("%s answered %s with the keys %q, want %s among them", path, a, keys, key)
	}
	return a
}

// pricesOfDays reads a ticket on three days, on the second of which its price is reduced. An ETag of one day must not
// be valid on another.
func pricesOfDays(t *testing.T, e Engine) {
	s := newTicketed(t, e)
	for key, value := range map[string]string{
		schema.MetaTicketReduced: "1", schema.MetaTicketSalePrice: "20", schema.MetaTicketSaleStart: "2030-06-16",
		schema.MetaTicketSaleEnd: "2030-06-16",
	} {
		s.meta("paid", key, value)
	}
	day := now
	s.at = func() time.Time { return day }
	s.open(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	path, tag := s.fill("/events/{e1}"), ""
	for i, price := range []string{"25", "20", "25"} {
		day = now.AddDate(0, 0, i)
		a := s.Do("", http.MethodGet, path, "", "If-None-Match", tag)
		if a.Status != http.StatusOK || !strings.Contains(a.Text, `"price":"`+price+`"`) {
			t.Errorf("day %d: %s, want the price %s", i, a, price)
		}
		if tag = a.Header.Get("ETag"); tag == "" {
			t.Errorf("day %d: no validator", i)
		}
	}
}
