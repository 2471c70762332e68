package api

import (
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// events serves events.
type events struct {
	resource
	kind *event.UseCases
}

// Events returns the operations on events.
func (a *Adapter) Events(k *event.UseCases) rest.Operations {
	e := &events{resource{adapter: a, cases: k.Posts}, k}
	shape := k.Fields.Shape(k.Singular).Doc(k.Texts.Item)
	var linked []*apierror.Error
	for _, kind := range k.Linked {
		linked = append(linked, kind.WriteErrors()...)
	}
	texts, op := k.Texts.Summaries, a.operations(k.Resource)

	list := op("listEvents", texts.List, e.list, append(k.Service.ListParams(k.Resource), datesParam())...)
	list.Offer(Calendar, e.feed)
	list.List, list.Errors = true, []*apierror.Error{k.Errors.Page}
	list.Answer = rest.PageShape(k.Plural, k.Collection, shape).Doc(k.Texts.Page)
	e.synced = a.sync(list, k.Posts)

	create := op("createEvent", texts.Create, e.create, k.WriteParams(true, false)...)
	create.Permits, create.Creates = permitsCreate(k.PostType), true
	create.Answer, create.Errors = shape, slices.Concat(linked, []*apierror.Error{errRule, errOneDate}, writeErrors)

	byID := func() []*param.Param { return []*param.Param{item.ID(event.PathID, 123, nil), item.Password(true)} }
	given := func() []*param.Param { return append(k.WriteParams(false, false), event.TotalParam()) }
	byKey := rest.ItemOperations{
		Get:    op("getEvent", texts.Get, e.get, append(byID(), k.Context(), datesParam())...),
		Delete: op("deleteEvent", texts.Delete, e.remove, append(byID(), item.ForceParam())...),
		Update: op("updateEvent", texts.Update, e.update, append(byID(), given()...)...),
	}
	slug := item.Slug(event.PathSlug, param.Checked(item.CheckSlug))
	known := item.Slug(event.KnownSlug, item.KnownSlug(k.PostType, k.Service.Content.Slugs.FindSlugToWrite))
	bySlug := rest.ItemOperations{
		Get:    op("getEventBySlug", texts.GetBySlug, e.get, slug, item.Password(false), k.Context(), datesParam()),
		Delete: op("deleteEventBySlug", texts.DeleteBySlug, e.remove, known, item.ForceParam()),
		Update: op("updateEventBySlug", texts.UpdateBySlug, e.update, slugFirst(given())...),
	}
	unknown := []*apierror.Error{k.Errors.NotFound, k.Errors.OtherKind}
	for _, o := range []struct {
		rest.ItemOperations
		read, write []*apierror.Error // errors for a path that does not name exactly one event
	}{{byKey, unknown, unknown}, {bySlug, nil, slices.Concat(slugErrors, []*apierror.Error{k.Errors.NotFound})}} {
		o.Get.Offer(Calendar, e.download)
		o.Get.Answer = shape
		o.Get.Errors = slices.Concat(o.read,
			[]*apierror.Error{k.Errors.Trashed, k.Errors.NotAccessible, k.Errors.Protected, item.ErrContext})
		a.restrictDelete(o.Delete, k.PostType)
		o.Delete.Answer = shape
		o.Delete.Errors = slices.Concat(o.write, []*apierror.Error{k.Errors.InTrash, errDateOfSeveral}, matchErrors)
		a.restrictUpdate(o.Update, k.PostType)
		o.Update.Answer, o.Update.Errors = shape, slices.Concat(o.write, linked, dateErrors, matchErrors)
	}
	return a.serve(k.Collection, rest.Operations{List: list, Sync: e.synced.operation, Create: create, Item: byKey, BySlug: bySlug})
}

// slugFirst moves the slug to the front and marks it as a field of the body: in an update by slug, it is the new slug.
func slugFirst(list []*param.Param) []*param.Param {
	i := slices.IndexFunc(list, func(p *param.Param) bool { return p.Name == string(event.PathSlug) })
	slug := list[i]
	slug.InBody = true
	return slices.Insert(slices.Delete(list, i, i+1), 0, slug)
}
