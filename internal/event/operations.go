package event

import (
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

// Operations returns the operations on events.
func (k *Kind) Operations() rest.Operations {
	s := k.shapes()
	var linked []*apierror.Error
	for _, kind := range k.Linked {
		linked = append(linked, kind.WriteErrors()...)
	}
	op := func(id, summary string, handle rest.Handler, params []*param.Param) *rest.Operation {
		return &rest.Operation{ID: id, Summary: "summary_events_" + summary, Tag: "events", Params: append(params, k.Language),
			Handle: handle}
	}

	list := op("listEvents", "list", k.list, k.listParams())
	list.Offer(Calendar)
	list.List, list.Errors = true, []*apierror.Error{errPage}
	list.Answer = rest.PageShape("Events", "events", shape.OneOf(s.item, s.masked)).Doc("doc_events")

	create := op("createEvent", "create", k.posts.Create, k.Fields.Params(true, false))
	create.Permits, create.Creates = k.PermitsCreate(k.PostType), true
	create.Answer, create.Errors = s.item, slices.Concat(linked, resource.WriteErrors)

	byID := func() []*param.Param { return []*param.Param{resource.ID(pathID, 123, nil), resource.Password(true)} }
	item := rest.ItemOperations{
		Get:    op("getEvent", "get", k.byID, append(byID(), resource.Context("View", "view", "edit"))),
		Delete: op("deleteEvent", "delete", k.posts.Delete, append(byID(), resource.ForceParam())),
		Update: op("updateEvent", "update", k.posts.Update, append(byID(), k.Fields.Params(false, false)...)),
	}
	slug := resource.Slug(pathSlug, param.Checked(resource.CheckSlug))
	known := resource.Slug(knownSlug, resource.KnownSlug(k.PostType, k.FindSlugToWrite))
	bySlug := rest.ItemOperations{
		Get: op("getEventBySlug", "get_by_slug", k.bySlug,
			[]*param.Param{slug, resource.Password(false), resource.Context("View", "view", "edit")}),
		Delete: op("deleteEventBySlug", "delete_by_slug", k.posts.Delete, []*param.Param{known, resource.ForceParam()}),
		Update: op("updateEventBySlug", "update_by_slug", k.posts.Update, slugFirst(k.Fields.Params(false, false))),
	}
	unknown := []*apierror.Error{errNotFound, errNoEvent}
	for _, o := range []struct {
		rest.ItemOperations
		read, write []*apierror.Error // for a path that names no single event
	}{{item, unknown, unknown}, {bySlug, nil, slices.Concat(resource.SlugErrors, []*apierror.Error{errNotFound})}} {
		o.Get.Offer(Calendar)
		o.Get.Answer = s.details
		o.Get.Errors = slices.Concat(o.read, []*apierror.Error{errTrashed, errNotYours, errProtected}, resource.ContextErrors)
		k.RestrictDelete(o.Delete, k.PostType)
		o.Delete.Answer, o.Delete.Errors = s.item, slices.Concat(o.write, []*apierror.Error{errInTrash}, resource.MatchErrors)
		k.RestrictUpdate(o.Update, k.PostType)
		o.Update.Answer, o.Update.Errors = s.item, slices.Concat(o.write, linked, resource.DateErrors, resource.MatchErrors)
	}
	return rest.Operations{List: list, Create: create, Item: item, BySlug: bySlug}
}

// slugFirst moves the slug to the front: in an update by slug it is the new one.
func slugFirst(list []*param.Param) []*param.Param {
	i := slices.IndexFunc(list, func(p *param.Param) bool { return p.Name == string(pathSlug) })
	slug := list[i]
	slug.InBody = true
	return slices.Insert(slices.Delete(list, i, i+1), 0, slug)
}

// shapes are the forms of an event in answers.
type shapes struct {
	item    *shape.Shape // in lists and after writes
	details *shape.Shape // in an answer of its own, or for its editor
	masked  *shape.Shape // in lists, hidden by its password
}

func (k *Kind) shapes() shapes {
	return shapes{
		item:    k.Fields.Shape("Event", resource.InLists, false).Doc("doc_event"),
		details: k.Fields.Shape("EventDetails", resource.InEditing, false).Doc("doc_event_details"),
		masked:  k.Fields.Shape("MaskedEvent", resource.InLists, true).Doc("doc_masked"),
	}
}
