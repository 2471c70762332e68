// Package event serves events.
package event

import (
	"cmp"
	"context"
	"strings"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// Type declares events.
func Type(n schema.Names) *content.Type {
	return &content.Type{
		PostType: n.Event, Collection: "events",
		Segment: func(s permalink.Settings) string { return cmp.Or(wp.Slug(s.EventSlug), n.Event) },
	}
}

// Kind serves events with what they link to.
type Kind struct {
	*resource.Service
	*content.Type
	Lists              *eventlist.List
	Venues, Organizers *place.Kind
	Categories, Tags   *term.Kind
}

// listParams declares the parameters of the list, in the order of the index.
func (k *Kind) listParams() []*param.Param {
	doc := func(name string) param.Option { return param.Doc("param_events_" + name) }
	date := func(name string) *param.Param { return param.New(name, doc(name), param.Checked(k.checkDate)) }
	ids := func(name string, check param.Check) *param.Param {
		return param.New(name, doc(name), param.Items(param.Integer), param.Checked(check))
	}
	list := append(k.Page("events"),
		param.New("start_date", param.DefaultFunc(k.defaultStart), doc("start_date"), param.Checked(k.checkDate)),
		param.New("end_date", param.DefaultFunc(k.defaultEnd), doc("end_date"), param.Checked(k.checkDate)),
		date("starts_before"), date("starts_after"), date("ends_before"), date("ends_after"),
		param.New("strict_dates", param.Default("false"), doc("strict_dates"), param.Checked(checkStrict)),
		param.New("search", doc("search"), param.Type(param.String), param.Checked(param.Search), param.Sought()),
		ids("categories", k.Categories.CheckAssigned), ids("tags", k.Tags.CheckAssigned),
		ids("venue", k.readable(k.Venues.PostType, "fault_venues")), ids("organizer", k.readable(k.Organizers.PostType, "fault_organizers")),
		param.New("featured", param.Type(param.Boolean), doc("featured")),
		k.Status("events", k.PostType),
		param.New("geoloc", param.Type(param.Boolean), doc("geoloc")),
		param.New("geoloc_lat", param.Format("double"), doc("geoloc_lat"), param.Checked(coordinate(90))),
		param.New("geoloc_lng", param.Format("double"), doc("geoloc_lng"), param.Checked(coordinate(180))),
		ids("include", param.IDs),
		param.New("post_parent", param.Type(param.Integer), doc("post_parent"), param.Checked(k.ReadableEvent)),
		param.New("ticketed", param.Type(param.Boolean), doc("ticketed")),
	)
	list = append(list, resource.Order()...)
	return append(list, resource.Password(false), resource.Context())
}

// readable accepts ids of posts of a type that the caller may read; others are as
// good as unknown.
func (k *Kind) readable(postType, message string) param.Check {
	return func(ctx context.Context, v any) (any, error) {
		list, err := param.IDs(ctx, v)
		if err != nil {
			return nil, param.Invalid(message)
		}
		ids := list.([]int64)
		found, err := k.Store.Authors(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			a := found[id]
			if a.Type != postType || !k.CanRead(ctx, &store.Post{Author: a.Author, Status: a.Status, Type: a.Type}) {
				return nil, param.Invalid(message)
			}
		}
		return ids, nil
	}
}

// coordinate accepts degrees from -limit to limit.
func coordinate(limit float64) param.Check {
	return func(_ context.Context, v any) (any, error) {
		s, _ := param.Scalar(v)
		f, _, ok := wp.Numeric(s)
		if !ok || f < -limit || f > limit {
			return nil, param.Invalid("fault_coordinate", "Limit", int(limit))
		}
		return f, nil
	}
}

// checkStrict reads strict_dates: 1, true, on and yes are strict, any other
// text is not; an empty one or a list is refused.
func checkStrict(_ context.Context, v any) (any, error) {
	s, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool {
		return b, nil
	}
	if !ok || s == "" {
		return nil, param.Invalid("fault_strict")
	}
	switch strings.ToLower(s) {
	case "1", "true", "on", "yes":
		return true, nil
	}
	return false, nil
}
