package measure

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// sample is an event from which requests are made.
type sample struct {
	id          int64
	slug, title string
	start       string
	venue       string
	category    int64
}

const (
	sampleSize  = 2000
	sampleTries = 40
	sampleBatch = 1000
)

// samples returns published events: all of a small site, random ones of a large one.
func (s *subject) samples(ctx context.Context, r *rand.Rand, events int64) ([]*sample, error) {
	var list []*sample
	var err error
	if events <= 2*sampleSize {
		list, err = s.posts(ctx, nil)
	} else {
		list, err = s.drawn(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b *sample) int { return int(a.id - b.id) })
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(len(list), sampleSize)]
	return s.complete(ctx, list)
}

// drawn returns events with random ids.
func (s *subject) drawn(ctx context.Context, r *rand.Rand) (list []*sample, err error) {
	var most int64
	if err := s.db.NewSelect().Model((*schema.Post)(nil)).ColumnExpr("MAX(ID)").Scan(ctx, &most); err != nil {
		return nil, err
	}
	seen := map[int64]bool{}
	for try := 0; try < sampleTries && len(list) < sampleSize; try++ {
		var ids []int64
		for range sampleBatch {
			if id := 1 + r.Int64N(most); !seen[id] {
				seen[id] = true
				ids = append(ids, id)
			}
		}
		found, err := s.posts(ctx, ids)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

func (s *subject) posts(ctx context.Context, ids []int64) (list []*sample, err error) {
	q := s.db.NewSelect().Model((*schema.Post)(nil)).Column("ID", "post_name", "post_title").
		Where("post_type = ?", schema.DefaultNames().Event).Where("post_status = ?", schema.StatusPublish).Where("post_password = ''")
	if ids != nil {
		q = q.Where("ID IN (?)", bun.List(ids))
	}
	rows, err := q.Rows(ctx)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		x := &sample{}
		if err := rows.Scan(&x.id, &x.slug, &x.title); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, rows.Err()
}

// complete adds dates, venues and categories, and removes events that lists do not show.
func (s *subject) complete(ctx context.Context, list []*sample) ([]*sample, error) {
	byID := map[int64]*sample{}
	for part := range slices.Chunk(list, sampleBatch) {
		var ids []int64
		for _, x := range part {
			byID[x.id] = x
			ids = append(ids, x.id)
		}
		if err := s.addMeta(ctx, byID, ids); err != nil {
			return nil, err
		}
		if err := s.addTerms(ctx, byID, ids); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(x *sample) bool { return x.start == "" }), nil
}

func (s *subject) addMeta(ctx context.Context, byID map[int64]*sample, ids []int64) error {
	var rows []schema.PostMeta
	err := s.db.NewSelect().Model(&rows).Where("post_id IN (?)", bun.List(ids)).
		Where("meta_key IN (?)", bun.List([]string{schema.MetaStartDate, schema.MetaVenueID, schema.MetaHideFromUpcoming})).
		OrderExpr("meta_id").Scan(ctx)
	hidden := map[int64]bool{}
	for _, m := range rows {
		switch x := byID[m.PostID]; m.Key {
		case schema.MetaStartDate:
			x.start = m.Value
		case schema.MetaVenueID:
			if _, err := strconv.ParseInt(m.Value, 10, 64); err == nil {
				x.venue = m.Value
			}
		default:
			hidden[m.PostID] = true
		}
	}
	for id := range hidden {
		byID[id].start = ""
	}
	return err
}

func (s *subject) addTerms(ctx context.Context, byID map[int64]*sample, ids []int64) error {
	rows, err := s.db.NewSelect().TableExpr("?(prefix)term_relationships AS r").
		Join("JOIN ?(prefix)term_taxonomy AS tt ON tt.term_taxonomy_id = r.term_taxonomy_id").
		Column("r.object_id", "tt.term_id").Where("tt.taxonomy = ?", schema.DefaultNames().Category).
		Where("r.object_id IN (?)", bun.List(ids)).OrderExpr("r.object_id, tt.term_id").Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id, category int64
		if err := rows.Scan(&id, &category); err != nil {
			return err
		}
		byID[id].category = category
	}
	return rows.Err()
}

// trees returns, for each category, the ids of itself and its descendants, whose events are its events too.
func (s *subject) trees(ctx context.Context) (map[int64][]int64, error) {
	var all []schema.TermTaxonomy
	err := s.db.NewSelect().Model(&all).Where("taxonomy = ?", schema.DefaultNames().Category).OrderExpr("term_taxonomy_id").Scan(ctx)
	parents := map[int64]int64{}
	for _, t := range all {
		parents[t.TermID] = t.Parent
	}
	below := map[int64][]int64{}
	for _, t := range all {
		id := t.TermID
		for range all { // at most as far as the top, even in a cycle
			if id == 0 || slices.Contains(below[id], t.ID) {
				break
			}
			below[id] = append(below[id], t.ID)
			id = parents[id]
		}
	}
	return below, err
}
