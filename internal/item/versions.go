package item

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// Members for the language of an item and for its translations.
const languageMember, translationsMember = "language", "translations"

// Versions contains the translations of a response's items. A nil *Versions stands for a monolingual site: items have
// no translations.
type Versions struct {
	env     *Service
	asked   string // code of the requested language, "" for all
	known   langstore.Groups
	linkers map[string]*permalink.Linker // by language code
	has     func(kind string) bool       // reports whether a post type or a taxonomy is translated
}

// Versions returns a Versions for the request, or nil on a monolingual site. Nothing is loaded yet.
func (s *Service) Versions(ctx context.Context) *Versions {
	settings := site.From(ctx)
	if s.Content.Languages == nil || !settings.Languages.Active {
		return nil
	}
	asked := s.Content.Languages.Asked(ctx)
	if !settings.Languages.Has(s.Content.Types.Events().PostType) {
		asked = "" // if events have no language, they show linked posts and terms as they are
	}
	return &Versions{
		env: s, asked: asked, has: settings.Languages.Has, linkers: map[string]*permalink.Linker{},
		known: langstore.Groups{Posts: map[int64]*langstore.Group{}, Terms: map[int64]*langstore.Group{}},
	}
}

// Load reads the translations of those posts and terms that are not loaded yet, with one statement.
func (v *Versions) Load(ctx context.Context, posts []int64, terms []*store.TaxonomyTerm) error {
	if v == nil {
		return nil
	}
	posts = slices.DeleteFunc(slices.Clone(posts), func(id int64) bool { return v.known.Posts[id] != nil })
	terms = slices.DeleteFunc(slices.Clone(terms), func(t *store.TaxonomyTerm) bool { return v.known.Terms[t.TaxonomyID] != nil })
	found, err := v.env.Content.Translations.Groups(ctx, posts, terms)
	if err != nil {
		return err
	}
	maps.Copy(v.known.Posts, found.Posts)
	maps.Copy(v.known.Terms, found.Terms)
	return nil
}

var unknownGroup = &langstore.Group{}

func (v *Versions) ofPost(id int64) *langstore.Group {
	if v == nil {
		return unknownGroup
	}
	return cmp.Or(v.known.Posts[id], unknownGroup)
}

func (v *Versions) ofTerm(t *store.TaxonomyTerm) *langstore.Group {
	return cmp.Or(v.known.Terms[t.TaxonomyID], unknownGroup)
}

// language returns the code of a group's own language.
func (v *Versions) language(g *langstore.Group) string { return v.env.Content.Languages.ForGroup(g) }

// translated returns an item's translation into the requested language, if there is one for which good is true.
func (v *Versions) translated(g *langstore.Group, good func(langstore.Version) bool) (found langstore.Version, ok bool) {
	for _, other := range g.Others {
		if other.Language == v.asked && good(other) {
			return other, true
		}
	}
	return found, false
}

// ShownPost returns the id of the post to show for a linked one: its translation into the requested language if the
// caller may read that, else the post itself.
func (v *Versions) ShownPost(ctx context.Context, id int64) int64 {
	if v == nil {
		return id
	}
	if found, ok := v.translated(v.ofPost(id), func(o langstore.Version) bool { return v.readable(ctx, o) }); ok {
		return found.Post.ID
	}
	return id
}

// readable reports whether a translation is a post that the caller may read.
func (v *Versions) readable(ctx context.Context, o langstore.Version) bool {
	return o.Post != nil && v.has(o.Post.Type) && o.Post.Status != schema.StatusTrash && v.env.Content.Types.CanRead(ctx, o.Post)
}

// ShownPosts returns ShownPost for each id, without duplicates.
func (v *Versions) ShownPosts(ctx context.Context, ids []int64) []int64 {
	if v == nil {
		return ids
	}
	var shown []int64
	for _, id := range ids {
		if id = v.ShownPost(ctx, id); !slices.Contains(shown, id) {
			shown = append(shown, id)
		}
	}
	return shown
}

// ShownTerms returns the terms to show for assigned ones, without duplicates: their translations into the requested
// language where they exist.
func (v *Versions) ShownTerms(terms []*store.TaxonomyTerm) []*store.TaxonomyTerm {
	if v == nil {
		return terms
	}
	var shown []*store.TaxonomyTerm
	for _, t := range terms {
		if found, ok := v.translated(v.ofTerm(t), func(o langstore.Version) bool {
			return o.Term != nil && o.Term.Taxonomy == t.Taxonomy && v.has(t.Taxonomy)
		}); ok {
			t = found.Term
		}
		if !slices.ContainsFunc(shown, func(s *store.TaxonomyTerm) bool { return s.TaxonomyID == t.TaxonomyID }) {
			shown = append(shown, t)
		}
	}
	return shown
}

// StoredPosts converts ids in a request to the posts to link. stored are the ids that the item links now: if an id is
// shown for some of them, it stands for these (D91).
func (v *Versions) StoredPosts(ctx context.Context, ids, stored []int64) []int64 {
	if v == nil {
		return ids
	}
	var means []int64
	for _, id := range ids {
		found := slices.DeleteFunc(slices.Clone(stored), func(s int64) bool { return v.ShownPost(ctx, s) != id })
		if len(found) == 0 {
			found = []int64{id}
		}
		means = append(means, found...)
	}
	return param.Distinct(means)
}

// StoredTerms returns the stored terms for which the given term is shown.
func (v *Versions) StoredTerms(shown *store.TaxonomyTerm, stored []*store.TaxonomyTerm) (found []*store.TaxonomyTerm) {
	for _, t := range stored {
		if v.ShownTerms([]*store.TaxonomyTerm{t})[0].TaxonomyID == shown.TaxonomyID {
			found = append(found, t)
		}
	}
	return found
}

// Code returns the language code of a loaded post, or "" if its type is not translated.
func (v *Versions) Code(postType string, id int64) string {
	if v == nil || !v.has(postType) {
		return ""
	}
	return v.language(v.ofPost(id))
}

// AllPosts returns the ids of posts together with those of their translations. What is linked to one of them is linked
// to all.
func (v *Versions) AllPosts(ids []int64) []int64 {
	if v == nil {
		return ids
	}
	all := slices.Clone(ids)
	for _, id := range ids {
		for _, other := range v.ofPost(id).Others {
			if other.Post != nil && v.has(other.Post.Type) {
				all = append(all, other.Post.ID)
			}
		}
	}
	return all
}

// AllTerms is like AllPosts, for terms. It returns term_taxonomy_ids.
func (v *Versions) AllTerms(terms []*store.TaxonomyTerm) []int64 {
	var all []int64
	for _, t := range terms {
		all = append(all, t.TaxonomyID)
		if v == nil {
			continue
		}
		for _, other := range v.ofTerm(t).Others {
			if other.Term != nil && v.has(other.Term.Taxonomy) {
				all = append(all, other.Term.TaxonomyID)
			}
		}
	}
	return all
}

// linker returns the URLs of a language's pages: below the address that the host set for the language, or else as the
// site distinguishes languages in its URLs. With code "", it returns those of items without a language: if the host set
// an address for the default language, they are below it, and otherwise their URLs name no language.
func (v *Versions) linker(ctx context.Context, code string) *permalink.Linker {
	if l := v.linkers[code]; l != nil {
		return l
	}
	links, languages := site.From(ctx).LinksIn(code), v.env.Content.Languages
	if version := languages.Coded(cmp.Or(code, languages.Default)); version != nil && version.SiteURL != "" {
		links = site.From(ctx).Links
		links.Home = version.SiteURL
	}
	v.linkers[code] = v.env.Content.NewLinker(links)
	return v.linkers[code]
}

// TermLinker returns the linker for a term's language, or other if the taxonomy is not translated.
func (v *Versions) TermLinker(ctx context.Context, t *store.TaxonomyTerm, other *permalink.Linker) *permalink.Linker {
	if v == nil || !v.has(t.Taxonomy) {
		return other
	}
	return v.linker(ctx, v.ofTerm(t).Language)
}

// writeVersions writes the translations of an item, by language, omitting those without a URL.
func (v *Versions) writeVersions(w *phpjson.Writer, g *langstore.Group, one func(langstore.Version) (id int64, url string)) {
	w.Object()
	for _, other := range g.Others {
		if other.Language == v.language(g) {
			continue
		}
		if id, url := one(other); url != "" {
			w.KeyObject(v.tag(other.Language))
			w.KeyInt("id", id)
			w.KeyString("url", url)
			w.End()
		}
	}
	w.End()
}

// tag returns the name of a language in responses: the tag that the host set for it, or else its code.
func (v *Versions) tag(code string) string {
	if version := v.env.Content.Languages.Coded(code); version != nil {
		return version.Tag
	}
	return code
}

// postLanguage returns the language of a post.
func (v *Versions) postLanguage(p *store.Post) string { return v.tag(v.language(v.ofPost(p.ID))) }

// writePosts writes the translations of a post that the caller may read.
func (v *Versions) writePosts(ctx context.Context, w *phpjson.Writer, p *store.Post) {
	v.writeVersions(w, v.ofPost(p.ID), func(o langstore.Version) (int64, string) {
		if !v.readable(ctx, o) || o.Post.Type != p.Type {
			return 0, ""
		}
		return o.Post.ID, v.linker(ctx, o.Language).Item(p.Type, o.Post.ID, o.Post.Name, o.Post.Status)
	})
}

// writeTerms writes the translations of a term. address returns the URL of a term's page.
func (v *Versions) writeTerms(
	ctx context.Context, w *phpjson.Writer, t *store.TaxonomyTerm, address func(*permalink.Linker, *store.TaxonomyTerm) string,
) {
	v.writeVersions(w, v.ofTerm(t), func(o langstore.Version) (int64, string) {
		if o.Term == nil || o.Term.Taxonomy != t.Taxonomy {
			return 0, ""
		}
		return o.Term.ID, address(v.linker(ctx, o.Language), o.Term)
	})
}

// termLanguage returns the language of a term.
func (v *Versions) termLanguage(t *store.TaxonomyTerm) string { return v.tag(v.language(v.ofTerm(t))) }
