package item

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
)

// WriteList writes a list, and where its items do not fit its answer together, writes it again without the largest of their descriptions
// and excerpts, and with the beginnings of the longest titles (D97): pages are numbers, and none may end early. write writes the whole
// answer.
func WriteList(ctx context.Context, w *phpjson.Writer, items []*Item, write func()) {
	for write(); w.Full() && leaveOut(ctx, items); write() {
		w.Reset()
	}
}

// text is a text that a list shows, maybe more than once.
type text struct {
	shown func() string
	size  int64 // of all that is written of it
	part  store.Part
	posts []*store.Post
	terms []*store.TaxonomyTerm
}

// leaveOut leaves out the largest texts of items that did not fit, half of what is written of them all. It reports whether that is
// worth another try.
func leaveOut(ctx context.Context, items []*Item) bool {
	claim, texts, total := budget.From(ctx), textsOf(items), int64(0)
	if len(texts) == 0 || !claim.Retry() {
		return false
	}
	for _, t := range texts {
		t.size = written(claim.Max(), t.shown()) * int64(len(t.posts)+len(t.terms))
		total += t.size
	}
	slices.SortStableFunc(texts, func(a, b *text) int { return cmp.Compare(b.size, a.size) })
	for most, i := total/2, 0; total > most; i++ {
		total -= texts[i].size
		for _, p := range texts[i].posts {
			p.LeaveOut(texts[i].part)
		}
		for _, t := range texts[i].terms {
			t.Description, t.Omitted = "", true
		}
	}
	return claim.Err() == nil
}

// textKey identifies a text.
type textKey struct {
	term bool
	id   int64
	part store.Part
}

// textsOf returns the texts of items, and of what they show in themselves, that may be left out.
func textsOf(items []*Item) (texts []*text) {
	known := map[textKey]*text{}
	add := func(k textKey, shown func() string) *text {
		if known[k] == nil {
			known[k] = &text{shown: shown, part: k.part}
			texts = append(texts, known[k])
		}
		return known[k]
	}
	post := func(it *Item) {
		if it.Post == nil {
			return
		}
		for part, shown := range it.parts() {
			if it.Post.Spare(part) > 0 {
				t := add(textKey{false, it.Post.ID, part}, shown)
				t.posts = append(t.posts, it.Post)
			}
		}
	}
	for _, it := range items {
		post(it)
		for _, list := range it.Linked {
			for _, other := range list {
				post(other)
			}
		}
		for _, term := range append(slices.Clone(it.Terms), it.Term) {
			if term != nil && term.Description != "" {
				t := add(textKey{true, term.TaxonomyID, 0}, func() string { return term.Description })
				t.terms = append(t.terms, term)
			}
		}
	}
	return texts
}

// parts returns how the texts of an item are shown that a list may leave out.
func (it *Item) parts() iter.Seq2[store.Part, func() string] {
	return func(yield func(store.Part, func() string) bool) {
		_ = yield(store.ContentPart, func() string { return it.Content(it.Post) }) &&
			yield(store.ExcerptPart, func() string { return it.View.Excerpt(it.Post) }) &&
			yield(store.TitlePart, func() string { return it.View.Title(it.Post) })
	}
}

// atMost bounds what is written to be measured.
type atMost int64

func (m atMost) Room(int) int { return int(m) }

// written returns how many bytes a text takes, or the bound if they are more.
func written(most int64, text string) int64 {
	w := &phpjson.Writer{}
	w.Within(atMost(most))
	if w.String(text); w.Full() {
		return most
	}
	return int64(w.Len())
}

// Add adds fields behind the others, but for the last, which is OmittedField.
func (list Fields) Add(fields ...*Field) Fields { return slices.Insert(list, len(list)-1, fields...) }

// OmittedField says of an item in a list that its description was left out (D97). It is the last of all.
func OmittedField() *Field {
	return &Field{
		Name: "description_omitted", Shape: jsonschema.Only(true), Maybe: true, Masked: Omitted,
		Doc: "doc_field_description_omitted",
		Absent: func(it *Item) bool {
			if it.Term != nil {
				return !it.Term.Omitted
			}
			return it.Post == nil || !it.Post.Omitted
		},
		Value: func(w *phpjson.Writer, _ *Item) { w.Bool(true) },
	}
}
