// Package linked implements venues and organizers, the resources that events link to. venue.go and organizer.go declare
// what is special to each; the rest is shared. How an event shows them is up to package event.
package linked

import (
	"strconv"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
)

// UseCases are the use cases of a resource that events link to. Name is also the name of the field that contains an
// item's name: "venue", "organizer". What is declared of a resource comes first; Serve sets the rest.
type UseCases struct {
	*item.Resource
	SearchKeys []string // meta keys that a search covers
	LD         LD
	Block      string // name of the block that shows an item in an event's description
	TextsOnly  bool   // a password hides texts only

	// Before and After are the fields that are special to the resource: responses contain them before and after JSON-LD.
	Before, After []*item.Field

	filters item.Filters[*query] // before Serve, only those that are special to the resource
	Service *item.Service
	Keys    item.Keys   // meta keys from which items are built
	Posts   *item.Posts // use cases shared with the other resources of posts
}

// LD declares the JSON-LD form of an item. Without a Type, items have none.
type LD struct {
	Type    string
	Of      string                            // member that contains the first item in an event's JSON-LD
	Write   func(*phpjson.Writer, *item.Item) // writes the members that are special to the resource
	Members []jsonschema.Member               // the members that Write writes
}

// Serve completes a declared resource with the fields and filters that all resources of this package share.
func (k *UseCases) Serve(service *item.Service) *UseCases {
	k.Service, k.Title = service, k.Name
	s := k.Service.Shared(item.SharedOptions{
		Docs: k.Texts.Fields, Title: param.Key[string](k.Title), Sparse: true, TextsOnly: k.TextsOnly,
		Example: "Town hall", Slug: "town-hall", Page: "https://example.org/" + k.Name + "/town-hall/",
	})
	s.Slug.Param, s.Excerpt.Param = nil, nil
	k.Fields = append(k.Fields, s.ID, s.Author, s.Status, s.Date, s.DateUTC, s.Modified, s.ModifiedUTC, s.URL, s.Title, s.TitleRaw,
		s.Description, s.DescriptionRaw, s.Excerpt, s.ExcerptRaw, s.Slug, s.Image)
	k.Fields = append(k.Fields, k.Before...)
	if k.LD.Type != "" {
		k.Fields = append(k.Fields,
			&item.Field{Name: "json_ld", Shape: k.LD.Shape(), Value: k.LD.WriteItem, In: item.InSingle, Masked: item.Omitted})
	}
	k.Fields = append(append(k.Fields, k.After...), s.GlobalID, s.Lineage, s.Language, s.Translations, s.TranslationOf, s.ImageAlt,
		item.OmittedField())
	k.Keys = k.Fields.Keys()
	k.filters = append(k.listFilters(), k.filters...)
	k.Filters, k.Orders, k.Views = k.filters, []string{"date", "title", "modified", "id"}, []string{"view", "edit"}
	k.Posts = &item.Posts{Resource: k.Resource, Service: k.Service, Rules: k}
	return k
}

// Add appends fields.
func (k *UseCases) Add(fields ...*item.Field) {
	k.Fields = k.Fields.Add(fields...)
	k.Keys = k.Fields.Keys()
}

// unknown returns the error for a path that names no item of this resource.
func unknown(name, message string) error { return param.Refuse(name, param.Invalid(message)) }

func format(n int64) string { return strconv.FormatInt(n, 10) }

// AddFilters appends the host's own filters, which select by the host's own fields.
func (k *UseCases) AddFilters(declared []item.OwnFilter, own []item.Own) {
	k.filters = append(k.filters, item.OwnFilters(declared, own, func(q *query) *item.Selection { return &q.Selection },
		func(q *query, f store.MetaFilter) { q.Meta = append(q.Meta, f) })...)
	k.Filters = k.filters
}
