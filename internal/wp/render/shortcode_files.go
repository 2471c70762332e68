package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// maxGallery is the greatest number of files that the galleries and playlists of a text show: a short shortcode can
// request many.
const maxGallery = 1000

// room calls choose and returns as many of its files as the text may still show.
func (r *contentRun) room(choose func() []*ContentAttachment) []*ContentAttachment {
	if r.files >= maxGallery {
		return nil
	}
	list := choose()
	list = list[:min(len(list), maxGallery-r.files)]
	r.files += len(list)
	return list
}

// fileQuery says how a gallery or a playlist selects and sorts its files.
type fileQuery struct {
	attrs   *phpval.Array
	named   bool    // ids are given, perhaps an empty list
	ids     []int64 // in the given order
	by      string  // sort keys; "post__in" for the given order
	reverse bool
}

// filesQuery parses the attributes of a gallery or a playlist.
func filesQuery(t shortcode) *fileQuery {
	q := &fileQuery{attrs: parseShortcodeAttrs(t.attrs)}
	ids, include := q.get("ids", ""), q.get("include", "")
	q.by = q.get("orderby", "menu_order ID")
	if phpval.Truthy(ids) {
		include = ids
		if !phpval.Truthy(q.get("orderby", "")) {
			q.by = "post__in"
		}
	}
	q.named = phpval.Truthy(include)
	q.ids = idList(include)
	q.reverse = !strings.EqualFold(q.get("order", "ASC"), "ASC")
	return q
}

func (q *fileQuery) get(name, missing string) string { return attrText(q.attrs, name, missing) }

// post returns the id of the post that the attributes name. given is false if they name none.
func (q *fileQuery) post() (id int64, given bool) {
	v, given := q.attrs.Get("id")
	return phpval.Int(phpval.Text(v)), given
}

// idList parses a list of ids and removes duplicates.
func idList(s string) []int64 {
	var ids []int64
	for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ',' || c < 0x80 && isSpace(byte(c)) }) {
		ids = addID(ids, abs(phpval.Int(part)))
	}
	return ids
}

// selected returns the existing files among those named that have a MIME type beginning with mime, sorted.
func (q *fileQuery) selected(files map[int64]*ContentAttachment, mime string) []*ContentAttachment {
	var list []*ContentAttachment
	for _, id := range q.ids {
		if a := files[id]; a != nil && !a.Hidden && hasFold(a.Mime, mime) {
			list = append(list, a)
		}
	}
	q.sort(list)
	return list
}

// without returns the files of a list that are not excluded, sorted.
func (q *fileQuery) without(list []*ContentAttachment) []*ContentAttachment {
	excluded := idList(q.get("exclude", ""))
	list = slices.DeleteFunc(slices.Clone(list), func(a *ContentAttachment) bool { return slices.Contains(excluded, a.ID) })
	q.sort(list)
	return list
}

// sort sorts files by the given keys. Files that are equal are sorted by id; so are all files if the order is random,
// since results have to be reproducible.
func (q *fileQuery) sort(list []*ContentAttachment) {
	slices.SortFunc(list, func(a, b *ContentAttachment) int { return cmp.Compare(a.ID, b.ID) })
	if q.by == "none" {
		return
	}
	var keys []func(a, b *ContentAttachment) int
	for name := range strings.SplitSeq(q.by, " ") {
		if key := q.key(name); key != nil {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		keys = append(keys, q.key("date"))
	}
	reverse := q.reverse && q.by != "post__in"
	slices.SortStableFunc(list, func(a, b *ContentAttachment) int {
		if reverse {
			a, b = b, a
		}
		for _, key := range keys {
			if c := key(a, b); c != 0 {
				return c
			}
		}
		return 0
	})
}

// key returns the comparison function for a sort key, nil if the key is not known.
func (q *fileQuery) key(name string) func(a, b *ContentAttachment) int {
	number := func(of func(*ContentAttachment) int64) func(a, b *ContentAttachment) int {
		return func(a, b *ContentAttachment) int { return cmp.Compare(of(a), of(b)) }
	}
	text := func(of func(*ContentAttachment) string) func(a, b *ContentAttachment) int {
		return func(a, b *ContentAttachment) int { return strings.Compare(wp.Folded(of(a)), wp.Folded(of(b))) }
	}
	switch name {
	case "ID":
		return number(func(a *ContentAttachment) int64 { return a.ID })
	case "menu_order":
		return number(func(a *ContentAttachment) int64 { return a.Menu })
	case "author", "post_author":
		return number(func(a *ContentAttachment) int64 { return a.Author })
	case "parent", "post_parent":
		return number(func(a *ContentAttachment) int64 { return a.Parent })
	case "post__in":
		return number(func(a *ContentAttachment) int64 { return int64(slices.Index(q.ids, a.ID)) })
	case "date", "post_date":
		return text(func(a *ContentAttachment) string { return a.Date })
	case "modified", "post_modified":
		return text(func(a *ContentAttachment) string { return a.Modified })
	case "title", "post_title":
		return text(func(a *ContentAttachment) string { return a.Title })
	case "name", "post_name":
		return text(func(a *ContentAttachment) string { return a.Name })
	case "rand", "type", "post_type", "comment_count":
		return func(a, b *ContentAttachment) int { return 0 }
	}
	return nil
}
