package event

import (
	"context"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/shape"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
)

// Parameters of lists, and what paths name.
const (
	pathID           param.Key[int64]         = "id"
	pathSlug         param.Key[string]        = "slug"
	knownSlug                                 = param.Key[*store.Post](pathSlug)
	paramStart       param.Key[dateText]      = "start_date"
	paramEnd         param.Key[dateText]      = "end_date"
	paramStartBefore param.Key[dateText]      = "starts_before"
	paramStartAfter  param.Key[dateText]      = "starts_after"
	paramEndBefore   param.Key[dateText]      = "ends_before"
	paramEndAfter    param.Key[dateText]      = "ends_after"
	paramStrict      param.Key[bool]          = "strict_dates"
	paramCategories  param.Key[term.Assigned] = "categories"
	paramTags        param.Key[term.Assigned] = "tags"
	paramVenue       param.Key[[]int64]       = "venue"
	paramOrganizer   param.Key[[]int64]       = "organizer"
	paramFeatured    param.Key[bool]          = "featured"
	paramLocated     param.Key[bool]          = "geoloc"
	paramLat         param.Key[float64]       = "geoloc_lat"
	paramLng         param.Key[float64]       = "geoloc_lng"
	paramInclude     param.Key[[]int64]       = "include"
	paramParent      param.Key[int64]         = "post_parent"
	paramTicketed    param.Key[bool]          = "ticketed"
)

// listParams declares the parameters of the list, in the order of the index.
func (k *Kind) listParams() []*param.Param {
	doc := param.DocOf("param_events_")
	day, names := shape.Text().Example("2031-05-01"), shape.List(shape.Text())
	date := func(key param.Key[dateText], published ...param.Option) *param.Param {
		return key.Param(day, param.Checked(k.checkDate), append(published, doc)...)
	}
	ids := func(key param.Key[[]int64], rule param.Rule[[]int64]) *param.Param {
		return key.Param(shape.List(&shape.Shape{Type: shape.TypeInt}), rule, doc, param.Typed())
	}
	terms := func(key param.Key[term.Assigned], kind *term.Kind, example ...any) *param.Param {
		return key.Param(names.Example(example), kind.Assigned(), doc, param.LegacyItems(shape.TypeInt))
	}
	toggle := func(key param.Key[bool]) *param.Param {
		return key.Param(shape.Bool(), nil, param.Typed(), doc)
	}
	degrees := func(key param.Key[float64], limit float64) *param.Param {
		return key.Param(shape.Number().From(-limit).To(limit), param.Checked(coordinate(limit)), param.LegacyFormat("double"), doc)
	}
	list := append(k.PageParams("events"),
		date(paramStart, param.DefaultFunc(k.defaultStart)), date(paramEnd, param.DefaultFunc(k.defaultEnd)),
		date(paramStartBefore), date(paramStartAfter), date(paramEndBefore), date(paramEndAfter),
		paramStrict.Param(shape.Bool().Default(false), param.Checked(checkStrict), param.Default("false"), doc),
		resource.SearchParam("events"),
		terms(paramCategories, k.Categories, "music", "12"), terms(paramTags, k.Tags, "jazz"),
		ids(paramVenue, k.readable(k.Linked[0].PostType, "fault_venues")), ids(paramOrganizer, k.readable(k.Linked[1].PostType, "fault_organizers")),
		toggle(paramFeatured), k.StatusParam("events", k.PostType),
		toggle(paramLocated), degrees(paramLat, 90), degrees(paramLng, 180),
		ids(paramInclude, param.Checked(param.IDs)),
		paramParent.Param(shape.Int().From(1), k.ReadableEvent(), param.Typed(), doc),
		toggle(paramTicketed),
	)
	list = append(list, resource.OrderParams("event_date", "title", "modified", "id")...)
	return append(list, resource.Password(false), resource.Context("view", "edit"))
}

// readable looks up ids of posts of a type that the caller may read; others are as
// good as unknown.
func (k *Kind) readable(postType, message string) param.Rule[[]int64] {
	check := func(ctx context.Context, v any) ([]int64, error) {
		ids, err := param.IDs(ctx, v)
		if err != nil {
			return nil, param.Invalid(message)
		}
		return ids, nil
	}
	return param.LookedUp(check, func(ctx context.Context, ids []int64) ([]int64, error) {
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
	})
}

// coordinate accepts degrees from -limit to limit.
func coordinate(limit float64) func(context.Context, any) (float64, error) {
	return func(_ context.Context, v any) (float64, error) {
		s, _ := param.Scalar(v)
		f, _, ok := wp.Numeric(s)
		if !ok || f < -limit || f > limit {
			return 0, param.Invalid("fault_coordinate", "Limit", int(limit))
		}
		return f, nil
	}
}

// checkStrict reads strict_dates: 1, true, on and yes are strict, any other
// text is not; an empty one or a list is refused.
func checkStrict(_ context.Context, v any) (bool, error) {
	s, ok := param.Scalar(v)
	if b, isBool := v.(bool); isBool {
		return b, nil
	}
	if !ok || s == "" {
		return false, param.Invalid("fault_strict")
	}
	switch strings.ToLower(s) {
	case "1", "true", "on", "yes":
		return true, nil
	}
	return false, nil
}
