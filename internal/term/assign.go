package term

import (
	"context"
	"iter"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// Assignment are the terms for an event, as a request named them: by id, slug or
// name. It may name terms that do not exist yet.
type Assignment struct{ items []string }

// Assignment is the rule of the terms of an event. Numbers are ids or slugs of stored
// terms; other texts are slugs, names, or names of new terms.
func (k *UseCases) Assignment() param.Rule[Assignment] {
	return param.LookedUp(itemsOf, func(ctx context.Context, items []string) (a Assignment, err error) {
		if len(items) == 0 {
			return a, nil
		}
		terms, err := k.candidates(ctx, items)
		if err != nil {
			return a, err
		}
		for _, item := range items {
			if terms.find(item) != nil {
				continue
			}
			if wrong := newFault(item, k.Texts.UnknownID); wrong != nil {
				return a, wrong
			}
		}
		return Assignment{items}, nil
	})
}

// newFault returns why an item cannot be the name of a new term; unknown is the message for an id.
func newFault(item, unknown string) *param.Fault {
	if isNumeric(item) {
		return param.Invalid(unknown)
	}
	return nameFault(wp.TermName(item))
}

// maxItem is the length of an item in bytes above which it is not looked up: far more
// than a name or slug.
const maxItem = 5000

// itemsOf returns the items of a list of terms as texts, trimmed, without empty ones
// and duplicates. A text is a list separated by commas; the elements of an array are
// not split. A nested list is a fault.
func itemsOf(_ context.Context, v any) ([]string, error) {
	elements, isList := param.Elements(v)
	if !isList {
		s, ok := param.Scalar(v)
		if !ok && v != nil {
			return nil, param.Invalid("fault_nested")
		}
		return distinctItems(strings.SplitSeq(s, ","))
	}
	for _, e := range elements {
		if _, ok := param.Scalar(e); !ok && e != nil {
			return nil, param.Invalid("fault_nested")
		}
	}
	return distinctItems(func(yield func(string) bool) {
		for _, e := range elements {
			if s, _ := param.Scalar(e); !yield(s) {
				return
			}
		}
	})
}

// distinctItems trims items and drops empty ones and duplicates. It ends at the first
// that is too many: a body holds far more commas.
func distinctItems(all iter.Seq[string]) ([]string, error) {
	var items []string
	for s := range all {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		if len(s) > maxItem {
			return nil, param.Invalid("fault_too_long", "Max", maxName)
		}
		if items = append(items, s); len(items) > param.MaxList {
			return nil, param.Invalid("fault_too_many", "Max", param.MaxList)
		}
	}
	return param.Distinct(items), nil
}

// Resolve returns the term_taxonomy_ids of an assignment, in its order and without
// duplicates. Names are those of terms in the language of what the request makes. Terms that do not exist are created
// if the caller may; else one of the name in another language is taken, and without any it returns a refusal. stored
// returns the terms that the item has and for which a term is shown, which that means then; nil returns none. It works
// within a Write.
func (k *UseCases) Resolve(ctx context.Context, a Assignment, stored func(*store.TaxonomyTerm) []*store.TaxonomyTerm) ([]int64, error) {
	if len(a.items) == 0 {
		return nil, nil
	}
	if code := k.Service.Content.Languages.OfNew(ctx, k.Taxonomy); code != "" {
		ctx = caller.InItems(ctx, code)
	}
	terms, err := k.candidates(ctx, a.items)
	if err != nil {
		return nil, err
	}
	var ids []int64
	made := false
	for _, item := range a.items {
		t, foreign := terms.locate(item)
		if t != nil && stored != nil {
			if meant := stored(t); len(meant) > 0 {
				for _, m := range meant {
					ids = append(ids, m.TaxonomyID)
				}
				continue
			}
		}
		if t == nil || foreign && k.CanEdit(caller.From(ctx)) {
			if t, err = k.add(ctx, item); err != nil {
				return nil, err
			}
			terms.add(t)
			made = true
		}
		ids = append(ids, t.TaxonomyID)
	}
	if made {
		err = k.writeChildren(ctx)
	}
	return param.Distinct(ids), err
}

// add creates the term of an item.
func (k *UseCases) add(ctx context.Context, item string) (*store.TaxonomyTerm, error) {
	if wrong := newFault(item, k.Texts.UnknownID); wrong != nil { // it was deleted after it was checked
		return nil, param.Refuse(k.Collection, wrong)
	}
	if !k.CanEdit(caller.From(ctx)) {
		return nil, caller.ErrForbidden
	}
	t := &store.TaxonomyTerm{Taxonomy: k.Taxonomy, Name: wp.TermName(item)}
	stored, err := k.insert(ctx, t, noMeta())
	if stored != nil {
		t = stored
	}
	return t, err
}
