package measure

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// planSeed is the seed of the choice of requests, which is the same in every run on a database.
const planSeed = 1

// These are the numbers of different requests per case. Lists with filters are few, since every filter has a separate
// total and the totals must be cached.
const (
	manyFilters = 8
	manySingles = 256
	manyPages   = 16
)

// plan returns the plan of requests.
func (s *subject) plan(ctx context.Context) (*plan, error) {
	p := &plan{Cases: map[string][]variation{}}
	if err := s.describe(ctx, &p.Site); err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(planSeed, planSeed))
	all, err := s.samples(ctx, r, p.Site.Events)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errors.New("there are no published events to read")
	}
	p.Cases["list"] = []variation{{Path: "/events"}}
	p.Cases["list50"] = []variation{{Path: "/events?per_page=50"}}
	p.Cases["deep"] = []variation{{Path: "/events"}}
	p.Cases["venues"] = []variation{{Path: "/venues?has_events=1&per_page=10"}}
	p.Cases["categories"] = []variation{{Path: "/categories?hide_empty=0&per_page=10"}}
	trees, err := s.trees(ctx)
	if err != nil {
		return nil, err
	}
	p.filters(all, upcoming(all, time.Now()), trees)
	p.singles(all)
	return p, s.links(ctx, &p.Linked)
}

// upcoming returns the events in the default range of lists, or all events if there are none.
func upcoming(all []*sample, now time.Time) (list []*sample) {
	from, to := now.AddDate(0, 0, 2).Format(time.DateTime), now.AddDate(0, 23, 0).Format(time.DateTime)
	for _, x := range all {
		if x.start >= from && x.start <= to {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return all
	}
	return list
}

func (p *plan) filters(all, upcoming []*sample, trees map[int64][]int64) {
	for _, x := range all {
		month, ok := monthOf(x.start)
		if !ok {
			continue
		}
		p.addVariation("month", manyFilters, variation{Path: "/events?" + month})
		if x.category != 0 {
			p.addVariation("category", manyFilters, variation{
				Path:  "/events?categories=" + strconv.FormatInt(x.category, 10) + "&" + month,
				Floor: map[string]string{"terms": joinIDs(trees[x.category])},
			})
		}
	}
	for _, x := range upcoming {
		if x.venue != "" {
			p.addVariation("venue", manyFilters, variation{Path: "/events?venue=" + x.venue, Floor: map[string]string{"venue": x.venue}})
		}
		if word := longestWord(x.title); word != "" {
			p.addVariation("search", manyFilters, variation{Path: "/events?search=" + url.QueryEscape(word),
				Floor: map[string]string{"search": word}})
		}
	}
}

func joinIDs(ids []int64) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatInt(id, 10))
	}
	return b.String()
}

func (p *plan) singles(all []*sample) {
	for _, x := range all {
		id := strconv.FormatInt(x.id, 10)
		byID := variation{Path: "/events/" + id, Floor: map[string]string{"id": id}}
		p.addVariation("single", manySingles, byID)
		p.addVariation("unchanged", manySingles, byID)
		if x.slug != "" {
			p.addVariation("slug", manySingles, variation{Path: "/events/by-slug/" + x.slug, Floor: map[string]string{"slug": x.slug}})
		}
	}
}

// addVariation adds a variation unless the case has it already, or has the maximum number.
func (p *plan) addVariation(name string, most int, v variation) {
	for _, there := range p.Cases[name] {
		if there.Path == v.Path {
			return
		}
	}
	if len(p.Cases[name]) < most {
		p.Cases[name] = append(p.Cases[name], v)
	}
}

// monthOf returns the month of a start as parameters.
func monthOf(start string) (params string, ok bool) {
	day, err := time.Parse(time.DateTime, start)
	if err != nil {
		return "", false
	}
	first := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1)
	return "start_date=" + first.Format(time.DateOnly) + "&end_date=" + last.Format(time.DateOnly), true
}

var plainWord = regexp.MustCompile(`^[A-Za-z]{4,}$`)

// longestWord returns the longest word of a title that consists of letters only.
func longestWord(title string) (longest string) {
	for word := range strings.FieldsSeq(title) {
		if len(word) > len(longest) && plainWord.MatchString(word) {
			longest = word
		}
	}
	return longest
}

// describe counts the items of a site.
func (s *subject) describe(ctx context.Context, site *Site) (err error) {
	names := schema.DefaultNames()
	count := func(n *int64, postType string, statuses ...string) {
		q := s.db.NewSelect().Model((*schema.Post)(nil)).ColumnExpr("COUNT(*)").Where("post_type = ?", postType)
		if len(statuses) > 0 {
			q = q.Where("post_status IN (?)", bun.List(statuses))
		}
		err = errors.Join(err, q.Scan(ctx, n))
	}
	count(&site.Events, names.Event)
	count(&site.Published, names.Event, schema.StatusPublish)
	count(&site.Venues, names.Venue, schema.StatusPublish)
	count(&site.Organizers, names.Organizer, schema.StatusPublish)
	if err != nil {
		return err
	}
	for taxonomy, n := range map[string]*int64{names.Category: &site.Categories, names.Tag: &site.Tags} {
		err := s.db.NewSelect().Model((*schema.TermTaxonomy)(nil)).ColumnExpr("COUNT(*)").Where("taxonomy = ?", taxonomy).Scan(ctx, n)
		if err != nil {
			return err
		}
	}
	if site.Engine, err = s.engine(ctx); err != nil {
		return err
	}
	if site.Filled, err = s.filled(ctx); err != nil {
		return err
	}
	writer, err := s.administrator(ctx)
	site.Writer = writer != 0
	return err
}

// links returns what new events are linked to.
func (s *subject) links(ctx context.Context, l *links) error {
	const most = 32
	names := schema.DefaultNames()
	for postType, ids := range map[string]*[]int64{names.Venue: &l.Venues, names.Organizer: &l.Organizers} {
		err := s.db.NewSelect().Model((*schema.Post)(nil)).Column("ID").Where("post_type = ?", postType).
			Where("post_status = ?", schema.StatusPublish).OrderExpr("ID").Limit(most).Scan(ctx, ids)
		if err != nil {
			return err
		}
	}
	return s.db.NewSelect().Model((*schema.TermTaxonomy)(nil)).Column("term_id").Where("taxonomy = ?", names.Category).
		OrderExpr("term_id").Limit(most).Scan(ctx, &l.Categories)
}
