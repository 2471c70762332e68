package schema

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// askOrphans finds meta rows of posts and terms that do not exist.
func askOrphans(ctx context.Context, p *examinedDB) ([]Finding, error) {
	const advice = "delete them after a backup: they slow down every search by value"
	found, err := p.found(ctx, "m.post_id", Note, "values of no post (postmeta)", advice, func() *bun.SelectQuery {
		return p.NewSelect().TableExpr("?(prefix)postmeta AS m").
			Join("LEFT JOIN ?(prefix)posts AS p ON p.ID = m.post_id").Where("p.ID IS NULL")
	})
	if err != nil || slices.Contains(p.Report.Optional, p.prefix+"termmeta") {
		return found, err
	}
	more, err := p.found(ctx, "m.term_id", Note, "values of no term (termmeta)", advice, func() *bun.SelectQuery {
		return p.NewSelect().TableExpr("?(prefix)termmeta AS m").
			Join("LEFT JOIN ?(prefix)terms AS t ON t.term_id = m.term_id").Where("t.term_id IS NULL")
	})
	return append(found, more...), err
}

// single are the meta keys of which an event has one row.
var single = []string{MetaStartDate, MetaEndDate, MetaStartDateUTC, MetaEndDateUTC, MetaDuration, MetaTimezone, MetaTimezoneAbbr,
	MetaAllDay}

// askDuplicates finds events with several rows of a key of which only one counts. If there are any, it checks whether
// their values differ.
func askDuplicates(ctx context.Context, p *examinedDB) ([]Finding, error) {
	query := func(differ bool) func() *bun.SelectQuery {
		return func() *bun.SelectQuery {
			twice := p.newest().Join("JOIN ?(prefix)postmeta AS m ON m.post_id = p.ID").ColumnExpr("p.ID AS id").
				Where("m.meta_key IN (?)", bun.List(single)).GroupExpr("p.ID").Having("COUNT(*) > COUNT(DISTINCT m.meta_key)")
			if differ {
				twice = twice.Having("COUNT(DISTINCT CONCAT(m.meta_key, ' ', m.meta_value)) > COUNT(DISTINCT m.meta_key)")
			}
			return p.NewSelect().TableExpr("(?) AS d", twice)
		}
	}
	const advice = "remove the newer rows; the oldest one counts"
	found, err := p.found(ctx, "d.id", Note, "events with the same value twice where only one counts", advice, query(false))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	differ, err := p.found(ctx, "d.id", Warning, "events with different values where only one counts, such as two starts", advice,
		query(true))
	if len(differ) > 0 {
		return differ, err
	}
	return found, err
}

// askLinks finds events that link to a venue or an organizer that does not exist.
func askLinks(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	for _, k := range []struct{ key, postType, text string }{
		{MetaVenueID, p.names.Venue, "links of events to venues that do not exist"},
		{MetaOrganizerID, p.names.Organizer, "links of events to organizers that do not exist"},
	} {
		more, err := p.found(ctx, "p.ID", Note, k.text, "choose another in the site's editor", func() *bun.SelectQuery {
			return p.newest().Join("JOIN ?(prefix)postmeta AS m ON m.post_id = p.ID").Where("m.meta_key = ?", k.key).
				Where("m.meta_value > '0'").
				Where("NOT EXISTS (?)", p.NewSelect().TableExpr("?(prefix)posts AS v").ColumnExpr("1").
					Where("v.ID = CAST(m.meta_value AS UNSIGNED)").Where("v.post_type = ?", k.postType))
		})
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// askLeftovers finds posts with dates of events that are not events.
func askLeftovers(ctx context.Context, p *examinedDB) ([]Finding, error) {
	return p.found(ctx, "p.ID", Note, "posts of other types with event dates", "do nothing, unless their type was changed by mistake",
		func() *bun.SelectQuery {
			return p.NewSelect().TableExpr("?(prefix)posts AS p").Join("JOIN ?(prefix)postmeta AS m ON m.post_id = p.ID").
				Where("m.meta_key = ?", MetaStartDate).
				Where("p.post_type NOT IN (?)", bun.List([]string{p.names.Event, TypeRevision, TypeSeries}))
		})
}
