package editing

import (
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Limits of the images that are kept while their forms are not accepted: per user, and in total.
const (
	keptFor      = time.Hour
	keptOfUser   = 3
	keptBytes    = 20 << 20
	keptBytesAll = 100 << 20
)

// kept contains images of forms that were not accepted yet, in the memory of this process. Only the user who sent an
// image can see it.
type kept struct {
	now   func() time.Time
	mu    sync.Mutex
	files []keptFile // the oldest first
}

type keptFile struct {
	user  int64
	key   string
	until time.Time
	kind  string
	file  calendar.File
}

// add stores an image of a user and returns its key. The oldest images are removed if there are too many.
func (k *kept) add(user int64, file calendar.File) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.files = append(k.files, keptFile{user, rand.Text(), k.now().Add(keptFor), http.DetectContentType(file.Data), file})
	count, bytes, all := 0, 0, 0
	var left []keptFile
	for i := len(k.files) - 1; i >= 0; i-- { // the newest first
		f := k.files[i]
		own := f.user == user
		if own {
			count, bytes = count+1, bytes+len(f.file.Data)
		}
		all += len(f.file.Data)
		if k.now().Before(f.until) && all <= keptBytesAll && (!own || count <= keptOfUser && bytes <= keptBytes) {
			left = append([]keptFile{f}, left...)
		}
	}
	k.files = left
	return left[len(left)-1].key
}

// get returns an image that the user sent, or nil.
func (k *kept) get(user int64, key string) *keptFile {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range k.files {
		if f.user == user && f.key == key && k.now().Before(f.until) {
			return &f
		}
	}
	return nil
}

// drop removes an image, which has been stored by the calendar.
func (k *kept) drop(user int64, key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, f := range k.files {
		if f.user == user && f.key == key {
			k.files = append(k.files[:i:i], k.files[i+1:]...)
			return
		}
	}
}

// pictures are the types that browsers show as images and that cannot contain scripts.
var pictures = map[string]bool{"image/jpeg": true, "image/png": true, "image/gif": true, "image/webp": true}

// showPicture answers with an image of a form, only to the user who sent it.
func (fs *forms) showPicture(_ *Site, r *request) (answer, error) {
	f := fs.kept.get(r.user().UserID, r.key)
	if f == nil || !pictures[f.kind] {
		return answer{}, &calendar.Error{Status: http.StatusNotFound}
	}
	return answer{raw: f.file.Data, kind: f.kind}, nil
}
