package content

import (
	"cmp"
	"context"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Languages are the languages of a site: each item is in one of them.
type Languages struct {
	Default  string // code of the language of items whose own is not recorded
	Versions []LanguageVersion
}

// LanguageVersion is a language that is served.
type LanguageVersion struct {
	Tag     string // of the root
	Code    string // under which it is stored
	SiteURL string // address on which its pages live, "" for the site's own
}

// tagged returns the version with a tag, nil without one.
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

// Of returns the code of the language of a group of items.
func (l *Languages) Of(g *store.Group) string {
	if g == nil {
		return l.Default
	}
	return cmp.Or(g.Language, l.Default)
}

// LanguageFilter selects the items in the language of a request: all on a site
// without languages.
func (s *Service) LanguageFilter(ctx context.Context) store.LanguageFilter {
	if s.Languages == nil {
		return store.LanguageFilter{}
	}
	version := s.Languages.tagged(caller.LanguageFrom(ctx))
	if version == nil {
		return store.LanguageFilter{}
	}
	return store.LanguageFilter{Code: version.Code, Default: version.Code == s.Languages.Default}
}

// recordLanguage records that a new post is in the request's language.
func (s *Service) recordLanguage(ctx context.Context, p *schema.Post) error {
	if code := s.LanguageFilter(ctx).Code; code != "" {
		return s.Store.Translations.RecordPost(ctx, p.Type, p.ID, code)
	}
	return nil
}
