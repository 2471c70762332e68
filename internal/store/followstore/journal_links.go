package followstore

import (
	"context"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// LinkedBy returns the items that linked one of some items at their last known states, by kind. An item that
// did not link a venue while the venue changed, and does again, still shows the old state of the venue.
func (j *Journal) LinkedBy(ctx context.Context, kind string, ids []int64) (map[string][]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []*schema.JournalLink
	err := j.own.DB.NewSelect().Model(&rows).Distinct().Column("kind", "object_id").Where("linked_kind = ?", kind).
		Where("linked_id IN (?)", bun.List(ids)).Order("kind", "object_id").Scan(ctx)
	if err != nil {
		return nil, err
	}
	by := map[string][]int64{}
	for _, r := range rows {
		by[r.Kind] = append(by[r.Kind], r.ID)
	}
	return by, nil
}

// insertLinks writes the links of items. Existing rows of these items must have been deleted.
func insertLinks(ctx context.Context, tx bun.Tx, states []*schema.JournalObject) error {
	seen := map[schema.JournalLink]bool{}
	var links []*schema.JournalLink
	for _, o := range states {
		for _, l := range o.Links {
			if !seen[l] {
				seen[l] = true
				links = append(links, &l)
			}
		}
	}
	if len(links) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&links).Exec(ctx)
	return err
}
