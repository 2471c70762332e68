package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// dueBatch is how many scheduled posts are read at a time.
const dueBatch = 100

// Upkeep writes what becomes due as time passes, without any request: scheduled posts are published, and rules without
// an end get further occurrences. Each post is written by Run, as by a request.
type Upkeep struct {
	service *Service
	store   *store.Store
	clock   Clock
	ahead   ahead
}

// PublishDue publishes the scheduled posts that are due and returns their number. Each is published in a transaction of
// its own by the process that locks it first. A post that cannot be written does not stop the others.
func (u *Upkeep) PublishDue(ctx context.Context) (n int, err error) {
	after := int64(0)
	var failed []error
	for {
		due, err := u.store.Posts.Due(ctx, strtotime.Wall(u.clock.Moment(ctx).UTC()), after, dueBatch)
		if err != nil || len(due) == 0 {
			return n, errors.Join(append(failed, err)...)
		}
		for _, id := range due {
			published, err := u.publish(ctx, id)
			if err != nil {
				failed = append(failed, fmt.Errorf("publish post %d: %w", id, err))
			}
			if err != nil && (ctx.Err() != nil || dberr.FaultOf(err) != dberr.NoFault) {
				return n, errors.Join(failed...)
			}
			if published && err == nil {
				n++
			}
		}
		after = due[len(due)-1]
	}
}

func (u *Upkeep) publish(ctx context.Context, id int64) (published bool, err error) {
	return Run(ctx, u.service, Work[bool]{Apply: func(ctx context.Context) (bool, error) {
		d, err := u.service.Open(ctx, id)
		if err != nil || d == nil || d.Row.Status != schema.StatusFuture || d.Row.DateGMT > strtotime.Wall(u.clock.Moment(ctx).UTC()) {
			return false, err
		}
		d.Row.Status = schema.StatusPublish
		return true, u.service.publishRow(ctx, d)
	}})
}

// publishRow writes a new status and what depends on it. This is not an edit, so the post is not marked as modified and
// gets no revision.
func (s *Service) publishRow(ctx context.Context, d *Edit) error {
	if err := s.Store.Posts.Update(ctx, &d.Row, "post_status"); err != nil {
		return err
	}
	d.setRows(schema.MetaModifiedFields, s.History.modifiedFields(ctx, d, nil, "post_status"))
	change, _ := d.metaChange()
	if err := s.Store.Posts.ChangeMeta(ctx, change); err != nil {
		return err
	}
	terms, err := s.terms.saveTerms(ctx, d)
	if err != nil {
		return err
	}
	if err := s.Changes.noteEdit(ctx, d, OpUpdate, d.Stored.Status, terms.rows()); err != nil {
		return err
	}
	return s.calendarRange.updateRange(ctx, d)
}
