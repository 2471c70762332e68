// Package linked serves the kinds of posts that events link, venues and organizers: one engine for
// what each kind declares (venue.go, organizer.go). It is independent of how events show them.
package linked

import (
	"strconv"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
)

// UseCases are the use cases of a kind of posts that events link. The name of the kind is that of the
// field that holds the name of an item.
type UseCases struct {
	*item.Kind
	Service    *item.Service
	Keys       item.Keys // meta keys that items are made of
	SearchKeys []string  // meta keys that a search includes
	LD         LD
	Block      string // name of the block in an event's description that names an item
	TextsOnly  bool   // a password empties texts and hides nothing else
	Located    bool   // the posts have coordinates

	title   param.Key[string]
	filters item.Filters[*query]
	Posts   *item.Posts // those that all kinds of posts have
}

// LD declares how an item is shown as JSON-LD; without a Type it is not.
type LD struct {
	Type    string
	Of      string                            // the member of an event's JSON-LD with its first item
	Write   func(*phpjson.Writer, *item.Item) // writes the kind's own members
	Members []jsonschema.Member               // those that Write writes
}

// Declare completes the descriptor of a kind, in which filters are those of all linked kinds, and
// fields are shared ones around its own, which come before and after the JSON-LD.
func (k *UseCases) Declare(before, behind []*item.Field) *UseCases {
	k.title = param.Key[string](k.Name)
	s := k.Service.Shared(item.SharedOptions{
		Docs: k.Texts.Fields, Title: k.title, Example: "Town hall", Slug: "town-hall", Page: "https://example.org/" + k.Name +
			"/town-hall/",
		Sparse: true, TextsOnly: k.TextsOnly,
	})
	s.Slug.Param, s.Excerpt.Param = nil, nil
	k.Fields = append(k.Fields, s.ID, s.Author, s.Status, s.Date, s.DateUTC, s.Modified, s.ModifiedUTC, s.URL, s.Title, s.TitleRaw,
		s.Description, s.DescriptionRaw, s.Excerpt, s.ExcerptRaw, s.Slug, s.Image)
	k.Fields = append(k.Fields, before...)
	if k.LD.Type != "" {
		k.Fields = append(k.Fields,
			&item.Field{Name: "json_ld", Shape: k.LD.Shape(), Value: k.LD.WriteItem, In: item.InSingle, Masked: item.Omitted})
	}
	k.Fields = append(append(k.Fields, behind...), s.GlobalID, s.Lineage, s.Language, s.Translations, s.ImageAlt,
		item.OmittedField())
	k.Keys = k.Fields.Keys()
	k.filters = k.listFilters()
	k.Filters, k.Orders, k.Views = k.filters, []string{"date", "title", "modified", "id"}, []string{"view", "edit"}
	k.Posts = &item.Posts{Kind: k.Kind, Service: k.Service, Rules: k}
	return k
}

// Add adds fields behind those of the kind.
func (k *UseCases) Add(fields ...*item.Field) {
	k.Fields = k.Fields.Add(fields...)
	k.Keys = k.Fields.Keys()
}

// unknown refuses a path variable without a post of this kind.
func unknown(name, message string) error { return param.Refuse(name, param.Invalid(message)) }

func format(n int64) string { return strconv.FormatInt(n, 10) }

// AddFilters adds filters of the host's own, by fields of its own, behind those of the kind.
func (k *UseCases) AddFilters(declared []item.OwnFilter, own []item.Own) {
	k.filters = append(k.filters, item.OwnFilters(declared, own, func(q *query) *item.Selection { return &q.Selection },
		func(q *query, f store.MetaFilter) { q.Meta = append(q.Meta, f) })...)
	k.Filters = k.filters
}
