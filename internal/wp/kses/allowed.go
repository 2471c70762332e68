package kses

import (
	_ "embed"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

//go:embed allowed.txt
var allowedText string

// Allowed is a list of the elements and attributes that a text may have.
type Allowed struct {
	tags    map[string]element
	repair  bool // entities of old editors are repaired first
	release release.Release
}

type element struct {
	rules    map[string]rule // by attribute
	required int             // how many attributes are required
}

// rule is what an attribute must satisfy; the zero rule allows any value.
type rule struct {
	valueless, required, pdf bool
	value                    string
}

// data are the lists and words of the embedded file; nothing changes them.
var data = parseData(allowedText)

type filterData struct {
	protocols, addresses, css, entities map[string]bool
	lists                               [release.Newest + 1]allowedLists
}

// allowedLists are the lists of a release.
type allowedLists struct{ post, title, description *Allowed }

// Post is the list of a release for the descriptions and excerpts of posts.
func Post(r release.Release) *Allowed { return data.lists[r].post }

// Title is the list of a release for titles, for the names of venues and organizers, and of terms.
func Title(r release.Release) *Allowed { return data.lists[r].title }

// TermDescription is the list of a release for the descriptions of categories and tags.
func TermDescription(r release.Release) *Allowed { return data.lists[r].description }

// Has reports whether the list allows an element.
func (a *Allowed) Has(name string) bool {
	_, ok := a.tags[name]
	return ok
}

// Only returns the list without the elements that are not named, for texts that
// need no repair.
func (a *Allowed) Only(names ...string) *Allowed {
	c := *a
	c.repair = false
	c.tags = make(map[string]element, len(names))
	for _, name := range names {
		if e, ok := a.tags[name]; ok {
			c.tags[name] = e
		}
	}
	return &c
}

func parseData(text string) *filterData {
	sections := map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			sections[name] = append(sections[name], line)
		}
	}
	words := func(name string) map[string]bool {
		set := map[string]bool{}
		for _, w := range strings.Fields(strings.Join(sections[name], " ")) {
			set[w] = true
		}
		return set
	}
	global := words("global")
	d := &filterData{
		protocols: words("protocols"), addresses: words("addresses"), css: words("css"), entities: words("entities"),
	}
	for _, r := range release.All() {
		list := func(name string) *Allowed {
			a := parseList(sections[name], global)
			a.release = r
			return a
		}
		lists := allowedLists{list("post"), list("title_save_pre"), list("pre_term_description")}
		lists.post.repair = true
		d.lists[r] = lists
	}
	return d
}

func parseList(lines []string, global map[string]bool) *Allowed {
	a := &Allowed{tags: map[string]element{}}
	for _, line := range lines {
		words := strings.Fields(line)
		e := element{rules: map[string]rule{}}
		for _, w := range words[1:] {
			if w == "@" {
				for g := range global {
					e.rules[g] = rule{}
				}
				continue
			}
			name, asked, _ := strings.Cut(w, "=")
			r := parseRule(asked)
			e.rules[name] = r
			if r.required {
				e.required++
			}
		}
		a.tags[words[0]] = e
	}
	return a
}

func parseRule(text string) rule {
	var r rule
	for part := range strings.SplitSeq(text, ",") {
		switch part {
		case "valueless":
			r.valueless = true
		case "required":
			r.required = true
		case "pdf":
			r.pdf = true
		default:
			r.value = strings.TrimPrefix(part, "is:")
		}
	}
	return r
}

// permits reports whether an attribute with this value satisfies the rule.
func (a *Allowed) permits(r rule, value string, bare bool) bool {
	switch {
	case r.valueless && !bare:
		return false
	case r.value != "" && phpval.Lower(value) != r.value:
		return false
	}
	return !r.pdf // which files are the site's own is not known here
}
