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

// WriteList writes a list with write, which writes the whole response. If the items exceed the maximum size of a response, it
// writes the list again without the largest descriptions and excerpts, and with the longest titles shortened (D97). It never
// omits items, because clients address pages by number.
func WriteList(ctx context.Context, w *phpjson.Writer, items []*Item, write func()) {
	for write(); w.Full() && leaveOut(ctx, items); write() {
		w.Reset()
	}
}

// text is a text that a list contains once or several times.
type text struct {
	shown func() string
	size  int64 // bytes that all its appearances occupy
	part  store.Part
	posts []*store.Post
	terms []*store.TaxonomyTerm
}

// leaveOut omits the largest texts of items that exceeded the size of a response, until half of the size of all texts is
// saved. It reports whether it is worth writing the list again.
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

// textsOf returns the texts of items, and of the items nested in them, that may be omitted.
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

// parts returns the texts of an item that a list may omit, with functions that render them.
func (it *Item) parts() iter.Seq2[store.Part, func() string] {
	return func(yield func(store.Part, func() string) bool) {
		_ = yield(store.ContentPart, func() string { return it.Content(it.Post) }) &&
			yield(store.ExcerptPart, func() string { return it.View.Excerpt(it.Post) }) &&
			yield(store.TitlePart, func() string { return it.View.Title(it.Post) })
	}
}

// atMost is a limit for a text that is written only to measure it.
type atMost int64

func (m atMost) Room(int) int { return int(m) }

// written returns the number of bytes that a string occupies as JSON, or most if it is longer.
func written(most int64, text string) int64 {
	w := &phpjson.Writer{}
	w.Within(atMost(most))
	if w.String(text); w.Full() {
		return most
	}
	return int64(w.Len())
}

// Add inserts fields before the last one, which is OmittedField.
func (list Fields) Add(fields ...*Field) Fields { return slices.Insert(list, len(list)-1, fields...) }

// OmittedField marks an item of a list whose description was omitted (D97). It is the last field.
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
