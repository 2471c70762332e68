package item

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// recordedIndex is what the index of The Events Calendar says about the parameters of a resource. Clients depend on the
// order and the members of these, so they stay as they are, even where the schema that values are checked against says
// something else.
type recordedIndex struct{ list, write *param.Index }

// pathIndex is the part of the index for the parameters that identify an item.
var pathIndex = param.NewIndex("id slug password: type description")

const (
	recordedPages = `page per_page: default description type
`
	recordedPlaces = recordedPages + `search event: description type
has_events: description
only_with_upcoming: description default
status: format=string description`
	recordedTerms = recordedPages + `search: description type
exclude include: description items=integer
order orderby: description type
hide_empty: description type default
parent post event slug: description type`
	recordedOrganizer = `author date date_utc organizer description status phone website email: type default description
image: type=string default description`
)

// recorded contains the resources of The Events Calendar, by collection.
var recorded = map[string]recordedIndex{
	"events": {
		list: param.NewIndex(recordedPages + `start_date end_date: default description
starts_before starts_after ends_before ends_after: description
strict_dates: default description
search: description type
categories tags: description items=integer
venue organizer: description items
featured: type description
status: format=string description
geoloc: type description
geoloc_lat geoloc_lng: format=double description
include: description items
post_parent ticketed: type description`),
		write: param.NewIndex(`author date date_utc title description slug excerpt status timezone: type description
all_day: default type description
start_date end_date: type description
image: type=string description
cost: description
website: default description
show_map show_map_link hide_from_listings sticky featured: type description
categories tags venue organizer: default items=integer description`),
	},
	"venues": {
		list: param.NewIndex(recordedPlaces),
		write: param.NewIndex(`author date date_utc venue: type description
description: type default description
status: type description
show_map show_map_link address city country province state zip phone stateprovince website: type default description
image: type=string default description`),
	},
	"organizers": {param.NewIndex(recordedPlaces), param.NewIndex(recordedOrganizer)},
	"categories": {param.NewIndex(recordedTerms), param.NewIndex("name description slug parent: type description")},
	"tags":       {param.NewIndex(recordedTerms), param.NewIndex("name description slug: type description")},
}

// Recorded reports whether The Events Calendar has the resource.
func Recorded(k *Resource) bool { return recorded[k.Collection].list != nil }

// RecordedField reports whether The Events Calendar accepts a field in writes of the resource.
func RecordedField(k *Resource, field string) bool {
	return Recorded(k) && recorded[k.Collection].write.Has(field)
}

// indexOf returns what the index says about the resource. Resources that The Events Calendar lacks are presented like
// organizers.
func indexOf(k *Resource) recordedIndex {
	if Recorded(k) {
		return recorded[k.Collection]
	}
	return recordedIndex{recorded["organizers"].list, param.NewIndex(strings.Replace(recordedOrganizer, "organizer", k.Name, 1))}
}

// arrange sorts parameters into the order of an index. For a resource of The Events Calendar, the index only lists the
// parameters that this plugin has, and those that the host added.
func arrange(k *Resource, index *param.Index, list []*param.Param) []*param.Param {
	for _, p := range index.Arrange(list) {
		p.Unlisted = p.Unlisted || Recorded(k) && !p.Own && !index.Has(p.Name)
	}
	return list
}

// WriteParams declares the fields that a write accepts, in the order of the index. When nested in an event, parameters
// of type string also accept values of other types that their checks can read, such as a boolean for a switch.
func (k *Resource) WriteParams(create, nested bool) []*param.Param {
	var list []*param.Param
	for _, f := range k.Fields {
		if f.Param == nil {
			continue
		}
		p := f.Param(nested)
		p.Required = create && f.Required
		if nested && p.IsText() {
			param.AnyType()(p)
		}
		list = append(list, p)
	}
	return arrange(k, indexOf(k).write, list)
}

// ListParams declares the parameters of the resource's list, in the order of the index, except for the language, which
// all operations accept.
func (s *Service) ListParams(k *Resource) []*param.Param {
	list := slices.Concat(s.pageParams(k.Texts.Params), k.Filters.Params())
	if k.Orders != nil {
		list = append(list, OrderParams(k.Orders...)...)
	}
	if k.PostType != "" {
		list = append(list, Password(false))
	}
	return arrange(k, indexOf(k).list, append(append(list, k.Context()), syncParams()...))
}
