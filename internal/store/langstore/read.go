// Package langstore reads and writes the languages of items and the groups of their translations, on sites that store
// them: see store.Form.
package langstore

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Translations reads and writes which items are versions of each other in different languages.
type Translations struct{ store *store.Store }

// New returns the Translations of a site.
func New(st *store.Store) *Translations { return &Translations{st} }

// form returns the form in which the site stores languages, "" for none.
func (s *Translations) form() store.Form {
	form, _ := s.store.Languages.Form()
	return store.Form(form)
}

// Version is an item in one language: a term, or the properties of a post on which its address and rights depend.
type Version struct {
	Language string
	Post     *store.Post
	Term     *store.TaxonomyTerm
}

func (v Version) id() int64 {
	if v.Post != nil {
		return v.Post.ID
	}
	return v.Term.TaxonomyID
}

// Group is the translation group of an item: its own language, "" if none is stored, and its versions in other
// languages, by language.
type Group struct {
	Language string
	Others   []Version
}

// Groups are the groups of items: of posts by their id, of terms by their term_taxonomy_id.
type Groups struct{ Posts, Terms map[int64]*Group }

// Groups returns, with one statement, the groups of items and of all their versions.
func (s *Translations) Groups(ctx context.Context, posts []int64, terms []*store.TaxonomyTerm) (*Groups, error) {
	t := &Groups{Posts: map[int64]*Group{}, Terms: map[int64]*Group{}}
	for _, id := range posts {
		t.Posts[id] = &Group{}
	}
	for _, term := range terms {
		t.Terms[term.TaxonomyID] = &Group{}
	}
	if len(t.Posts)+len(t.Terms) == 0 {
		return t, nil
	}
	if s.form() == store.TableForm {
		return t, s.tableGroups(ctx, t, posts, terms)
	}
	return t, s.termGroups(ctx, t, posts, terms)
}

// addVersions adds the versions of one item to their groups.
func (t *Groups) addVersions(versions []Version) {
	slices.SortStableFunc(versions, func(a, b Version) int { return cmp.Compare(a.Language, b.Language) })
	for _, v := range versions {
		g := t.group(v)
		g.Language = cmp.Or(g.Language, v.Language)
		for _, other := range versions {
			known := slices.ContainsFunc(g.Others, func(o Version) bool { return o.Language == other.Language })
			if other.Language != g.Language && !known {
				g.Others = append(g.Others, other)
			}
		}
	}
}

func (t *Groups) group(v Version) *Group {
	groups := t.Terms
	if v.Post != nil {
		groups = t.Posts
	}
	if groups[v.id()] == nil {
		groups[v.id()] = &Group{}
	}
	return groups[v.id()]
}

func (s *Translations) elements() (posts, terms bun.ListValues) {
	names := s.store.Config.Names
	return bun.List(s.store.DB.PostTypes("post_")), bun.List([]string{"tax_" + names.Category, "tax_" + names.Tag})
}

// tableGroups reads groups from the table of translations.
func (s *Translations) tableGroups(ctx context.Context, t *Groups, posts []int64, terms []*store.TaxonomyTerm) error {
	places := make([]int64, len(terms))
	for i, term := range terms {
		places[i] = term.TaxonomyID
	}
	ofPosts, ofTerms := s.elements()
	own := s.store.DB.Select().From(store.TableTranslations, "own").Column("own.trid").
		Where("(own.element_type IN (?) AND own.element_id IN (?) OR own.element_type IN (?) AND own.element_id IN (?))",
			ofPosts, bun.List(store.Distinct(posts)), ofTerms, bun.List(store.Distinct(places)))
	q := s.store.DB.Select().From(store.TableTranslations, "i").
		Join("LEFT JOIN", store.TablePosts, "p", "p.ID = CASE WHEN i.element_type IN (?) THEN i.element_id END", ofPosts).
		Join("LEFT JOIN", store.TableTermTaxonomy, "tt", "tt.term_taxonomy_id = CASE WHEN i.element_type IN (?) THEN i.element_id END",
			ofTerms).
		Join("LEFT JOIN", store.TableTerms, "t", "t.term_id = tt.term_id").
		Column("i.element_type", "i.trid", "i.language_code").Where("i.trid IN (?)", own).OrderExpr("i.translation_id")
	type key struct {
		element string
		number  int64
	}
	groups := map[key][]Version{}
	var order []key
	claim := budget.From(ctx)
	type row struct {
		version
		Element string `bun:"element_type"`
		Number  int64  `bun:"trid"`
		Code    string `bun:"language_code"`
	}
	err := store.Each(ctx, withVersion(q), func(r *row) error {
		group := key{r.Element, r.Number}
		found, ok := r.decode(store.LanguageCode(r.Code))
		if !ok {
			return nil
		}
		if err := claim.Row(int64(len(r.Description.String))); err != nil {
			return err
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], found)
		return nil
	})
	for _, group := range order {
		t.addVersions(groups[group])
	}
	return err
}

// termGroups reads languages and groups from terms. A group's description lists its versions.
func (s *Translations) termGroups(ctx context.Context, t *Groups, posts []int64, terms []*store.TaxonomyTerm) error {
	ids, places := make([]int64, len(terms)), map[int64]int64{}
	for i, term := range terms {
		ids[i], places[term.ID] = term.ID, term.TaxonomyID
	}
	q := s.store.DB.Select().From(store.TableTermRelationships, "r").
		Join("JOIN", store.TableTermTaxonomy, "g", "g.term_taxonomy_id = r.term_taxonomy_id").
		Join("JOIN", store.TableTerms, "gn", "gn.term_id = g.term_id").
		// The posts of a language are not a group.
		Join("LEFT JOIN", store.TableTermRelationships, "m", "m.term_taxonomy_id = CASE WHEN g.taxonomy IN (?) THEN g.term_taxonomy_id END",
			bun.List([]string{store.TaxPostGroup, store.TaxTermGroup})).
		Join("LEFT JOIN", store.TablePosts, "p", "p.ID = CASE WHEN g.taxonomy = ? THEN m.object_id END", store.TaxPostGroup).
		Join("LEFT JOIN", store.TableTerms, "t", "t.term_id = CASE WHEN g.taxonomy = ? THEN m.object_id END", store.TaxTermGroup).
		Join("LEFT JOIN", store.TableTermTaxonomy, "tt", "tt.term_id = t.term_id AND tt.taxonomy IN (?)",
			bun.List([]string{s.store.Config.Names.Category, s.store.Config.Names.Tag})).
		Column("r.object_id").
		ColumnExpr("g.term_taxonomy_id AS group_id, g.taxonomy AS group_taxonomy, gn.slug AS group_slug, g.description AS group_list").
		Where("(g.taxonomy IN (?) AND r.object_id IN (?) OR g.taxonomy IN (?) AND r.object_id IN (?))",
			bun.List([]string{store.TaxLanguage, store.TaxPostGroup}), bun.List(store.Distinct(posts)),
			bun.List([]string{store.TaxTermLanguage, store.TaxTermGroup}), bun.List(store.Distinct(ids))).
		OrderExpr("g.term_taxonomy_id")
	groups := map[int64]*listedGroup{}
	var order []int64
	claim := budget.From(ctx)
	type row struct {
		version
		Object        int64  `bun:"object_id"`
		Group         int64  `bun:"group_id"`
		GroupTaxonomy string `bun:"group_taxonomy"`
		GroupSlug     string `bun:"group_slug"`
		List          string `bun:"group_list"`
	}
	err := store.Each(ctx, withVersion(q), func(r *row) error {
		switch r.GroupTaxonomy {
		case store.TaxLanguage:
			t.Posts[r.Object].Language = cmp.Or(t.Posts[r.Object].Language, store.LanguageCode(r.GroupSlug))
			return nil
		case store.TaxTermLanguage:
			g := t.Terms[places[r.Object]]
			g.Language = cmp.Or(g.Language, store.LanguageCode(r.GroupSlug))
			return nil
		}
		if groups[r.Group] == nil {
			groups[r.Group], order = listed(r.List), append(order, r.Group)
		}
		groups[r.Group].addVersion(&r.version)
		return claim.Row(int64(len(r.Description.String)))
	})
	for _, number := range order {
		t.addVersions(groups[number].versions)
	}
	return err
}

// listedGroup is a group while it is read, with the language that it lists for each id.
type listedGroup struct {
	languages map[int64]string
	versions  []Version
}

func listed(description string) *listedGroup {
	g := &listedGroup{languages: map[int64]string{}}
	for code, id := range phpval.ArrayOf(description).All() {
		g.languages[phpval.Int(id)] = store.LanguageCode(code.String())
	}
	return g
}

// addVersion adds a version unless it is not listed or was added before: a group is read once for each requested version.
func (g *listedGroup) addVersion(v *version) {
	object := v.PostID.Int64
	if v.TermID.Valid {
		object = v.TermID.Int64
	}
	found, ok := v.decode(g.languages[object])
	if ok && !slices.ContainsFunc(g.versions, func(o Version) bool { return o.id() == found.id() }) {
		g.versions = append(g.versions, found)
	}
}

// version contains the columns of both types of versions.
type version struct {
	PostID     sql.NullInt64  `bun:"ID"`
	PostAuthor sql.NullInt64  `bun:"post_author"`
	PostStatus sql.NullString `bun:"post_status"`
	PostType   sql.NullString `bun:"post_type"`
	PostName   sql.NullString `bun:"post_name"`

	TermID      sql.NullInt64  `bun:"term_id"`
	TaxonomyID  sql.NullInt64  `bun:"term_taxonomy_id"`
	Parent      sql.NullInt64  `bun:"parent"`
	Count       sql.NullInt64  `bun:"count"`
	TermGroup   sql.NullInt64  `bun:"term_group"`
	Name        sql.NullString `bun:"name"`
	Slug        sql.NullString `bun:"slug"`
	Taxonomy    sql.NullString `bun:"taxonomy"`
	Description sql.NullString `bun:"description"`
}

func withVersion(q *store.Query) *store.Query {
	return q.Column("p.ID", "p.post_author", "p.post_status", "p.post_type", "p.post_name",
		"t.term_id", "tt.term_taxonomy_id", "tt.parent", "tt.count", "t.term_group", "t.name", "t.slug", "tt.taxonomy", "tt.description")
}

// decode returns the Version of the columns; ok is false if the item no longer exists.
func (v *version) decode(code string) (found Version, ok bool) {
	switch {
	case code == "":
		return found, false
	case v.PostID.Valid:
		found.Post = &store.Post{
			ID: v.PostID.Int64, Author: v.PostAuthor.Int64, Status: v.PostStatus.String, Type: v.PostType.String, Name: v.PostName.String,
		}
	case v.TermID.Valid && v.TaxonomyID.Valid:
		found.Term = &store.TaxonomyTerm{
			ID: v.TermID.Int64, TaxonomyID: v.TaxonomyID.Int64, Parent: v.Parent.Int64, Count: v.Count.Int64, Group: v.TermGroup.Int64,
			Name: v.Name.String, Slug: v.Slug.String, Taxonomy: v.Taxonomy.String, Description: v.Description.String,
		}
	default:
		return found, false
	}
	found.Language = code
	return found, true
}
