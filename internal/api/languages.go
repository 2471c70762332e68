package api

import (
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// LanguageParam declares the parameter for the language of texts, which every operation accepts.
func LanguageParam(name string, served []content.LanguageVersion) *param.Param {
	var tags []string
	for _, l := range served {
		tags = append(tags, l.Tag)
	}
	key, takes := param.Key[string](name), jsonschema.Words(slices.Sorted(slices.Values(tags))...).As("Language")
	return key.Param(takes, param.Checked(param.OneOf(tags...)), param.Doc("param_language"), param.InQuery())
}

// ItemParam is the name of the parameter for the language of items. Polylang and WPML use the same name.
const ItemParam = "lang"

// ItemLanguages returns the languages of items that requests may ask for, by code and by the tags of roots. codes are
// those that the site stores.
func ItemLanguages(codes []string, served []content.LanguageVersion) map[string]rest.ItemLanguage {
	all := map[string]rest.ItemLanguage{}
	for _, code := range codes {
		all[code] = rest.ItemLanguage{Code: code}
	}
	for _, l := range served {
		all[l.Code] = rest.ItemLanguage{Code: l.Code, Tag: l.Tag}
		all[l.Tag] = all[l.Code]
	}
	all[caller.AllLanguages] = rest.ItemLanguage{Code: caller.AllLanguages}
	return all
}

// DeclareItemLanguage declares the parameter for the language of items. If the parameter for the language of texts has
// the same name, it is replaced.
func DeclareItemLanguage(s *item.Service, items map[string]rest.ItemLanguage) {
	names := slices.Sorted(maps.Keys(items))
	declared := param.Key[string](ItemParam).Param(jsonschema.Words(names...).As("ItemLanguage"), param.Checked(param.OneOf(names...)),
		param.Doc("param_items_language"), param.Unlisted())
	if s.Language.Name == ItemParam {
		s.Language = declared
	} else {
		s.Items = declared
	}
}
