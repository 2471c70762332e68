package exchange

import (
	"context"

	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store/langstore"
)

// stored returns the post type or taxonomy of the resource.
func (k *resource) stored() string {
	if k.terms != nil {
		return k.Taxonomy
	}
	return k.PostType
}

// translated reports whether the site stores languages for items of a resource. Items without a language belong to all.
func translated(ctx context.Context, parts *registry.Calendar, k *resource) bool {
	return k != nil && parts.Events.Service.Content.Languages.Translated(ctx, k.stored())
}

// languageOf returns the code of an item's language from its translation group, or "" if the resource has no languages.
func languageOf(ctx context.Context, parts *registry.Calendar, k *resource, g *langstore.Group) string {
	if !translated(ctx, parts, k) {
		return ""
	}
	return parts.Events.Service.Content.Languages.ForGroup(g)
}

// codesOf returns the codes of the languages in which a resource is listed: the given ones, or a single "" if the
// resource has no languages.
func (x *exporting) codesOf(k *resource, codes []string) []string {
	if !translated(x.ctx, x.parts, k) {
		return []string{""}
	}
	return codes
}
