package content

import (
	"cmp"
	"context"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/schema"
)

// Languages are the languages of a site: each item is in one of them.
type Languages struct {
	Default  string // code of the language of items for which none is stored
	Versions []LanguageVersion
}

// LanguageVersion is a language that is served.
type LanguageVersion struct {
	Tag     string // the tag in the API's root path
	Code    string // the code that is stored
	SiteURL string // base address of its pages, "" for the site's own
}

// tagged returns the version with a tag, nil if there is none.
func (l *Languages) tagged(tag string) *LanguageVersion {
	for i := range l.Versions {
		if l.Versions[i].Tag == tag {
			return &l.Versions[i]
		}
	}
	return nil
}

// Coded returns the version with a code, nil for a language that is not served.
func (l *Languages) Coded(code string) *LanguageVersion {
	for i := range l.Versions {
		if strings.EqualFold(l.Versions[i].Code, code) {
			return &l.Versions[i]
		}
	}
	return nil
}

// ForGroup returns the code of the language of an item, given its translation group.
func (l *Languages) ForGroup(g *langstore.Group) string {
	if g == nil {
		return l.Default
	}
	return cmp.Or(g.Language, l.Default)
}

// Asked returns the code of the language whose items a request asks for, "" for all languages.
func (l *Languages) Asked(ctx context.Context) string {
	if l == nil {
		return ""
	}
	switch code := caller.ItemsFrom(ctx); code {
	case "":
		return l.ofRoot(ctx)
	case caller.AllLanguages:
		return ""
	default:
		return code
	}
}

// ofRoot returns the code of the language of the request's root path.
func (l *Languages) ofRoot(ctx context.Context) string {
	if version := l.tagged(caller.LanguageFrom(ctx)); version != nil {
		return version.Code
	}
	return ""
}

// Translated reports whether the items of a post type or taxonomy have languages. Items of other types belong to every
// language.
func (l *Languages) Translated(ctx context.Context, kind string) bool {
	return l != nil && site.From(ctx).Languages.Has(kind)
}

// Filter selects the items of a post type or taxonomy that are in the language of a request. It selects all of them on
// a site without languages and for a type without languages.
func (l *Languages) Filter(ctx context.Context, kind string) store.LanguageFilter {
	code := l.Asked(ctx)
	if code == "" || !l.Translated(ctx, kind) {
		return store.LanguageFilter{}
	}
	return store.LanguageFilter{Code: code, Default: code == l.Default}
}

// OfNew returns the code of the language in which a request creates an item of a post type or taxonomy, "" if the type
// has no languages.
func (l *Languages) OfNew(ctx context.Context, kind string) string {
	if !l.Translated(ctx, kind) {
		return ""
	}
	return cmp.Or(l.Asked(ctx), l.ofRoot(ctx))
}

// recordLanguage records that a new post is in the request's language.
func (s *Service) recordLanguage(ctx context.Context, p *schema.Post) error {
	if code := s.Languages.OfNew(ctx, p.Type); code != "" {
		return s.Translations.RecordPost(ctx, p.Type, p.ID, code)
	}
	return nil
}
