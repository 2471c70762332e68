package exchange

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/site"
)

// images contains the images of an import by their address. Images that the site has not stored before are fetched
// before the transaction that writes their records. An image that cannot be fetched stays at its address, and the site
// shows it from there.
type images struct {
	of     map[string]*image
	failed map[string]int // number of failed requests by host
}

type image struct {
	id     int64        // of its post, 0 before it is stored
	saved  *media.Saved // nil if it stays at its address
	fresh  bool         // its post is not committed yet
	reason string       // why it was not fetched
}

// maxFailures is the number of failures after which no more images are requested from a host.
const maxFailures = 3

func newImages() *images {
	return &images{of: map[string]*image{}, failed: map[string]int{}}
}

// eachImage calls f for the records of a batch that have an image.
func eachImage(records []*Record, f func(*Record)) {
	for _, rec := range records {
		if rec.Image != "" {
			f(rec)
		}
		for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
			eachImage(rec.Linked[kind], f)
		}
	}
}

// fetch fetches the images of records.
func (im *images) fetch(ctx context.Context, r *run, records []*Record) (err error) {
	eachImage(records, func(rec *Record) {
		if err != nil || im.of[rec.Image] != nil || !fetchable(rec.Image) {
			return
		}
		one := &image{}
		if one.id, err = r.attachment(ctx, rec.Image); err != nil {
			return
		}
		im.of[rec.Image] = one
		if one.id == 0 && !r.importer.DryRun && r.may("upload_files") {
			im.load(r, rec.Image, one)
		}
	})
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// attachment returns the id of the uploaded file that has an address. The address may be the stored one, or the one by
// which the site shows the file or a smaller size of it.
func (r *run) attachment(ctx context.Context, address string) (int64, error) {
	posts := r.parts.Events.Service.Content.Store.Posts
	id, err := posts.AttachmentOf(ctx, address)
	for _, file := range ownFiles(site.From(r.ctx).Links.Uploads(), address) {
		if err != nil || id != 0 {
			break
		}
		id, err = posts.AttachmentIn(ctx, file)
	}
	return id, err
}

// sized matches the end of the name of a smaller size of an image, before its extension.
var sized = regexp.MustCompile(`-\d+x\d+(\.[^./]+)$`)

// ownFiles returns the files below the uploads directory that an address may refer to, the likeliest first, or nil if
// the address is on another host. WordPress stores an image that was too large under another name than its own.
func ownFiles(uploads, address string) []string {
	below, err := url.Parse(uploads)
	u, wrong := url.Parse(address)
	if err != nil || wrong != nil || below.Host == "" || !strings.EqualFold(u.Host, below.Host) {
		return nil
	}
	file, ok := strings.CutPrefix(u.Path, below.Path+"/")
	if !ok || file == "" {
		return nil
	}
	files := []string{file}
	if whole := sized.ReplaceAllString(file, "$1"); whole != file {
		files = append(files, whole)
	}
	whole := files[len(files)-1]
	extension := path.Ext(whole)
	return append(files, strings.TrimSuffix(whole, extension)+"-scaled"+extension)
}

func fetchable(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func (im *images) load(r *run, address string, one *image) {
	u, _ := url.Parse(address)
	if im.failed[u.Host] >= maxFailures {
		one.reason = "its host has sent none recently"
		return
	}
	if r.parts.Events.Service.Content.Uploads == nil {
		one.reason = "the calendar keeps no images"
		return
	}
	var err error
	if one.saved, err = r.parts.Events.Service.Content.ImageFiles.FetchImage(r.ctx, address); err != nil {
		im.failed[u.Host]++
		one.reason = "it could not be fetched"
		var refused *media.Error
		if errors.As(err, &refused) {
			one.reason = strings.TrimPrefix(refused.Error(), "media: ")
		}
	}
}

// stored must be called when the posts of images are committed.
func (im *images) stored() {
	for _, one := range im.of {
		one.fresh, one.saved = false, nil
	}
}

// forget must be called when the posts of images were rolled back: those of the given addresses.
func (im *images) forget(addresses []string) {
	for _, address := range addresses {
		im.of[address].id, im.of[address].fresh = 0, false
	}
}

// undone must be called when a transaction was rolled back.
func (im *images) undone() {
	for _, one := range im.of {
		if one.fresh {
			one.id, one.fresh = 0, false
		}
	}
}

// remove deletes the files that no post uses in the end.
func (im *images) remove() {
	for _, one := range im.of {
		if one.saved != nil {
			_ = one.saved.Remove()
		}
	}
}

// image adds the image of a record to the body of a write.
func (m *recordImport) image(ctx context.Context, body map[string]any, rec *Record) error {
	if rec.Image == "" {
		return nil
	}
	one := m.run.images.of[rec.Image]
	switch {
	case one == nil:
		m.lost = append(m.lost, m.rec.refuse("image", "it is not a web address: "+Shown(rec.Image)))
		delete(body, "image")
		delete(body, fieldImageAlt)
		return nil
	case one.id == 0 && !m.may("upload_files"):
		m.lost = append(m.lost, m.rec.refuse("image", "the user may not upload files"))
		delete(body, "image")
		delete(body, fieldImageAlt)
		return nil
	case one.id == 0:
		id, err := m.parts.Events.Service.Content.Attachments.InsertImage(ctx, one.saved, rec.Image)
		if err != nil {
			return err
		}
		one.id, one.fresh = id, true
		m.stores = append(m.stores, rec.Image)
	}
	if one.reason != "" && one.fresh {
		m.notes = append(m.notes, "the image stays at "+Shown(rec.Image)+": "+one.reason)
		one.reason = ""
	}
	body["image"] = one.id
	alt, given := body[fieldImageAlt].(string)
	if !given {
		return nil
	}
	may, err := posts.MayDescribe(ctx, m.parts.Events.Service.Content.Store, one.id, alt)
	if !may && err == nil {
		m.lost = append(m.lost, m.rec.refuse(fieldImageAlt, "the user may not edit the image"))
		delete(body, fieldImageAlt)
	}
	return err
}
