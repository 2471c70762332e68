package demo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/languages"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// attached returns what is stored of the languages of a site: by taxonomy and object, the term that is attached; and
// the descriptions and slugs of the terms.
func attached(t *testing.T, db *bun.DB) (found map[string]map[int64]int64, texts, slugs map[int64]string) {
	t.Helper()
	found, texts, slugs = map[string]map[int64]int64{}, map[int64]string{}, map[int64]string{}
	taxonomies := map[int64]string{}
	for _, x := range allRows[schema.TermTaxonomy](t, db, "term_taxonomy_id") {
		taxonomies[x.ID], texts[x.ID] = x.Taxonomy, x.Description
	}
	used := map[string]bool{}
	for _, x := range allRows[schema.Term](t, db, "term_id") {
		if slugs[x.ID] = x.Slug; used[x.Slug] {
			t.Errorf("two terms have the slug %s", x.Slug)
		}
		used[x.Slug] = true
	}
	for _, r := range allRows[schema.TermRelationship](t, db, "object_id") {
		taxonomy := taxonomies[r.TermTaxonomyID]
		if found[taxonomy] == nil {
			found[taxonomy] = map[int64]int64{}
		}
		one := slices.Contains([]string{languages.OfPosts, languages.PostsGroups, languages.OfTerms, languages.TermsGroups}, taxonomy)
		if found[taxonomy][r.ObjectID] != 0 && one {
			t.Errorf("%d has two terms of %s", r.ObjectID, taxonomy)
		}
		found[taxonomy][r.ObjectID] = r.TermTaxonomyID
	}
	return found, texts, slugs
}

// checkGroups checks that every member of a group has the language under which the group lists it, and that the group
// lists all its members.
func checkGroups(t *testing.T, objects []int64, inLanguage, inGroup map[int64]int64, texts, slugs map[int64]string, prefix string) {
	t.Helper()
	members := map[int64]string{}
	for _, l := range calendar().Languages {
		for _, id := range objects {
			if slugs[inLanguage[id]] == prefix+l.Code && inGroup[id] != 0 {
				members[inGroup[id]] += fmt.Sprintf("s:2:%q;i:%d;", l.Code, id)
			}
		}
	}
	for _, id := range objects {
		if inLanguage[id] == 0 {
			t.Errorf("%d is in no language", id)
		}
		if group := inGroup[id]; group != 0 {
			list, err := phpval.Unserialize(texts[group])
			a, _ := list.(*phpval.Array)
			if want := fmt.Sprintf("a:%d:{%s}", a.Len(), members[group]); err != nil || texts[group] != want {
				t.Errorf("the group of %d lists %s (%v), want %s", id, texts[group], err, want)
			}
		}
	}
}

func checkRecordsLanguages(t *testing.T, db *bun.DB) {
	found, texts, slugs := attached(t, db)
	var posts, terms []int64
	names := map[string]bool{}
	for _, p := range allRows[schema.Post](t, db, "ID") {
		if p.Type == schema.TypeAttachment {
			continue
		}
		posts = append(posts, p.ID)
		if key := p.Type + "/" + p.Name; p.Name != "" && names[key] {
			t.Errorf("two posts are called %s", key)
		}
		names[p.Type+"/"+p.Name] = true
		if found[languages.PostsGroups][p.ID] == 0 && p.Type != "tribe_events" {
			t.Errorf("%s is in one language", p.Name)
		}
	}
	parents := map[int64]int64{}
	for _, x := range allRows[schema.TermTaxonomy](t, db, "term_taxonomy_id") {
		if x.Taxonomy == "tribe_events_cat" || x.Taxonomy == "post_tag" {
			terms = append(terms, x.TermID)
			parents[x.TermID] = x.Parent
		}
	}
	for id, parent := range parents {
		if in := found[languages.OfTerms]; found[languages.TermsGroups][id] == 0 || parent != 0 && in[id] != in[parent] {
			t.Errorf("term %s is in no group or below one of another language", slugs[id])
		}
	}
	checkGroups(t, posts, found[languages.OfPosts], found[languages.PostsGroups], texts, slugs, "")
	checkGroups(t, terms, found[languages.OfTerms], found[languages.TermsGroups], texts, slugs, languages.SlugPrefix)
}

// The library detects the languages of the site without options.
func checkIsFoundToHaveLanguages(t *testing.T, db *bun.DB) {
	c := store.Config{DB: db, Names: schema.DefaultNames(), Translations: store.TableForm}
	if _, err := store.New(t.Context(), c); !errors.Is(err, store.ErrNoTranslations) {
		t.Fatalf("in a table: %v", err)
	}
	c.Translations = store.TermsForm
	st := must.Get(store.New(t.Context(), c))(t)
	if code, err := st.Languages.Default(t.Context()); code != calendar().Languages[0].Code || err != nil {
		t.Errorf("default language %q, %v", code, err)
	}
}

// An event refers to venues and organizers in its own language: the library would omit others from its answers.
func checkLinksInOneLanguage(t *testing.T, db *bun.DB) {
	found, _, slugs := attached(t, db)
	ofPost := func(id int64) string { return slugs[found[languages.OfPosts][id]] }
	links := 0
	for _, m := range allRows[schema.PostMeta](t, db, "meta_id") {
		if m.Key != schema.MetaVenueID && m.Key != schema.MetaOrganizerID {
			continue
		}
		links++
		if linked, err := strconv.ParseInt(m.Value, 10, 64); err != nil || ofPost(linked) != ofPost(m.PostID) {
			t.Errorf("%d is in %q and links %s in %q", m.PostID, ofPost(m.PostID), m.Value, ofPost(linked))
		}
	}
	taxonomies := map[int64]string{}
	for _, x := range allRows[schema.TermTaxonomy](t, db, "term_taxonomy_id") {
		taxonomies[x.ID] = x.Taxonomy
	}
	for _, r := range allRows[schema.TermRelationship](t, db, "object_id") {
		if taxonomy := taxonomies[r.TermTaxonomyID]; taxonomy != "tribe_events_cat" && taxonomy != "post_tag" {
			continue
		}
		links++
		if of := slugs[found[languages.OfTerms][r.TermTaxonomyID]]; of != languages.SlugPrefix+ofPost(r.ObjectID) {
			t.Errorf("%d is in %q and has the term %s in %q", r.ObjectID, ofPost(r.ObjectID), slugs[r.TermTaxonomyID], of)
		}
	}
	if links < 5*len(events()) {
		t.Errorf("only %d links were found", links)
	}
}
