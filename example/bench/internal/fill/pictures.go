package fill

import (
	"fmt"
	"strconv"
	"time"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/schema"
)

// pictureCount is the number of images that events share; some events have an image that they do not share.
const pictureCount = 300

// picture is an uploaded image. It has no file, since nothing reads it.
type picture struct {
	name   string
	author int64
	at     time.Time
}

func (g *ground) addPictures() {
	g.state.Images = g.state.Post
	for n := range pictureCount {
		name := fmt.Sprintf("poster-%03d", n+1)
		g.addPicture(g.place, g.state.Post, &g.state.Meta, picture{name, g.state.Users, g.at(n)})
		g.state.Post++
	}
}

func (p *place) pictureOf(e *event) picture {
	return picture{"event-" + strconv.FormatInt(e.number+1, 10), p.state.Users + int64(e.author), e.entered}
}

// addPicture adds an attachment in the form in which the service stores an image that it has fetched.
func (r *rows) addPicture(p *place, id int64, meta *int64, of picture) {
	file := of.at.Format("2006/01/") + of.name
	saved := media.Saved{
		File: file + ".jpg", URL: p.linker.Uploads() + "/" + file + ".jpg", Mime: "image/jpeg", Width: 1500, Height: 1000,
		Size: 214_000 + of.at.Unix()%9_973,
	}
	for _, v := range []struct {
		name          string
		width, height int
	}{{"medium", 300, 200}, {"large", 1024, 683}, {"thumbnail", 150, 150}, {"medium_large", 768, 512}} {
		saved.Sizes = append(saved.Sizes, media.SavedSize{
			Name: v.name, File: fmt.Sprintf("%s-%dx%d.jpg", of.name, v.width, v.height), Width: v.width, Height: v.height,
			Mime: saved.Mime, Size: int64(v.width*v.height)/9 + of.at.Unix()%997,
		})
	}
	post := p.post(schema.TypeAttachment, id, schema.StatusInherit, of.name, of.name, "", of.author, of.at)
	post.CommentStatus, post.MimeType, post.GUID = "open", saved.Mime, saved.URL
	r.posts = append(r.posts, post)
	for _, row := range [][2]string{
		{schema.MetaAttachedFile, saved.File}, {schema.MetaAttachmentMetadata, saved.Metadata()},
		{schema.MetaOriginalURL, "https://pictures.example.org/" + of.name + ".jpg"},
	} {
		r.meta = append(r.meta, schema.PostMeta{ID: *meta, PostID: id, Key: row[0], Value: row[1]})
		*meta++
	}
}
