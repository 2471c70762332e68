package contract

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// listing is a list that a caller requests.
type listing struct{ path, as string }

// listings contains lists of every resource, in orders in which an item of strays comes first. A page has one item, so
// that the total does not result from the page.
var listings = []listing{
	{"/events?start_date=2000-01-01&end_date=2040-01-01&per_page=1", ""},
	{"/events?start_date=2000-01-01&end_date=2040-01-01&per_page=1&status=publish,draft,future,private,pending", "editor"},
	{"/venues?orderby=title&order=asc&per_page=1", ""},
	{"/venues?orderby=title&order=asc&per_page=1&status=publish,draft,private", "editor"},
	{"/organizers?orderby=title&order=asc&per_page=1", ""},
	{"/organizers?orderby=title&order=asc&per_page=1&status=publish,draft,private", "editor"},
	{"/categories?hide_empty=0&per_page=1", ""},
	{"/tags?hide_empty=0&per_page=1", ""},
}

// another returns another calendar on the same site.
func (b *bench) another(opts calendar.Options) *bench {
	b.T.Helper()
	other := &bench{site: b.site, counter: b.counter, log: b.log, hook: b.hook, uploads: b.uploads}
	other.open(opts)
	return other
}

// total returns the total of a list.
func (b *bench) total(l listing) int64 {
	b.T.Helper()
	a := b.DoWithin(b.T.Context(), l.as, http.MethodGet, l.path, "")
	n := a.Number("total")
	if a.Status != http.StatusOK || a.Header.Get("X-TEC-Total") != itoa(n) || a.Header.Get("X-TEC-TotalPages") != a.At("total_pages") {
		b.T.Errorf("%s\n answered %d %v %s", a.Request, a.Status, a.Header, apitest.Clip(a.Text))
	}
	return n
}

func (b *bench) totals(lists []listing) []int64 {
	b.T.Helper()
	list := make([]int64, len(lists))
	for i, l := range lists {
		list[i] = b.total(l)
	}
	return list
}

// strays adds one public item of every resource, like another program. They come first in the lists, the latest before
// the others, and their names contain the round.
func (b *bench) strays(round int) (names []string) {
	b.T.Helper()
	b.next += 1000 // above the ids that the database has assigned since
	for _, kind := range []string{"event", "venue", "organizer", "category", "tag"} {
		names = append(names, fmt.Sprintf("aa-%03d-%s", 999-round, kind))
	}
	b.event(thing{slug: names[0], start: now.AddDate(-5, 0, -round).Format(time.DateTime)})
	b.venue(thing{slug: names[1]})
	b.organizer(thing{slug: names[2]})
	b.categories(names[3])
	b.tags(names[4])
	return names
}

// keptTotals checks that totals are never older than what another program, another calendar or the calendar itself
// wrote.
func keptTotals(t *testing.T, e Engine) {
	t.Run("after what another program wrote", func(t *testing.T) { totalsAfterOthers(t, e) })
	t.Run("right after each write", func(t *testing.T) { totalsAfterWrites(t, e) })
}

// totalsAfterOthers checks that an item of another program is on the page and in the total immediately.
func totalsAfterOthers(t *testing.T, e Engine) {
	b := newBench(t, e)
	kept, counted := b.another(calendar.Options{}), b.another(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	b.strays(0)
	for round := 1; round < 4; round++ {
		before := kept.totals(listings)
		if is := counted.totals(listings); !slices.Equal(before, is) || slices.Contains(before, 0) {
			t.Fatalf("totals %v, there are %v", before, is)
		}
		names, kinds := b.strays(round), []string{"events", "venues", "organizers", "categories", "tags"}
		for i, l := range listings {
			for about, of := range map[string]*bench{"kept": kept, "counted": counted} {
				a := of.DoWithin(t.Context(), l.as, http.MethodGet, l.path, "")
				kind := slices.IndexFunc(kinds, func(kind string) bool { return strings.HasPrefix(l.path, "/"+kind) })
				got, want, total := strings.Join(a.Members("id"), " "), b.idText(names[kind]), before[i]+1
				if got != want || a.Number("total") != total || a.Header.Get("X-TEC-Total") != itoa(total) ||
					a.Number("total_pages") != total {
					t.Errorf("%s, %s: shows %s of %d, want %s of %d", a.Request, about, got, a.Number("total"), want, total)
				}
			}
		}
	}
}

// totalsAfterWrites checks that each kind of write, including one whose commit is in doubt, is in the totals of the
// next request, including those of other resources.
func totalsAfterWrites(t *testing.T, e Engine) {
	counted := newFaults(t, e)
	at := netip.MustParseAddrPort(strings.TrimPrefix(counted.images, "http://"))
	kept := &faults{counted.another(calendar.Options{Uploads: calendar.Uploads{
		Dir: counted.uploads, BaseURL: Site + "/wp-content/uploads", Allow: func(netip.Addr) bool { return true },
		Ports: []uint16{at.Port()},
	}}), counted.images}
	kept.strays(0) // so that nothing is empty
	round := 1
	around := func(name string, write func()) {
		t.Helper()
		was := kept.totals(listings)
		kept.strays(round)
		round++
		write()
		if got, want := kept.totals(listings), counted.totals(listings); !slices.Equal(got, want) || slices.Equal(got, was) {
			t.Errorf("%s: totals %v, there are %v; before %v", name, got, want, was)
		}
	}
	for _, w := range writeCases {
		around(w.name, func() { kept.done(w, kept.send(t.Context(), w)) })
	}
	around("outcome unknown", func() {
		kept.counter.FailCommit(gone)
		a := kept.DoWithin(t.Context(), "admin", http.MethodPost, "/tags", `{"name":"Perhaps"}`)
		if a.Word("code") != "rest_outcome_unknown" {
			t.Errorf("%s: %d %s", a.Request, a.Status, a.Text)
		}
		kept.counter.Reset()
		kept.log.taken()
	})
	kept.event(thing{slug: "due", status: "future", posted: now.Add(-time.Hour).Format(time.DateTime), start: "2030-07-01 10:00"})
	around("published when its date came", func() {
		if n, err := kept.cal.PublishDue(t.Context()); n != 1 || err != nil {
			t.Errorf("%d published, %v", n, err)
		}
	})
	kept.settle()
}

// totalsWhileWriting checks that no read that begins after the response to a write has a total from before the write,
// while others read and write.
func totalsWhileWriting(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.host.SetMaxOpenConns(16)
	b.host.SetMaxIdleConns(16)
	kept := b.another(calendar.Options{})
	for round := range 2 {
		kept.strays(round)
	}
	const each = 8 // number of writes of each kind
	kinds := []struct{ path, body string }{
		{"/events", `{"title":"E","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00"}`},
		{"/venues", `{"venue":"V"}`}, {"/tags", `{"name":"T %d"}`},
	}
	made := make([][]int64, len(kinds))
	kept.whileRead([]listing{listings[0], listings[2], listings[7]}, each, 1, func(kind, n int) bool {
		k := kinds[kind]
		a := kept.DoWithin(t.Context(), "admin", http.MethodPost, k.path, strings.ReplaceAll(k.body, "%d", strconv.Itoa(n)))
		made[kind] = append(made[kind], a.Number("id"))
		return a.Status == http.StatusCreated
	})
	if t.Failed() {
		return
	}
	kept.whileRead([]listing{listings[0], listings[2], listings[7]}, each, -1, func(kind, n int) bool {
		path := fmt.Sprintf("%s/%d?force=true", kinds[kind].path, made[kind][n])
		return kept.DoWithin(t.Context(), "admin", http.MethodDelete, path, "").Status == http.StatusOK
	})
	kept.settle()
}

// whileRead sends writes, each of which changes the total of its resource's list by step, while readers request the
// list. Writes of the same resource are sent one after the other.
func (b *bench) whileRead(lists []listing, writes int, step int64, write func(kind, n int) bool) {
	b.T.Helper()
	before := b.totals(lists)
	begun, answered := make([]atomic.Int64, len(lists)), make([]atomic.Int64, len(lists))
	var writing, reading sync.WaitGroup
	ended := make(chan struct{})
	for kind := range lists {
		writing.Go(func() {
			for n := range writes {
				begun[kind].Add(1)
				if !write(kind, n) {
					b.T.Errorf("%s: write %d failed", lists[kind].path, n)
					return
				}
				answered[kind].Add(1)
			}
		})
	}
	var reads atomic.Int64
	for reader := range 6 {
		reading.Go(func() {
			for i, last := reader, false; !last; i++ {
				select {
				case <-ended:
					last = true
				default:
				}
				kind := i % len(lists)
				least := answered[kind].Load()
				done := (b.total(lists[kind]) - before[kind]) * step
				if most := begun[kind].Load(); done < least || done > most {
					b.T.Errorf("%s: the total includes %d writes: %d were answered before, %d begun", lists[kind].path, done, least, most)
					return
				}
				reads.Add(1)
			}
		})
	}
	writing.Wait()
	close(ended)
	reading.Wait()
	for i, got := range b.totals(lists) {
		if want := before[i] + step*int64(writes); got != want {
			b.T.Errorf("%s: total %d in the end, want %d", lists[i].path, got, want)
		}
	}
	b.T.Logf("%d reads", reads.Load())
}
