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

// Allowed is a list of the HTML elements and attributes that a text may contain.
type Allowed struct {
	tags    map[string]element
	repair  bool // entities that old editors wrote are repaired first
	release release.Release
	pdfs    string // host and port of the uploads directory; "" if it is not known
}

type element struct {
	rules    map[string]rule // by name of the attribute
	required int             // number of required attributes
}

// rule is what an attribute has to satisfy. The zero value allows any value.
type rule struct {
	valueless, required, pdf bool
	value                    string
}

// data contains the parsed lists of the embedded file. It is never modified.
var data = parseData(allowedText)

type filterData struct {
	protocols, addresses, entities map[string]bool
	// lists are read when a site of the release needs them: each takes half a megabyte.
	lists [release.Newest + 1]func() releaseLists
}

// releaseLists are the lists for one release of WordPress.
type releaseLists struct {
	post, title, description *Allowed
	styles                   *styleLists
}

// additions maps the second word in a section's heading to the behaviour with which its entries were added.
var additions = map[string]release.Behaviour{
	"display": release.StyleDisplay, "drawing": release.StyleDrawing, "functions": release.StyleFunctions,
	"focus": release.FocusAttributes,
}

// Post returns the list for the content and excerpts of posts in a release of WordPress.
func Post(r release.Release) *Allowed { return data.lists[r]().post }

// Title returns the list for titles of posts and names of terms in a release of WordPress.
func Title(r release.Release) *Allowed { return data.lists[r]().title }

// TermDescription returns the list for descriptions of terms in a release of WordPress.
func TermDescription(r release.Release) *Allowed { return data.lists[r]().description }

// Has reports whether the list allows an element.
func (a *Allowed) Has(name string) bool {
	_, ok := a.tags[name]
	return ok
}

// WithUploads returns a list that also allows PDF files at the site's uploads, whose URL is given.
func (a *Allowed) WithUploads(address string) *Allowed {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return a
	}
	c := *a
	c.pdfs = u.Host
	return &c
}

// Only returns the list without the elements that are not named. It is for texts in which entities need no repair.
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

// parseList parses lines with an element and its attributes. Several lines for an element are merged. Most elements have
// the attributes of many others, and share the rules of these.
func parseList(lines []string, global map[string]bool) *Allowed {
	a, attributes := &Allowed{tags: map[string]element{}}, map[string][]string{}
	for _, line := range lines {
		words := strings.Fields(line)
		attributes[words[0]] = append(attributes[words[0]], words[1:]...)
	}
	shared := map[string]element{}
	for name, words := range attributes {
		key := strings.Join(words, " ")
		e, ok := shared[key]
		if !ok {
			e = parseElement(words, global)
			shared[key] = e
		}
		a.tags[name] = e
	}
	return a
}

// parseElement parses the attributes of an element; "@" stands for the global ones.
func parseElement(words []string, global map[string]bool) element {
	e := element{rules: map[string]rule{}}
	for _, w := range words {
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
	return e
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

// permits reports whether an attribute satisfies its rule. bare means that it has no value.
func (a *Allowed) permits(r rule, value string, bare bool) bool {
	switch {
	case r.valueless && !bare:
		return false
	case r.value != "" && phpval.Lower(value) != r.value:
		return false
	}
	return !r.pdf || a.isOwnPDF(value)
}

// isOwnPDF reports whether a URL is that of a PDF file on the host of the site's uploads.
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
