package item

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// noNeed is the Need of most descriptions.
var noNeed = &render.Need{}

// need returns what must be loaded to render a description, including what the loaded patterns in it need.
func (v *View) need(p *store.Post) *render.Need {
	own := v.ownNeed(p)
	if len(own.Patterns) == 0 {
		return own
	}
	n, seen := &render.Need{}, map[int64]bool{}
	n.Add(own)
	level := own.Patterns
	for depth := range render.PatternDepth {
		var next []int64
		for _, id := range level {
			pattern := v.pattern(id)
			if seen[id] || pattern == nil {
				continue
			}
			seen[id] = true
			in := *v.ownNeed(pattern)
			if depth+1 == render.PatternDepth {
				in.Patterns = nil
			}
			n.Add(&in)
			next = append(next, in.Patterns...)
		}
		level = next
	}
	return n
}

// pattern returns a loaded synced pattern that is public, or nil.
func (v *View) pattern(id int64) *store.Post {
	if p := v.post(id); p != nil && p.Type == schema.TypePattern && p.Status == schema.StatusPublish && p.Password == "" {
		return p
	}
	return nil
}

// ownNeed returns what a description needs apart from its patterns. Like rendered texts, it is computed once and
// cached.
func (v *View) ownNeed(p *store.Post) *render.Need {
	if p.Content == "" {
		return noNeed
	}
	if n := v.needs[p.ID]; n != nil {
		return n
	}
	n := noNeed
	if list := v.env.Texts.Render(neededText, "", p.Content,
		func(s string) string { return needText(v.texts.Needed(s)) }); list != nothing {
		n = needOf(list)
	}
	if v.needs == nil {
		v.needs = map[int64]*render.Need{}
	}
	v.needs[p.ID] = n
	return n
}

// nothing is noNeed encoded as a string.
var nothing = needText(*noNeed)

// needText encodes a Need as a string, which needOf decodes.
func needText(n render.Need) string {
	lists := []string{strings.Join(n.Embeds, " ")}
	for _, ids := range [][]int64{n.Files, n.Pages, n.Tracks, n.Posts, n.Patterns} {
		lists = append(lists, strings.Join(store.Decimals(ids), " "))
	}
	return strings.Join(append(lists, strconv.FormatBool(n.Own)), "/")
}

func needOf(text string) *render.Need {
	lists := strings.Split(text, "/")
	n := &render.Need{Embeds: strings.Fields(lists[0]), Own: lists[6] == "true"}
	for i, ids := range []*[]int64{&n.Files, &n.Pages, &n.Tracks, &n.Posts, &n.Patterns} {
		for id := range strings.FieldsSeq(lists[1+i]) {
			*ids = append(*ids, phpval.Int(id))
		}
	}
	return n
}

// attach provides descriptions with their patterns and files: the files that they name, the pictures of tracks, and the
// pictures attached to posts.
func (v *View) attach(ctx context.Context) {
	t := v.texts
	t.Attachments, t.Patterns = map[int64]*render.ContentAttachment{}, map[int64]string{}
	t.Attached, t.Own = map[int64][]*render.ContentAttachment{}, map[int64][]*render.ContentAttachment{}
	var children map[int64][]int64
	for _, post := range slices.Collect(maps.Keys(v.needs)) {
		n, p := v.needs[post], v.post(post)
		if len(n.Patterns) > 0 && p != nil {
			if p.Type == schema.TypePattern {
				continue // patterns are part of the needs of the posts that contain them
			}
			n = v.need(p)
		}
		for _, id := range n.Patterns {
			if p := v.pattern(id); p != nil {
				t.Patterns[id] = p.Content
			}
		}
		for _, id := range n.Files {
			if a := v.file(ctx, id); a != nil && slices.Contains(n.Tracks, id) {
				v.file(ctx, a.Thumbnail)
			}
		}
		if !n.Own && len(n.Posts) == 0 {
			continue
		}
		if children == nil {
			children = v.children()
		}
		for _, id := range n.Posts {
			if p := v.post(id); p != nil && v.public(p) {
				t.Attached[id] = v.files(ctx, children[id])
			}
		}
		if p != nil && p.Type == v.env.Content.Types.Events().PostType {
			t.Own[post] = v.files(ctx, children[post])
		}
	}
}

// children returns the loaded pictures by the post that they are attached to.
func (v *View) children() map[int64][]int64 {
	list := map[int64][]int64{}
	for id, p := range v.Images.posts {
		if p.Type == schema.TypeAttachment && p.Status == schema.StatusInherit && strings.HasPrefix(p.MimeType, "image/") {
			list[p.Parent] = append(list[p.Parent], id)
		}
	}
	for _, ids := range list {
		slices.Sort(ids)
	}
	return list
}

// public reports whether a post has a page that everybody may see.
func (v *View) public(p *store.Post) bool {
	return p.Status == schema.StatusPublish && p.Password == "" &&
		(v.env.Content.Types.ForPostType(p.Type) != nil || p.Type == schema.TypePost || p.Type == schema.TypePage)
}

func (v *View) files(ctx context.Context, ids []int64) []*render.ContentAttachment {
	var list []*render.ContentAttachment
	for _, id := range ids {
		if a := v.file(ctx, id); a != nil {
			list = append(list, a)
		}
	}
	return list
}

// file returns a file as descriptions show it, or nil if it does not exist.
func (v *View) file(ctx context.Context, id int64) *render.ContentAttachment {
	if a := v.texts.Attachments[id]; a != nil {
		return a
	}
	p := v.Images.posts[id]
	if p == nil || p.Type != schema.TypeAttachment {
		return nil
	}
	m := v.Images.meta[id]
	a := &render.ContentAttachment{
		Attachment: v.Images.attachment(id), Title: p.Title, Caption: p.Excerpt, Description: p.Content,
		Alt:  m.Text(schema.MetaAttachmentAlt),
		Name: p.Name, Date: p.Date, Modified: p.Modified, Author: p.Author, Parent: p.Parent, Menu: p.MenuOrder,
		Thumbnail: phpval.Int(m.Text(schema.MetaThumbnailID)), Hidden: p.Status != schema.StatusInherit, Link: v.filePage(ctx, p),
	}
	v.texts.Attachments[id] = a
	return a
}

// filePage returns the URL of a file's attachment page. It is below that of the post that the file is attached to, if
// the caller may read that post.
func (v *View) filePage(ctx context.Context, file *store.Post) string {
	if file.Parent == 0 {
		return v.Attachment(file.ID, file.Name)
	}
	p := v.post(file.Parent)
	if p == nil || p.ID == file.ID ||
		p.Status != schema.StatusPublish && !(p.Status == schema.StatusPrivate && v.env.Content.Types.CanRead(ctx, p)) {
		return v.Attachment(file.ID, "")
	}
	return v.AttachmentBelow(v.pageOf(ctx, p), file.ID, file.Name)
}

// pageOf returns the URL of a post's page, or "" if it is unknown.
func (v *View) pageOf(ctx context.Context, p *store.Post) string {
	if v.env.Content.Types.ForPostType(p.Type) != nil {
		return v.Address(p)
	}
	switch p.Type {
	case schema.TypePost:
		return v.Linker.Post(p.ID, p.Name, p.Date)
	case schema.TypePage:
		slugs := []string{p.Name}
		for p = v.post(p.Parent); p != nil && p.Type == schema.TypePage && len(slugs) < maxReads; p = v.post(p.Parent) {
			slugs = append(slugs, p.Name)
		}
		slices.Reverse(slugs)
		return v.Page(slugs)
	}
	return ""
}

// embedded returns the part of a description's cache key that depends on more than its text: the settings, the files
// and URLs that it embeds, and, if it shows the files attached to its post, that post.
func (v *View) embedded(p *store.Post, own int64) string {
	n := v.need(p)
	if n == noNeed {
		return v.settingsKey()
	}
	var b strings.Builder
	b.WriteString(v.settingsKey())
	write := func(a *render.ContentAttachment) {
		if a == nil {
			b.WriteString("\n-")
			return
		}
		fmt.Fprintf(&b, "\n%d %q %q %q %q %q %q %q %q %q %q %q %d %d %d %d %t", a.ID, a.File, a.Mime, a.GUID, a.Title, a.Caption, a.Alt,
			a.Description,
			a.Link, a.Name, a.Date, a.Modified, a.Author, a.Parent, a.Menu, a.Thumbnail, a.Hidden)
		fmt.Fprintf(&b, " %q", v.Images.meta[a.ID].Text(schema.MetaAttachmentMetadata))
	}
	for _, id := range n.Patterns {
		fmt.Fprintf(&b, "\npattern %d %q", id, v.texts.Patterns[id])
	}
	for _, id := range n.Files {
		a := v.texts.Attachments[id]
		write(a)
		if a != nil && a.Thumbnail > 0 {
			write(v.texts.Attachments[a.Thumbnail])
		}
	}
	for _, id := range n.Posts {
		fmt.Fprintf(&b, "\nof %d", id)
		for _, a := range v.texts.Attached[id] {
			write(a)
		}
	}
	if own != 0 && (n.Own || slices.Contains(n.Posts, own)) {
		fmt.Fprintf(&b, "\nown %d", own)
		for _, a := range v.texts.Own[own] {
			write(a)
		}
	}
	for _, key := range n.Embeds {
		fmt.Fprintf(&b, "\n%s %q", key, v.texts.Embeds[key])
	}
	return b.String()
}
