package exchange

import (
	"context"

	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
)

// stored returns the post type or taxonomy in which items of the kind are stored.
func (k *kind) stored() string {
	if k.terms != nil {
		return k.terms.Taxonomy
	}
	return k.posts.Type.PostType
}

// translated reports whether the site stores languages of items of a kind. Others belong to every language.
func translated(ctx context.Context, parts *registry.UseCases, k *kind) bool {
	return k != nil && parts.Events.Service.Content.Languages.Translated(ctx, k.stored())
}

// languageOf returns the code of the language of an item by its group, "" for one of a kind that has none.
func languageOf(ctx context.Context, parts *registry.UseCases, k *kind, g *store.Group) string {
	if !translated(ctx, parts, k) {
		return ""
	}
	return parts.Events.Service.Content.Languages.Of(g)
}

// codesOf returns those of the codes that a list of a kind is read in: "" alone for a kind without languages.
func (x *exporting) codesOf(k *kind, codes []string) []string {
	if !translated(x.ctx, x.parts, k) {
		return []string{""}
	}
	return codes
}
