package editing

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"

	"github.com/agendahq/agenda/calendar"
)

// Actions of the buttons of a form.
const (
	actPublish = "publish"
	actDraft   = "draft"
	actSave    = "save" // keep the status, published or not
	actPreview = "preview"
	actDates   = "dates" // show the next occurrences
)

// sheet is a form that was sent or is to be shown.
type sheet struct {
	w        *writing
	site     *Site
	r        *request
	id       int64 // 0 for a new item
	act      string
	status   string // status of the stored item
	address  string // address of the item's public page
	rest     []string
	clashes  []*entry
	theirs   url.Values // current values of the fields that somebody else changed
	preview  *calendar.Event
	previews map[string]string // for items other than events
	seen     url.Values        // values of the fields in the preview
	gone     bool              // the item has been deleted meanwhile
	series   bool              // the site supports recurrence rules
	versions bool              // items of this type have languages
	pictured bool              // the image of the form is stored
}

// sheet returns a form of a resource for a request.
func (k *editor) sheet(s *Site, r *request, id int64) *sheet {
	f := &sheet{site: s, r: r, id: id, w: &writing{
		editor: k, language: r.lang.Tag, typed: url.Values{}, find: s.forms.finder(r.Context()), fresh: id == 0,
	}}
	f.w.versions = func(text string) ([]namedItem, error) {
		return s.forms.otherVersions(r.Context(), k.name, f.language(), text)
	}
	return f
}

// wasInput is the name of the hidden input with the values from which the form was made.
const wasInput = "was"

// sent returns the form that a request contains.
func (k *editor) sent(s *Site, r *request) (*sheet, error) {
	f := k.sheet(s, r, r.id)
	f.w.typed, f.act = r.form, r.form.Get("act")
	if was := r.form.Get(wasInput); was != "" || f.id != 0 {
		if err := json.Unmarshal([]byte(was), &f.w.was); err != nil {
			return nil, &calendar.Error{Status: http.StatusBadRequest}
		}
	}
	acts := []string{actPublish, actDraft, actSave, actPreview, actDates}
	if k.terms {
		acts = []string{actSave, actPreview}
	}
	if !slices.Contains(acts, f.act) {
		return nil, &calendar.Error{Status: http.StatusBadRequest}
	}
	if err := f.lookAt(); err != nil {
		return nil, err
	}
	for _, field := range k.fields {
		if r.form.Get("keep."+field.name) != "theirs" && f.shows(field) {
			continue
		}
		for _, input := range field.inputs {
			f.w.typed[input] = f.w.was[input]
		}
		if field.hidden == storedText {
			f.w.was.Del(baseText)
		}
	}
	return f, f.takePicture(r)
}

// lookAt reads the settings of the site on which the form depends.
func (f *sheet) lookAt() error {
	settings, err := f.site.Calendar.SiteSettings(f.r.Context())
	if f.series = settings.Own; err != nil {
		return err
	}
	f.versions, err = f.site.Calendar.Kinds().Translated(f.r.Context(), f.w.editor.name)
	return err
}

// shows reports whether the form contains a field: the user must have the right to write it, and the site must support
// it. Only standalone sites support recurrence rules, and only
// sites with languages have translations.
func (f *sheet) shows(field *entry) bool {
	user := f.r.user()
	switch {
	case field.own != nil:
		return (field.own.Read == "" || user.Can(field.own.Read)) && (field.own.Write == "" || user.Can(field.own.Write))
	case field.widget == "picture":
		return user.Can("upload_files")
	case field.name == "repeats" || field.name == "dates":
		return f.series
	case field.widget == "version":
		return f.versions && len(f.site.Languages) > 1
	}
	return true
}

// takePicture keeps the image that the form contains, or gets the one that an earlier attempt contained.
func (f *sheet) takePicture(r *request) error {
	user := r.user().UserID
	var kept *calendar.File
	if files := r.files["image_file"]; len(files) > 0 && files[0].Size > 0 {
		switch file, err := readFile(r, files[0]); {
		case isStatus(err, http.StatusRequestEntityTooLarge):
			f.w.fault("image", "image.large")
		case err != nil:
			return err
		default:
			key, err := f.site.forms.kept.addImage(user, file)
			if err != nil {
				return err
			}
			kept = &file // even if another window of the user has sent one in the meantime that displaces it
			f.w.typed.Set("image_new", key)
			f.w.typed.Del("image_remove")
		}
	}
	key := f.w.one("image_new")
	if kept == nil {
		var err error
		if kept, err = f.site.forms.kept.get(user, key); err != nil {
			return err
		}
	}
	switch {
	case key == "":
	case kept == nil:
		f.w.fault("image", "image.gone")
		f.w.typed.Del("image_new")
	case f.w.one("image_remove") != "":
		f.site.forms.kept.drop(user, key)
		f.w.typed.Del("image_new")
		f.w.typed.Del("image_remove")
	default:
		f.w.picture = kept
	}
	return nil
}

// readFile reads a file of a form, which has been in a temporary file until now, and reserves memory for it.
func readFile(r *request, header *multipart.FileHeader) (file calendar.File, err error) {
	if header.Size > pictureLimit {
		return file, &calendar.Error{Status: http.StatusRequestEntityTooLarge}
	}
	const growing = 2 // a buffer that grows takes up to this many bytes per byte that it contains
	if err := r.reserve(growing * int(header.Size)); err != nil {
		return file, err
	}
	opened, err := header.Open()
	if err != nil {
		return file, err
	}
	defer opened.Close()
	file.Name = header.Filename
	file.Data, err = io.ReadAll(io.LimitReader(opened, pictureLimit))
	return file, err
}

// save stores a form, or shows it again with its errors.
func (k *editor) save(s *Site, r *request) (answer, error) {
	f, err := k.sent(s, r)
	if err != nil {
		return answer{}, err
	}
	lost := f.w.faults
	ok := f.w.values() && len(lost) == 0
	for name, wrong := range lost {
		f.w.faults[name] = wrong
	}
	switch {
	case f.w.failed != nil:
		return f.finish(f.w.failed)
	case f.act == actDates:
		delete(f.w.faults, "title")
		return f.page(0)
	case !ok:
		return f.page(http.StatusUnprocessableEntity)
	}
	_, err = f.store()
	return f.finish(err)
}

// finish answers a valid form, given the error of storing it.
func (f *sheet) finish(err error) (answer, error) {
	var refused *calendar.Error
	switch {
	case err == nil:
		f.site.forms.kept.drop(f.r.user().UserID, f.w.one("image_new"))
		return done(f.r.link("/"+f.w.editor.name+"/"), f.outcome()), nil
	case errors.Is(err, errShown):
		return f.page(0)
	case errors.Is(err, errConflict):
		return f.page(http.StatusPreconditionFailed)
	case errors.As(err, &refused) && refused.Status < http.StatusInternalServerError:
		f.rest = f.w.refused(refused)
		f.gone = refused.Status == http.StatusNotFound || refused.Status == http.StatusGone
		status := refused.Status
		if status == http.StatusBadRequest {
			status = http.StatusUnprocessableEntity
		}
		return f.page(status)
	}
	return f.troubled(err), nil
}

// outcome returns the name of the message about what was done.
func (f *sheet) outcome() string {
	switch {
	case f.act == actDraft:
		return "draft"
	case !f.w.editor.mayPublish(f.r.user()):
		return "review"
	case f.act == actPublish && !f.w.editor.terms:
		return "published"
	}
	return "saved"
}

// store writes the values of the form. A preview is also written, and rolled back, so that what it shows went through
// all checks and filters.
func (f *sheet) store() (id int64, err error) {
	ctx, c := f.r.Context(), f.site.Calendar
	picture := calendar.Values{}
	if f.id != 0 || f.act == actPreview {
		// An image is stored outside the transaction, which would have to wait until all sizes were created.
		for _, name := range []string{"image", "image_alt"} {
			if v, given := f.w.out[name]; given && f.w.picture != nil {
				picture[name] = v
				delete(f.w.out, name)
			}
		}
	}
	f.setStatus()
	if f.id == 0 && f.act != actPreview {
		return f.w.editor.create(ctx, c, f.w.out)
	}
	write := func(shown bool) error {
		return c.Transaction(ctx, func(ctx context.Context) (err error) {
			if id, err = f.writeUnchanged(ctx); err == nil && shown {
				f.readPreview(ctx, id)
				err = errShown
			}
			return err
		})
	}
	if f.act == actPreview {
		return 0, write(true)
	}
	if len(picture) > 0 {
		if err := write(true); !errors.Is(err, errShown) { // first try without the image, so that no image is stored for a form with errors
			return 0, err
		}
		if err := f.w.editor.update(ctx, c, f.id, picture); err != nil {
			return 0, err
		}
		f.pictured = true
	}
	return id, write(false)
}

// setStatus sets the status that the button stands for.
func (f *sheet) setStatus() {
	if f.w.editor.terms {
		return
	}
	switch {
	case f.act == actDraft:
		f.w.out["status"] = "draft"
	case f.act == actPublish || f.id == 0:
		f.w.out["status"] = "publish" // the API makes it "pending" if the caller may not publish
	}
}

// writeUnchanged checks, within a transaction, that nobody else has changed the fields that this form changes, and writes it.
func (f *sheet) writeUnchanged(ctx context.Context) (id int64, err error) {
	c := f.site.Calendar
	if f.id == 0 {
		return f.w.editor.create(ctx, c, f.w.out)
	}
	now, err := f.w.editor.get(ctx, c, f.id)
	if err != nil {
		return 0, err
	}
	f.about(now)
	theirs := f.w.editor.formValues(now, f.w.editor.reading(ctx, f.site.forms))
	if f.pictured { // these are the form's own
		theirs["image_alt"], theirs[shownImage] = f.w.was["image_alt"], f.w.was[shownImage]
	}
	if f.clashes = f.w.conflicts(theirs); len(f.clashes) > 0 {
		f.theirs = theirs
		return 0, errConflict
	}
	if len(f.w.out) == 0 {
		return f.id, nil
	}
	return f.id, f.w.editor.update(ctx, c, f.id, f.w.out)
}

// about records stored values of an item that the form does not contain.
func (f *sheet) about(s stored) {
	f.status, f.address = s.stringMember("status"), s.stringMember("url")
}

// readPreview reads the item that was just written, within the transaction that is then rolled back, and keeps what the
// preview shows.
func (f *sheet) readPreview(ctx context.Context, id int64) {
	if now, err := f.w.editor.get(ctx, f.site.Calendar, id); err == nil {
		f.seen = f.w.editor.formValues(now, f.w.editor.reading(ctx, f.site.forms))
	}
	switch f.w.editor.name {
	case "events":
		f.preview, _ = f.site.Calendar.Kinds().Events.Get(ctx, id, url.Values{"context": {"edit"}})
	case "venues":
		if v, err := f.site.Calendar.Kinds().Venues.Get(ctx, id, nil); err == nil {
			f.previews = map[string]string{"title": v.Name, "text": v.Description}
		}
	case "organizers":
		if o, err := f.site.Calendar.Kinds().Organizers.Get(ctx, id, nil); err == nil {
			f.previews = map[string]string{"title": o.Name, "text": o.Description}
		}
	default:
		if t, err := f.site.Calendar.Kinds().Categories.Get(ctx, id, nil); err == nil {
			f.previews = map[string]string{"title": t.Name, "text": t.Description}
		}
	}
}

// create creates an item of the resource and returns its id.
func (k *editor) create(ctx context.Context, c *calendar.Calendar, values calendar.Values) (int64, error) {
	kinds := c.Kinds()
	switch k.name {
	case "events":
		return createIn(ctx, kinds.Events, values, func(e *calendar.Event) int64 { return e.ID })
	case "venues":
		return createIn(ctx, kinds.Venues, values, func(v *calendar.Venue) int64 { return v.ID })
	case "organizers":
		return createIn(ctx, kinds.Organizers, values, func(o *calendar.Organizer) int64 { return o.ID })
	}
	return createIn(ctx, kinds.Categories, values, func(t *calendar.Term) int64 { return t.ID })
}

// createIn creates an item with a handle and returns its id.
func createIn[T any](ctx context.Context, in calendar.Kind[T], values calendar.Values, id func(*T) int64) (int64, error) {
	item, err := in.Create(ctx, values)
	if err != nil {
		return 0, err
	}
	return id(item), nil
}

// update changes an item of the resource.
func (k *editor) update(ctx context.Context, c *calendar.Calendar, id int64, values calendar.Values) (err error) {
	kinds := c.Kinds()
	switch k.name {
	case "events":
		_, err = kinds.Events.Update(ctx, id, values)
	case "venues":
		_, err = kinds.Venues.Update(ctx, id, values)
	case "organizers":
		_, err = kinds.Organizers.Update(ctx, id, values)
	default:
		_, err = kinds.Categories.Update(ctx, id, values)
	}
	return err
}

// remove moves an item to the bin. Terms, which have no bin, are deleted, as are items in the bin if force is true.
func (k *editor) remove(ctx context.Context, c *calendar.Calendar, id int64, force bool) (err error) {
	values := calendar.Values{}
	if force {
		values["force"] = true
	}
	kinds := c.Kinds()
	switch k.name {
	case "events":
		_, err = kinds.Events.Delete(ctx, id, values)
	case "venues":
		_, err = kinds.Venues.Delete(ctx, id, values)
	case "organizers":
		_, err = kinds.Organizers.Delete(ctx, id, values)
	default:
		_, err = kinds.Categories.Delete(ctx, id, values)
	}
	return err
}
