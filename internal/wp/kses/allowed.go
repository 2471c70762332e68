package kses

import (
	_ "embed"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

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
	pdfs    string // host and port of the uploads, "" if they are not known
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
	protocols, addresses, entities map[string]bool
	// lists are read when a site of the release needs them: each takes half a megabyte.
	lists [release.Newest + 1]func() releaseLists
}

// releaseLists are the lists of a release.
type releaseLists struct {
	post, title, description *Allowed
	styles                   *styleLists
}

// additions are the second words of sections, whose words came with a behaviour.
var additions = map[string]release.Behaviour{
	"display": release.StyleDisplay, "drawing": release.StyleDrawing, "functions": release.StyleFunctions,
	"focus": release.FocusAttributes,
}

// Post is the list of a release for the descriptions and excerpts of posts.
func Post(r release.Release) *Allowed { return data.lists[r]().post }

// Title is the list of a release for titles, for the names of venues and organizers, and of terms.
func Title(r release.Release) *Allowed { return data.lists[r]().title }

// TermDescription is the list of a release for the descriptions of categories and tags.
func TermDescription(r release.Release) *Allowed { return data.lists[r]().description }

// Has reports whether the list allows an element.
func (a *Allowed) Has(name string) bool {
	_, ok := a.tags[name]
	return ok
}

// WithUploads returns the list of a site whose files are at an address, so that PDF files there may be shown.
func (a *Allowed) WithUploads(address string) *Allowed {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return a
	}
	c := *a
	c.pdfs = u.Host
	return &c
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
	words := func(name string) map[string]bool { return wordsOf(sections[name]) }
	d := &filterData{protocols: words("protocols"), addresses: words("addresses"), entities: words("entities")}
	for _, r := range release.All() {
		d.lists[r] = sync.OnceValue(func() releaseLists { return parseRelease(r, sections) })
	}
	return d
}

func wordsOf(lines []string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(strings.Join(lines, " ")) {
		set[w] = true
	}
	return set
}

// parseRelease returns the lists of a release.
func parseRelease(r release.Release, sections map[string][]string) releaseLists {
	lines := func(name string) []string {
		all := slices.Clone(sections[name])
		for _, addition := range slices.Sorted(maps.Keys(additions)) {
			if r.Has(additions[addition]) {
				all = append(all, sections[name+" "+addition]...)
			}
		}
		return all
	}
	list := func(name string) *Allowed {
		a := parseList(lines(name), wordsOf(lines("global")))
		a.release = r
		return a
	}
	lists := releaseLists{post: list("post"), title: list("title_save_pre"), description: list("pre_term_description")}
	lists.post.repair = true
	lists.styles = &styleLists{
		properties: wordsOf(lines("css")), urls: wordsOf(lines("css-urls")), functions: wordsOf(lines("css-functions")),
		anyGradients: r.Has(release.StyleGradients),
	}
	return lists
}

// parseList reads lines of elements. A line about an element that has one already adds to it.
func parseList(lines []string, global map[string]bool) *Allowed {
	a := &Allowed{tags: map[string]element{}}
	for _, line := range lines {
		words := strings.Fields(line)
		e, ok := a.tags[words[0]]
		if !ok {
			e.rules = map[string]rule{}
		}
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
	return !r.pdf || a.isOwnPDF(value)
}

// isOwnPDF reports whether an address is one of a PDF file on the host of the site's uploads.
func (a *Allowed) isOwnPDF(address string) bool {
	if a.pdfs == "" || strings.ContainsAny(address, "?#") || !strings.HasSuffix(address, ".pdf") {
		return false
	}
	for _, scheme := range []string{"http://", "https://"} {
		if strings.HasPrefix(address, scheme+a.pdfs+"/") {
			return true
		}
	}
	return false
}
