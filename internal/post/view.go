package post

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wire"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// View is what an answer shows its posts with: the site's settings and
// addresses in the request's language version, the pictures of its posts, and
// the rendering of texts.
type View struct {
	*wp.Linker
	Settings *site.Settings
	Images   *Images
	Versions *Versions // of its posts and terms in other languages
	Single   bool      // one post is read, which shows more of it than a list
	env      *Env
	texts    *wp.ContentEnv
	key      string           // of the settings that texts depend on
	loaded   []*store.Content // what Load read and was given
}

// View returns the view of a request. What its posts need is loaded later.
func (e *Env) View(ctx context.Context, r *rest.Request) *View {
	s := site.From(ctx)
	v := &View{Linker: e.Linker(ctx, r), Settings: s, Versions: e.Versions(ctx, r), env: e}
	v.texts = &wp.ContentEnv{
		Home: s.Home, SiteURL: s.SiteURL, Uploads: v.Uploads(), Marks: e.Marks, Theme: s.Theme, NoSmilies: s.NoSmilies,
	}
	v.key = fmt.Sprintf("%s\n%s\n%s\n%s\n%t\n%+v", s.Home, s.SiteURL, v.Uploads(), s.Stylesheet, s.NoSmilies, s.Cost)
	return v
}

// Of makes the address of a post: on the pages of its own language where a site
// tells languages apart, else on those of the request's.
func (v *View) Of(ctx context.Context, p *store.Post) *wp.Linker {
	if v.Versions == nil {
		return v.Linker
	}
	return v.Versions.linker(ctx, v.Versions.language(v.Versions.ofPost(p.ID)))
}

// Load reads what the posts of an answer show beside their own rows and meta
// rows: the posts that are linked to them, with their rows of the given keys, the
// pictures that meta rows name, and what descriptions embed. It returns what it
// read; pictures and embedded things are for the view.
func (v *View) Load(ctx context.Context, own *store.Content, linked []int64, keys []string) (*store.Content, error) {
	images, files, embeds := v.shown(own, slices.Collect(maps.Keys(own.Posts)))
	found, err := v.env.Store.Content(ctx, store.Ask{IDs: slices.Concat(linked, images, files), Keys: slices.Concat(keys, fileKeys), Embeds: embeds})
	if err != nil {
		return nil, err
	}
	images, more, others := v.shown(found, linked)
	missing := slices.DeleteFunc(slices.Concat(images, more), func(id int64) bool { return found.Posts[id] != nil })
	rest, err := v.env.Store.Content(ctx, store.Ask{IDs: missing, Keys: fileKeys, Embeds: others})
	if err != nil {
		return nil, err
	}
	maps.Copy(found.Posts, rest.Posts)
	maps.Copy(found.Meta, rest.Meta)
	maps.Copy(found.Embeds, rest.Embeds)
	v.loaded = []*store.Content{own, found, rest}
	v.Images = &Images{texts: v.env.Texts, uploads: v.Uploads(), posts: found.Posts, meta: found.Meta}
	v.texts.Embeds = found.Embeds
	v.attach(slices.Concat(files, more))
	return found, nil
}

// Made stands for all that an answer is made of: the site's settings, what Load
// read, and other things that the answer shows. It is empty where more is read,
// and where something is read that not everybody sees: what a validator is made
// of could be tried out.
func (v *View) Made(other ...any) string {
	if v.Versions != nil {
		return ""
	}
	made := fmt.Sprintf("%q", other) + v.Settings.Digest
	for _, c := range v.loaded {
		for _, p := range c.Posts {
			if p.Password != "" || p.Status != schema.StatusPublish && p.Status != schema.StatusInherit {
				return ""
			}
		}
		made += c.Digest
	}
	return made
}

// shown are the images that the meta rows of posts name, and the files and
// cached addresses that their descriptions show.
func (v *View) shown(c *store.Content, posts []int64) (images, files []int64, embeds []string) {
	for _, id := range posts {
		if image := wp.LeadingInt(c.Meta[id].Text(schema.MetaThumbnailID)); image > 0 {
			images = append(images, image)
		}
		if p := c.Posts[id]; p != nil {
			ids, keys := v.needed(p.Content)
			files, embeds = append(files, ids...), append(embeds, keys...)
		}
	}
	return images, files, embeds
}

// attach lets descriptions show files.
func (v *View) attach(files []int64) {
	v.texts.Attachments = make(map[int64]*wp.ContentAttachment, len(files))
	for _, id := range files {
		p := v.Images.posts[id]
		if p == nil || p.Type != schema.TypeAttachment {
			continue
		}
		v.texts.Attachments[id] = &wp.ContentAttachment{
			Attachment: v.Images.attachment(id), Title: p.Title, Caption: p.Excerpt,
			Alt: v.Images.meta[id].Text(schema.MetaAttachmentAlt), Link: v.Attachment(p.ID, p.Name),
		}
	}
}

// needed are the uploaded files and the cached addresses that a description
// shows. They are looked for once, as texts are rendered once.
func (v *View) needed(content string) (files []int64, embeds []string) {
	if content == "" {
		return nil, nil
	}
	list := v.env.Texts.Render(neededText, "", content, func(string) string {
		var b strings.Builder
		for _, id := range wp.NeededAttachments(content) {
			b.WriteString(strconv.FormatInt(id, 10) + " ")
		}
		b.WriteString("/" + strings.Join(v.texts.NeededEmbeds(content), " "))
		return b.String()
	})
	ids, keys, _ := strings.Cut(list, "/")
	for id := range strings.FieldsSeq(ids) {
		files = append(files, wp.LeadingInt(id))
	}
	return files, strings.Fields(keys)
}

// Kinds of rendered texts.
const (
	titleText    = 't'
	contentText  = 'c'
	excerptText  = 'e'
	linkedText   = 'l'
	neededText   = 'n' // what a description needs to be rendered
	costText     = 'k'
	priceText    = 'p'
	costJSON     = 'v'
	imageJSON    = 'i'
	imageURLJSON = 'u'
)

// Title renders the title of an event or the name of a venue or organizer.
func (v *View) Title(p *store.Post) string {
	return v.env.Texts.Render(titleText, "", p.Title, func(s string) string { return wp.RenderTitle(s, v.env.Marks) })
}

// Content renders a description.
func (v *View) Content(p *store.Post) string {
	return v.env.Texts.Render(contentText, v.embedded(p.Content), p.Content, v.texts.RenderContent)
}

// embedded tells apart what the same description becomes with other settings
// and other files and addresses in it.
func (v *View) embedded(content string) string {
	if len(v.texts.Attachments) == 0 && len(v.texts.Embeds) == 0 {
		return v.key
	}
	var b strings.Builder
	b.WriteString(v.key)
	files, embeds := v.needed(content)
	for _, id := range files {
		if a := v.texts.Attachments[id]; a != nil {
			fmt.Fprintf(&b, "\n%d %q %q %q %q %q %q %q", id, a.File, a.Mime, a.Title, a.Caption, a.Alt, a.Link,
				v.Images.meta[id].Text(schema.MetaAttachmentMetadata))
		}
	}
	for _, key := range embeds {
		fmt.Fprintf(&b, "\n%s %q", key, v.texts.Embeds[key])
	}
	return b.String()
}

// Excerpt renders an excerpt.
func (v *View) Excerpt(p *store.Post) string {
	return v.env.Texts.Render(excerptText, v.key, p.Excerpt, v.texts.RenderExcerpt)
}

// WriteGlobalID writes the id that is unique among sites and the ids that the
// post had elsewhere.
func (v *View) WriteGlobalID(w *wire.Writer, p *store.Post, m store.Meta) {
	writeGlobalID(w, v.GlobalID(p.ID), m)
}
