package event

import (
	"slices"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// Operations returns what can be done with events.
func (k *Kind) Operations() rest.Operations {
	s, linked := k.shapes(), slices.Concat(k.Venues.WriteErrors(), k.Organizers.WriteErrors())
	op := func(id, summary string, handle rest.Handler, params []*param.Param) *rest.Operation {
		return &rest.Operation{ID: id, Summary: "summary_events_" + summary, Tag: "events", Params: append(params, k.Language), Handle: handle}
	}

	list := op("listEvents", "list", k.list, k.listParams())
	list.List, list.Takes, list.Errors = true, listTakes(), []*rest.Error{errPage}
	list.Answer = rest.PageShape("Events", "events", shape.OneOf(s.item, s.masked)).Doc("doc_events")

	create := op("createEvent", "create", k.create, k.writeParams(true))
	create.Permits, create.Creates = k.PermitsCreate(k.PostType), true
	create.Takes, create.Answer, create.Errors = k.writeTakes(), s.item, slices.Concat(linked, resource.WriteErrors)

	byID := func() []*param.Param { return []*param.Param{resource.ID(), resource.Password(true)} }
	item := rest.ItemOperations{
		Get:    op("getEvent", "get", k.byID, append(byID(), resource.Context())),
		Delete: op("deleteEvent", "delete", k.remove, append(byID(), resource.Force())),
		Update: op("updateEvent", "update", k.update, append(byID(), k.writeParams(false)...)),
	}
	known := resource.KnownSlug(k.PostType, k.FindSlugToWrite)
	bySlug := rest.ItemOperations{
		Get:    op("getEventBySlug", "get_by_slug", k.bySlug, []*param.Param{resource.Slug(), resource.Password(false), resource.Context()}),
		Delete: op("deleteEventBySlug", "delete_by_slug", k.remove, []*param.Param{known, resource.Force()}),
		Update: op("updateEventBySlug", "update_by_slug", k.update, slugFirst(k.writeParams(false))),
	}
	unknown := []*rest.Error{errNotFound, errNoEvent}
	for _, o := range []struct {
		rest.ItemOperations
		read, write []*rest.Error // for a path that does not name one event
	}{{item, unknown, unknown}, {bySlug, nil, slices.Concat(resource.SlugErrors, []*rest.Error{errNotFound})}} {
		o.Get.Takes, o.Get.Answer = resource.ItemTakes(), shape.OneOf(s.details, s.editing)
		o.Get.Errors = slices.Concat(o.read, []*rest.Error{errTrashed, errNotYours, errProtected}, resource.ContextErrors)
		k.RestrictDelete(o.Delete, k.PostType)
		o.Delete.Takes, o.Delete.Answer = resource.ItemTakes(), s.item
		o.Delete.Errors = slices.Concat(o.write, []*rest.Error{errInTrash}, resource.MatchErrors)
		k.RestrictUpdate(o.Update, k.PostType)
		o.Update.Takes, o.Update.Answer, o.Update.Errors = k.writeTakes(), s.item, slices.Concat(o.write, linked, resource.MatchErrors)
	}
	return rest.Operations{List: list, Create: create, Item: item, BySlug: bySlug}
}

// slugFirst moves the slug to the front: in an update by slug it is the new one.
func slugFirst(list []*param.Param) []*param.Param {
	i := slices.IndexFunc(list, func(p *param.Param) bool { return p.Name == "slug" })
	slug := list[i]
	slug.InBody = true
	return slices.Insert(slices.Delete(list, i, i+1), 0, slug)
}
