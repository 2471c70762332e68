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

// images are the pictures of an import, by their address. Those that the site has not
// fetched before are fetched before the transaction of the records that show them. One
// that cannot be fetched stays where it is: the site then shows it from there.
type images struct {
	of     map[string]*image
	failed map[string]int // hosts that did not give an image, with how often
}

type image struct {
	id     int64        // of its row, 0 before it is stored
	saved  *media.Saved // nil for one that stays where it is
	fresh  bool         // its row is not committed yet
	reason string       // why it was not fetched
}

// maxFailures is how many images a host may fail to give until no more are asked for.
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

// fetch prepares the images of records.
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

// attachment returns the id of the uploaded file that has an address: as it is stored, or as the site shows it or a smaller size of it.
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

// sized is the end of the name of a smaller size of a picture, before its extension.
var sized = regexp.MustCompile(`-\d+x\d+(\.[^./]+)$`)

// ownFiles returns the files below the uploads that an address may be of, the likeliest first, nil for an address elsewhere. A picture
// that was too large is stored under another name than its own.
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
		one.reason = "its host gave none lately"
		return
	}
	if r.parts.Events.Service.Content.Uploads == nil {
		one.reason = "the calendar keeps no images"
		return
	}
	var err error
	if one.saved, err = r.parts.Events.Service.Content.FetchImage(r.ctx, address); err != nil {
		im.failed[u.Host]++
		one.reason = "it could not be fetched"
		var refused *media.Error
		if errors.As(err, &refused) {
			one.reason = strings.TrimPrefix(refused.Error(), "media: ")
		}
	}
}

// stored is called when the rows of images are committed.
func (im *images) stored() {
	for _, one := range im.of {
		one.fresh, one.saved = false, nil
	}
}

// forget is called when the rows of images were undone: of some addresses, of all without
// any.
func (im *images) forget(addresses []string) {
	for _, address := range addresses {
		im.of[address].id, im.of[address].fresh = 0, false
	}
}

// undone is called when a transaction was.
func (im *images) undone() {
	for _, one := range im.of {
		if one.fresh {
			one.id, one.fresh = 0, false
		}
	}
}

// remove deletes the files that no row names in the end.
func (im *images) remove() {
	for _, one := range im.of {
		if one.saved != nil {
			_ = one.saved.Remove()
		}
	}
}

// image puts the image of a record into the body of a write.
func (m *recordImport) image(ctx context.Context, body map[string]any, rec *Record) error {
	if rec.Image == "" {
		return nil
	}
	one := m.run.images.of[rec.Image]
	switch {
	case one == nil:
		m.lost = append(m.lost, m.rec.refuse("image", "it is no web address: "+Shown(rec.Image)))
		delete(body, "image")
		delete(body, fieldImageAlt)
		return nil
	case one.id == 0 && !m.may("upload_files"):
		m.lost = append(m.lost, m.rec.refuse("image", "the user may not upload files"))
		delete(body, "image")
		delete(body, fieldImageAlt)
		return nil
	case one.id == 0:
		id, err := m.parts.Events.Service.Content.InsertImage(ctx, one.saved, rec.Image)
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
		m.lost = append(m.lost, m.rec.refuse(fieldImageAlt, "the user may not edit the picture"))
		delete(body, fieldImageAlt)
	}
	return err
}
