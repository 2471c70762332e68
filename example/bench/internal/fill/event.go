package fill

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// event is a generated event. Venues, terms and so on are numbers from 0: their ids follow from the first id of each.
type event struct {
	title, slug, content, excerpt, status, password string

	author     int
	entered    time.Time // in the time zone of the site
	venue      int       // -1 if there is none
	organizers []int
	categories []int
	tags       []int
	picture    int // one of the shared images, -1 if there is none
	ownPicture bool

	span
	price            price
	website          string
	showMap, mapLink bool
	hidden, featured bool
	number           int64
}

// random makes the choices of one event.
type random struct{ *rand.Rand }

// chance returns true with a probability between 0 and 1.
func (r random) chance(often float64) bool { return r.Float64() < often }

// early returns a number below n. Smaller numbers are more frequent: 0 is the most popular by far.
func (r random) early(n int) int {
	u := r.Float64()
	return int(float64(n) * u * u)
}

// several returns n different numbers below of, popular ones first.
func (r random) several(n, of int) []int {
	if n == 0 {
		return nil
	}
	list := make([]int, 0, n)
pick:
	for len(list) < n {
		x := r.early(of)
		for _, y := range list {
			if x == y {
				continue pick
			}
		}
		list = append(list, x)
	}
	return list
}

// weighted returns one of the numbers 0, 1, 2 … by their weights, which add up to 100.
func (r random) weighted(weights ...int) int {
	x := r.IntN(100)
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// event returns the event with a number, which starts at 0.
func (p *place) event(seed uint64, number int64) *event {
	r := random{rand.New(rand.NewPCG(seed, uint64(number)))}
	e := &event{number: number, venue: -1, picture: -1, status: schema.StatusPublish}
	e.span = p.span(r)
	e.entered = p.entered(r, e.begins)
	e.author = r.early(len(people))
	if r.chance(0.9) {
		e.venue = r.early(venueCount)
		e.showMap, e.mapLink = true, r.chance(0.9)
	}
	e.organizers = r.several(r.weighted(25, 55, 20), organizerCount)
	e.categories = r.several(1+r.weighted(60, 30, 10), len(categories()))
	e.tags = r.several(r.weighted(20, 22, 22, 18, 12, 6), tagCount)
	if r.chance(0.35) {
		if e.ownPicture = r.chance(0.2); !e.ownPicture {
			e.picture = r.IntN(pictureCount)
		}
	}
	if r.chance(0.65) {
		e.price = p.prices[r.early(len(p.prices))]
	}
	e.texts(r)
	e.circumstances(r)
	e.slug = wp.Slug(e.title) + "-" + strconv.FormatInt(number+1, 10) // so that no two events share a slug
	if e.status == schema.StatusDraft || e.status == schema.StatusPending {
		e.slug = ""
	}
	return e
}

// settled is the number of events among which there are as many drafts as on an ordinary site. Later events are hardly
// ever hidden or drafts, since drafts do not accumulate over the years.
const settled = 500

// circumstances sets properties that few events have.
func (e *event) circumstances(r random) {
	if r.chance(0.35) {
		e.website = "https://tickets.example.org/" + strconv.FormatInt(e.number+1, 36) + "?lang=en"
	}
	e.featured = r.chance(0.03)
	if e.number >= settled && r.chance(0.95) {
		return
	}
	e.hidden = r.chance(0.005)
	switch r.weighted(94, 2, 1, 1, 2) {
	case 1:
		e.status = schema.StatusDraft
	case 2:
		e.status = schema.StatusPending
	case 3:
		e.status = schema.StatusPrivate
	case 4:
		e.password = "members-" + strconv.Itoa(r.IntN(1000))
	}
}
