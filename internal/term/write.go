package term

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// revision returns a hash of the stored term and of the meta rows that the caller may read. It does not include the
// count, which changes with events.
func revision(t *store.TaxonomyTerm, m store.Meta) string {
	text := fmt.Appendf(nil, "%q %q %q %q %d %d", t.Taxonomy, t.Name, t.Slug, t.Description, t.Parent, t.Group)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		text = fmt.Appendf(text, " %q %q", key, m[key])
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

// termWrite is a write of a term whose input was checked.
type termWrite struct {
	kind *UseCases
	call *call.Call
}

// result returns the result of a write with the term that the response shows.
func result(shown *item.Item, err error) (item.Result, error) {
	if err != nil {
		return item.Result{}, err
	}
	return item.Result{ID: shown.Term.ID, Changed: true, Items: []*item.Item{shown}}, nil
}

// Create returns the change that creates a term.
func (k *UseCases) Create(ctx context.Context, c *call.Call) (*item.Change, error) {
	if err := k.checkFields(ctx, c.Values); err != nil {
		return nil, err
	}
	return &item.Change{Apply: termWrite{k, c}.create}, nil
}

func (w termWrite) create(ctx context.Context) (item.Result, error) {
	k, t, meta := w.kind, &store.TaxonomyTerm{Taxonomy: w.kind.Taxonomy}, item.NewMetaEdit(nil)
	if err := k.Fields.ApplyTerm(ctx, w.call.Values, t, meta); err != nil {
		return item.Result{}, err
	}
	existing, err := k.insert(ctx, t, meta)
	if err != nil {
		return item.Result{}, err
	}
	if existing != nil {
		id := existing.ID
		return item.Result{}, k.Errors.Exists.With("Name", t.Name).WithData("term_id", id).WithMember("additional_data", []int64{id, id})
	}
	return result(w.written(ctx, t.ID))
}

// insert inserts a term with a unique slug, and its meta rows. If it would be a duplicate, insert returns the existing
// term instead. A slug that t already has was given by the client.
func (k *UseCases) insert(ctx context.Context, t *store.TaxonomyTerm, meta *item.MetaEdit) (*store.TaxonomyTerm, error) {
	var tree map[int64]*store.TaxonomyTerm
	if t.Parent != 0 {
		var err error
		if tree, err = k.tree(ctx); err != nil {
			return nil, err
		}
		if tree[t.Parent] == nil {
			return nil, param.Refuse(string(fieldParent), param.Invalid(k.Texts.UnknownID))
		}
	}
	given := t.Slug != ""
	if !given {
		t.Slug = site.From(ctx).Slug(t.Name)
	}
	all, err := k.Service.Content.Store.Terms.Matching(ctx, k.Taxonomy, nil, []string{t.Slug}, []string{t.Name})
	if err != nil {
		return nil, err
	}
	stored, err := k.sameLanguage(ctx, all)
	if err != nil {
		return nil, err
	}
	if d := duplicate(stored, t, given, k.Tree); d != nil {
		return d, nil
	}
	if slugTaken(all, t.Slug) && !slugTaken(stored, t.Slug) { // a term in another language has the slug (D91)
		t.Slug = wp.ExtendSlug(t.Slug, k.Service.Content.Languages.OfNew(ctx, k.Taxonomy))
	}
	slugs := slugs{k.Service.Content.Store, k.Taxonomy}
	if t.Slug, err = slugs.free(ctx, t.Slug, above(tree, t), 0); err != nil {
		return nil, err
	}
	if err := k.Service.AskTerm(ctx, k.Resource, content.OpCreate, nil, t, meta); err != nil {
		return nil, err
	}
	if err := k.Service.Content.Store.Terms.Insert(ctx, t); err != nil {
		return nil, err
	}
	if t.Slug == "" {
		if err := slugs.number(ctx, t); err != nil {
			return nil, err
		}
	}
	if err := k.recordTerm(ctx, t); err != nil {
		return nil, err
	}
	if err := k.writeMeta(ctx, t.ID, meta); err != nil {
		return nil, err
	}
	return nil, k.Service.Content.Changes.NoteTerm(ctx, t, content.Change{Kind: k.Collection, Op: content.OpCreate})
}

// recordTerm stores the language of a new term: that of the request.
func (k *UseCases) recordTerm(ctx context.Context, t *store.TaxonomyTerm) error {
	if code := k.Service.Content.Languages.OfNew(ctx, k.Taxonomy); code != "" {
		return k.Service.Content.Translations.RecordTerm(ctx, t, code)
	}
	return nil
}

// sameLanguage returns the terms in the request's language. Terms in other languages may have the same name.
func (k *UseCases) sameLanguage(ctx context.Context, terms []*store.TaxonomyTerm) ([]*store.TaxonomyTerm, error) {
	code := k.Service.Content.Languages.OfNew(ctx, k.Taxonomy)
	if code == "" || len(terms) == 0 {
		return terms, nil
	}
	known, err := k.Service.Content.Translations.Groups(ctx, nil, terms)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(terms), func(t *store.TaxonomyTerm) bool {
		return k.Service.Content.Languages.ForGroup(known.Terms[t.TaxonomyID]) != code
	}), nil
}

// Update returns the change that sets the given fields of a term.
func (k *UseCases) Update(ctx context.Context, c *call.Call) (*item.Change, error) {
	if err := k.checkFields(ctx, c.Values); err != nil {
		return nil, err
	}
	return &item.Change{Apply: termWrite{k, c}.update}, nil
}

func (w termWrite) update(ctx context.Context) (item.Result, error) {
	k := w.kind
	was, stored, err := w.lock(ctx)
	if err != nil {
		return item.Result{}, err
	}
	is, meta := *was, item.NewMetaEdit(stored)
	if err := k.Fields.ApplyTerm(ctx, w.call.Values, &is, meta); err != nil {
		return item.Result{}, err
	}
	if is == *was && !meta.Changed() {
		return result(w.reread(ctx, was.ID))
	}
	if err := w.settle(ctx, was, &is); err != nil {
		return item.Result{}, err
	}
	if err := k.Service.AskTerm(ctx, k.Resource, content.OpUpdate, was, &is, meta); err != nil {
		return item.Result{}, err
	}
	if err := k.writeMeta(ctx, was.ID, meta); err != nil {
		return item.Result{}, err
	}
	if err := k.Service.Content.Store.Terms.Update(ctx, was, &is); err != nil {
		return item.Result{}, err
	}
	if err := k.Service.Content.Changes.NoteTerm(ctx, &is, content.Change{Kind: k.Collection, Op: content.OpUpdate}); err != nil {
		return item.Result{}, err
	}
	return result(w.written(ctx, was.ID))
}

// lock locks the term that the path names and returns it with its meta rows, if If-Match allows the write.
func (w termWrite) lock(ctx context.Context) (*store.TaxonomyTerm, store.Meta, error) {
	k := w.kind
	t, err := k.Service.Content.Store.Terms.Lock(ctx, k.Taxonomy, pathID.Value(w.call.Values).term.ID)
	if err != nil {
		return nil, nil, err
	}
	if t == nil { // it was deleted in the meantime
		return nil, nil, param.Refuse(string(pathID), param.Invalid(k.Texts.UnknownID))
	}
	found, _, err := k.Service.Content.Store.Terms.Meta(ctx, store.TermRows{Terms: []int64{t.ID}, Keys: k.Keys.Names()})
	if err != nil {
		return nil, nil, err
	}
	all := found[t.ID]
	readable := store.Meta{}
	for _, key := range k.Keys.Readable(ctx) {
		if all[key] != nil {
			readable[key] = all[key]
		}
	}
	return t, all, item.CheckMatch(w.call, revision(t, readable))
}

// writeMeta stores the meta rows that an edit changes.
func (k *UseCases) writeMeta(ctx context.Context, id int64, e *item.MetaEdit) error {
	for _, key := range e.Keys() {
		if err := k.Service.Content.Store.Terms.SetMeta(ctx, id, key, e.Meta(key)); err != nil {
			return err
		}
	}
	return nil
}

// settle rejects a slug that another term has, and a parent that would form a cycle or does not exist.
func (w termWrite) settle(ctx context.Context, was, is *store.TaxonomyTerm) error {
	k := w.kind
	if is.Slug != was.Slug {
		taken, err := slugs{k.Service.Content.Store, k.Taxonomy}.taken(ctx, is.Slug, was.ID)
		if err != nil {
			return err
		}
		if taken {
			return k.Errors.Slug.With("Slug", is.Slug)
		}
	}
	if is.Parent == was.Parent || is.Parent == 0 {
		return nil
	}
	tree, err := k.tree(ctx)
	switch {
	case err != nil:
		return err
	case tree[is.Parent] == nil:
		return param.Refuse(string(fieldParent), param.Invalid(k.Texts.UnknownID))
	case is.Parent == was.ID || slices.Contains(tree[is.Parent].Ancestors(tree), tree[was.ID]):
		return param.Refuse(string(fieldParent), param.Invalid("fault_categories_circle"))
	}
	return nil
}

// Delete returns the change that deletes a term. Its result shows the term as it was before.
func (k *UseCases) Delete(_ context.Context, c *call.Call) (*item.Change, error) {
	return &item.Change{Apply: termWrite{k, c}.remove}, nil
}

func (w termWrite) remove(ctx context.Context) (item.Result, error) {
	k := w.kind
	t, stored, err := w.lock(ctx)
	if err != nil {
		return item.Result{}, err
	}
	if err := k.Service.AskTerm(ctx, k.Resource, content.OpDelete, t, nil, item.NewMetaEdit(stored)); err != nil {
		return item.Result{}, err
	}
	tree, err := k.tree(ctx)
	if err != nil {
		return item.Result{}, err
	}
	shown, err := k.items(ctx, k.Service.View(ctx, w.call), tree, t)
	if err != nil {
		return item.Result{}, err
	}
	if err := k.Service.Content.Changes.NoteTerm(ctx, t, content.Change{Kind: k.Collection, Op: content.OpDelete}); err != nil {
		return item.Result{}, err
	}
	if err := k.Service.Content.Translations.ForgetTerm(ctx, t); err != nil {
		return item.Result{}, err
	}
	if err := k.Service.Content.Store.Terms.Delete(ctx, t); err != nil {
		return item.Result{}, err
	}
	return result(shown[0], k.writeChildren(ctx))
}

// written completes the write of a term: it updates the option that is derived from terms and reads the term.
func (w termWrite) written(ctx context.Context, id int64) (*item.Item, error) {
	if err := w.kind.writeChildren(ctx); err != nil {
		return nil, err
	}
	return w.reread(ctx, id)
}

// reread reads a term in the form in which Get returns it.
func (w termWrite) reread(ctx context.Context, id int64) (*item.Item, error) {
	at, err := w.kind.locate(ctx, id)
	if err != nil {
		return nil, err
	}
	if at.term == nil {
		return nil, param.Refuse(string(pathID), param.Invalid(w.kind.Texts.UnknownID))
	}
	return w.kind.item(ctx, w.call, at)
}

// writeChildren stores the option with the children of each term, a cache that WordPress reads.
func (k *UseCases) writeChildren(ctx context.Context) error {
	if !k.Tree {
		return nil
	}
	terms, err := k.Service.Content.Store.Terms.Tree(ctx, k.Taxonomy)
	if err != nil {
		return err
	}
	name, is := schema.OptionChildren(k.Taxonomy), children(terms)
	was, stored, err := k.Service.Content.Store.Options.Lock(ctx, name)
	if err != nil || stored && was == is {
		return err
	}
	return k.Service.Content.Store.Options.Set(ctx, name, is, stored)
}

// children returns the option's value: a serialized PHP array from a parent's id to the ids of its children.
func children(terms []*store.TaxonomyTerm) string {
	all := &phpval.Array{}
	for _, t := range terms {
		if t.Parent <= 0 {
			continue
		}
		key := phpval.IntKey(t.Parent)
		list, _ := all.GetKey(key)
		ids, known := list.(*phpval.Array)
		if !known {
			ids = &phpval.Array{}
			all.Set(key, ids)
		}
		ids.Set(phpval.IntKey(int64(ids.Len())), t.ID)
	}
	return phpval.Serialize(all)
}
