package term

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// Assignment contains the terms of an event as a request names them: by id, slug or name. Some may not exist yet.
type Assignment struct{ items []string }

// Assignment returns the rule of the parameter with an event's terms. Numbers are ids or slugs of existing terms. Other
// strings are slugs, names, or names of new terms.
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

// newFault returns why an element cannot be the name of a new term, or nil. unknown is the message id for a number,
// which cannot be a name.
func newFault(item, unknown string) *param.Fault {
	if isNumeric(item) {
		return param.Invalid(unknown)
	}
	return nameFault(wp.TermName(item))
}

// maxItem is the length, in bytes, above which an element is not looked up. It is far longer than any name or slug.
const maxItem = 5000

// itemsOf returns the elements of a list of terms, trimmed, without empty ones and duplicates. A string is split at
// commas; the elements of an array are not. Nested lists are rejected.
func itemsOf(_ context.Context, v any) ([]string, error) {
	elements, isList := param.Elements(v)
	if !isList {
		s, ok := param.Scalar(v)
		if !ok && v != nil {
			return nil, param.Invalid("fault_nested")
		}
		return distinctItems(strings.SplitSeq(s, ","))
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		var ok bool
		if texts[i], ok = param.Scalar(e); !ok && e != nil {
			return nil, param.Invalid("fault_nested")
		}
	}
	return distinctItems(slices.Values(texts))
}

// distinctItems trims elements and removes empty ones and duplicates. It stops as soon as there are too many, since a
// request body can contain far more commas.
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

// Resolve returns the term_taxonomy_ids of an assignment, in order and without duplicates. Names are looked up in the
// language of the item that is written. A term that does not exist is created if the caller has the right to; otherwise
// a term with that name in another language is used, and if there is none, Resolve returns an error. stored may
// be nil; otherwise it returns the stored terms of the item for which a term is shown because it is their translation.
// Naming the shown term keeps these. Resolve has to be called in the transaction of a write.
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
			if t, err = k.createNamed(ctx, item); err != nil {
				return nil, err
			}
			terms.addTerm(t)
			made = true
		}
		ids = append(ids, t.TaxonomyID)
	}
	if made {
		err = k.writeChildren(ctx)
	}
	return param.Distinct(ids), err
}

// createNamed creates the term that an element names.
func (k *UseCases) createNamed(ctx context.Context, name string) (*store.TaxonomyTerm, error) {
	if wrong := newFault(name, k.Texts.UnknownID); wrong != nil { // the term was deleted after the check
		return nil, param.Refuse(k.Collection, wrong)
	}
	if !k.CanEdit(caller.From(ctx)) {
		return nil, caller.ErrForbidden
	}
	t := &store.TaxonomyTerm{Taxonomy: k.Taxonomy, Name: wp.TermName(name)}
	stored, err := k.insert(ctx, t, item.NewMetaEdit(nil))
	if stored != nil {
		t = stored
	}
	return t, err
}
