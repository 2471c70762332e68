package demo

import (
	"crypto/sha256"
	"fmt"

	"github.com/agendahq/agenda/example/internal/languages"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// addTerm adds a term to a taxonomy and returns its id, which is also its term_taxonomy_id.
func (c *composer) addTerm(taxonomy string, n named, parent int64) int64 {
	id := int64(len(c.terms) + 1)
	c.terms = append(c.terms, &schema.Term{ID: id, Name: n.Name, Slug: n.Slug})
	c.taxonomies = append(c.taxonomies, &schema.TermTaxonomy{ID: id, TermID: id, Taxonomy: taxonomy, Description: n.Text, Parent: parent})
	return id
}

// addTerms adds the terms of a taxonomy in all languages; the parent of a child is the version in the child's language.
func (c *composer) addTerms(taxonomy string, all []term) {
	for _, t := range all {
		versions := map[string]int64{}
		for _, l := range c.Languages {
			id := c.addTerm(taxonomy, t.In[l.Code], c.ids[taxonomy+"/"+t.Parent+"/"+l.Code])
			c.ids[taxonomy+"/"+t.Key+"/"+l.Code] = id
			c.relate(id, c.ids[languages.OfTerms+"/"+l.Code], true)
			versions[l.Code] = id
		}
		c.addGroup(languages.TermsGroups, taxonomy+"/"+t.Key, versions)
	}
}

// relate attaches an object to a term.
func (c *composer) relate(object, term int64, counted bool) {
	c.relationships = append(c.relationships, &schema.TermRelationship{ObjectID: object, TermTaxonomyID: term})
	if counted {
		c.taxonomies[term-1].Count++
	}
}

// addLanguages adds the terms of each language: one for posts and one for terms.
func (c *composer) addLanguages() {
	for i, l := range c.Languages {
		of := languages.Language{Locale: l.Locale, Flag: l.Flag}
		c.ids[languages.OfPosts+"/"+l.Code] = c.addTerm(languages.OfPosts, named{Slug: l.Code, Name: l.Name, Text: of.Description()}, 0)
		c.terms[len(c.terms)-1].Group = int64(i) // their order
	}
	for _, l := range c.Languages {
		c.ids[languages.OfTerms+"/"+l.Code] = c.addTerm(languages.OfTerms, named{Slug: languages.SlugPrefix + l.Code, Name: l.Name}, 0)
	}
}

// setLanguage records the language of a post. As with other terms, only published posts are counted.
func (c *composer) setLanguage(p *schema.Post, lang string) {
	c.relate(p.ID, c.ids[languages.OfPosts+"/"+lang], p.Status == schema.StatusPublish)
}

// addGroup records that objects, given by language, are translations of each other. The slug of the group is derived
// from name, and has no meaning.
func (c *composer) addGroup(taxonomy, name string, versions map[string]int64) {
	slug := languages.SlugPrefix + fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:13]
	var list phpval.Array
	for _, l := range c.Languages {
		if id, ok := versions[l.Code]; ok {
			list.Set(phpval.StrKey(l.Code), id)
		}
	}
	group := c.addTerm(taxonomy, named{Slug: slug, Name: slug, Text: phpval.Serialize(&list)}, 0)
	for _, l := range c.Languages {
		if id, ok := versions[l.Code]; ok {
			c.relate(id, group, true)
		}
	}
}
