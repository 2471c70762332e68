package exchange

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/store/sourcestore"
	"github.com/agendahq/agenda/schema"
)

// storedPost is a stored item of a resource that events link, such as a venue.
type storedPost struct {
	id        int64
	uid, slug string
	source    sourcestore.Source
	ours      bool     // it came from this source
	hidden    bool     // it is private because only events that are not public link it so far
	name      string   // folded, for comparison
	distinct  []string // its values of the fields that kind.distinct returns
	language  string
}

// postList contains the stored items of a resource.
type postList struct {
	byUID, bySlug, byName map[string][]*storedPost
	byID                  map[int64]*storedPost
	last                  int64 // the highest id
}

func (l *postList) addPost(p *storedPost) {
	if l.byUID == nil {
		l.byID = map[int64]*storedPost{}
		l.byUID, l.bySlug, l.byName = map[string][]*storedPost{}, map[string][]*storedPost{}, map[string][]*storedPost{}
	}
	l.byUID[p.uid] = append(l.byUID[p.uid], p)
	l.bySlug[p.slug] = append(l.bySlug[p.slug], p)
	l.byName[p.name] = append(l.byName[p.name], p)
	l.byID[p.id] = p
	l.last = max(l.last, p.id)
}

func (l *postList) mergePosts(more *postList) {
	for _, list := range more.byName {
		for _, p := range list {
			l.addPost(p)
		}
	}
	l.last = max(l.last, more.last)
}

// distinct returns the fields whose values distinguish items that have the same name.
func (k *resource) distinct() (list []field) {
	for _, f := range k.fields {
		if f.Distinct {
			list = append(list, f)
		}
	}
	return list
}

// distinctIn returns the values of a record that distinguish it from others of the same name.
func (k *resource) distinctIn(rec *Record) (values []string) {
	for _, f := range k.distinct() {
		values = append(values, foldName(rec.stringValue(f.Name)))
	}
	return values
}

// traits returns what distinguishes a record from others of the same name.
func (k *resource) traits(rec *Record) []string {
	above := ""
	if rec.Parent != nil {
		above = foldName(rec.Parent.name())
	}
	return append(k.distinctIn(rec), rec.UID, rec.Language, above)
}

// postChunk is the number of stored items that are read at a time.
const postChunk = 500

// loadPosts reads the stored items of a resource that the import has not read yet.
func (a *attempt) loadPosts(ctx context.Context, k *resource) error {
	list, last := &postList{}, int64(0)
	for l := a.state; l != nil; l = l.below {
		if known := l.posts[k.Collection]; known != nil {
			last = max(last, known.last)
		}
	}
	keys := []string{schema.MetaSourceUID, schema.MetaSource, schema.MetaSourceID, schema.MetaSourceStatus}
	for _, f := range k.distinct() {
		keys = append(keys, f.Keys...)
	}
	for {
		ids, err := a.parts.Events.Service.Content.Store.Posts.After(ctx, k.PostType, last, postChunk)
		if err != nil || len(ids) == 0 {
			a.state.addPosts(k.Collection, list)
			return err
		}
		last = ids[len(ids)-1]
		c, err := a.parts.Events.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: ids, Keys: keys})
		if err != nil {
			return err
		}
		known := &langstore.Groups{}
		if a.parts.Events.Service.Content.Languages != nil {
			if known, err = a.parts.Events.Service.Content.Translations.Groups(ctx, ids, nil); err != nil {
				return err
			}
		}
		for _, id := range ids {
			p, m := c.Posts[id], c.Meta[id]
			if p == nil {
				continue
			}
			one := &storedPost{
				id: id, uid: m.Text(schema.MetaSourceUID), slug: p.Name, name: foldName(p.Title),
				source: sourcestore.Source{Name: m.Text(schema.MetaSource), ID: m.Text(schema.MetaSourceID)},
			}
			for _, f := range k.distinct() {
				one.distinct = append(one.distinct, foldName(m.Text(f.Keys[0])))
			}
			one.ours = a.ours[one.source]
			one.hidden = p.Status == schema.StatusPrivate && m.Text(schema.MetaSourceStatus) == hiddenByEvents
			one.language = languageOf(ctx, a.parts, k, known.Posts[id])
			list.addPost(one)
		}
	}
}

func (k *importState) addPosts(kind Collection, list *postList) {
	if k.posts[kind] == nil {
		k.posts[kind] = &postList{}
	}
	k.posts[kind].mergePosts(list)
}

// foldName returns a name in the form in which names are compared: its words in lower case.
func foldName(text string) string { return strings.ToLower(plainText(text)) }

// post finds or creates a linked item, such as a venue, and returns its id and what was done. An item that the source
// identifies by UID or slug is updated. An item that only matches by name and distinct values is used unchanged. So is
// one that did not come from this source, unless the source is trusted; if it was identified by UID or slug, the action
// is Skipped.
func (m *recordImport) post(ctx context.Context, k *resource, rec *Record, code string) (int64, Action, error) {
	key := m.key(rec, code)
	if id, known := m.state.item(key); known {
		return id, Unchanged, nil
	}
	if err := m.loadPosts(ctx, k); err != nil {
		return 0, "", err
	}
	stored, named := m.findPost(k, rec, code)
	if one := m.numbered(k, rec); one != nil {
		stored, named = one, true
	}
	o := Outcome{Action: Unchanged}
	foreign := stored != nil && !stored.ours && !m.importer.Trust
	switch {
	case stored != nil && stored.hidden && !m.hidden && statedStatus(rec) == schema.StatusPublish && !m.state.isShown(stored.id):
		if err := m.publish(ctx, k, stored, code, &o); err != nil {
			return 0, "", err
		}
		foreign, named = false, true
	case stored != nil && (named || foreign):
		o.ID = stored.id
	default:
		if err := m.savePost(ctx, k, rec, code, stored, &o); err != nil {
			return 0, "", err
		}
	}
	m.state.items[key] = o.ID
	if foreign {
		if !named {
			o.Action = Skipped
		}
		return o.ID, o.Action, nil
	}
	return o.ID, o.Action, m.join(ctx, k.PostType, rec, member{o.ID, code})
}

// key returns a key made of everything that the source states about a linked item, so that equal records are resolved
// once.
func (m *recordImport) key(rec *Record, code string) string { return linkedKey(rec, code, m.hidden) }

func linkedKey(rec *Record, code string, hidden bool) string {
	values, _ := json.Marshal(rec.Values)
	parent := ""
	if rec.Parent != nil {
		parent = linkedKey(rec.Parent, code, hidden)
	}
	return fmt.Sprintf("%t\x00%s\x00%s\x00%s\x00%s\x00%s\x00%s\x00%s", hidden, rec.Kind, code, rec.UID, rec.Group, values, rec.Image,
		parent)
}

// savePost writes a linked item.
func (m *recordImport) savePost(ctx context.Context, k *resource, rec *Record, code string, stored *storedPost, o *Outcome) error {
	m.passed(rec)
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		m.lost = append(m.lost, rec.refuse(string(kind), "can only be linked by events"))
	}
	id := int64(0)
	origin := &posts.Origin{Source: m.source, UID: rec.UID, Password: m.password(ctx, rec), Rows: m.rows(ctx, rec, false)}
	if stored != nil && stored.uid == "" && m.ownPost(rec) == stored.id {
		origin.UID = "" // the item was made on this site
	}
	body := map[string]any{}
	maps.Copy(origin.Rows, m.linkedStatus(rec, body, stored))
	for name, v := range m.values(rec) {
		f, _ := k.has(name)
		switch on, isFlag := v.(bool); {
		case name == fieldSlug: // writes of linked items do not accept it
			origin.Slug, _ = v.(string)
		case isFlag && f.words: // a flag that writes accept as a string
			body[name] = strconv.FormatBool(on)
		default:
			body[name] = v
		}
	}
	if stored != nil {
		id = stored.id
	}
	if origin.UID == "" || stored != nil && stored.source.Name != "" {
		origin.Source = sourcestore.Source{}
	}
	if err := m.image(ctx, body, rec); err != nil {
		return err
	}
	if err := m.save(ctx, k.cases, id, code, origin, body, o); err != nil {
		return err
	}
	if id == 0 {
		list := &postList{}
		list.addPost(&storedPost{
			id: o.ID, uid: rec.UID, source: m.source, ours: m.ours[m.source],
			slug: site.From(m.run.ctx).Slug(rec.stringValue(fieldSlug)),
			hidden: body[posts.FieldStatus] == schema.StatusPrivate && slices.Equal(origin.Rows[schema.MetaSourceStatus],
				[]string{hiddenByEvents}),
			name: foldName(rec.stringValue(k.Title)), distinct: k.distinctIn(rec), language: code,
		})
		m.state.addPosts(k.Collection, list)
	}
	return nil
}

// ownPost returns the id in a UID that an export of this site gave to a linked item, or 0 for any other UID.
func (r *run) ownPost(rec *Record) int64 {
	own, ours := strings.CutPrefix(rec.UID, string(rec.Kind)+"-")
	if !ours {
		return 0
	}
	return r.ownID(own)
}

// findPost returns the stored item that a record matches, or nil, and whether it matches only by name and distinct
// values.
func (m *recordImport) findPost(k *resource, rec *Record, code string) (found *storedPost, named bool) {
	name, distinct, slug := foldName(rec.stringValue(k.Title)), k.distinctIn(rec), site.From(m.run.ctx).Slug(rec.stringValue(fieldSlug))
	each := func(of func(*postList) []*storedPost, good func(*storedPost) bool) (found *storedPost) {
		for known := m.state; known != nil; known = known.below {
			if list := known.posts[k.Collection]; list != nil {
				for _, p := range of(list) {
					if good(p) && (found == nil || found.language != code && p.language == code) {
						found = p
					}
				}
			}
		}
		return found
	}
	if rec.UID != "" {
		found = each(func(l *postList) []*storedPost { return l.byUID[rec.UID] }, func(p *storedPost) bool {
			return (p.ours || isGlobalUID(rec.UID)) && p.language == code
		})
		if found != nil {
			return found, false
		}
	}
	if own := m.ownPost(rec); own != 0 {
		found = each(func(l *postList) []*storedPost { return l.byUID[""] }, func(p *storedPost) bool { return p.id == own })
		if found != nil {
			return found, false
		}
	}
	alike := func(p *storedPost) bool {
		return p.name == name && valuesAgree(p.distinct, distinct) && (rec.UID == "" || p.uid == "")
	}
	if slug != "" {
		found = each(func(l *postList) []*storedPost { return l.bySlug[slug] }, func(p *storedPost) bool {
			return alike(p) && p.language == code
		})
		if found != nil {
			return found, false
		}
	}
	found = each(func(l *postList) []*storedPost { return l.byName[name] }, func(p *storedPost) bool {
		return alike(p) && (rec.Group == "" || p.language == code)
	})
	return found, rec.UID == ""
}

// valuesAgree reports whether no two values at the same index contradict each other. An empty value agrees with any other.
func valuesAgree(a, b []string) bool {
	for i := range a {
		if a[i] != "" && b[i] != "" && a[i] != b[i] {
			return false
		}
	}
	return true
}
