package editing

import (
	"cmp"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
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

// kept contains images of forms that were not accepted yet. Only the user who sent an image can see it.
type kept struct {
	now    func() time.Time
	logger *slog.Logger
	mu     sync.Mutex
	shelf  shelf
	last   time.Time // of the image that was added last
	sweep  *time.Timer
}

// shelf stores images.
type shelf interface {
	// list returns all images, in any order.
	list() ([]keptPicture, error)
	// put adds an image.
	storePicture(keptPicture, calendar.File) error
	// get returns an image; ok is false if it does not exist.
	get(keptPicture) (file calendar.File, ok bool, err error)
	// remove removes an image. It is not an error if it does not exist.
	remove(keptPicture) error
}

// keptPicture identifies an image.
type keptPicture struct {
	user  int64
	key   string
	at    time.Time // when it was sent
	bytes int64
}

// keyForm is the form of keys: texts of crypto/rand.
var keyForm = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// newKept returns the images of a site. They are stored in dir, which processes can share, or in memory if dir is "".
func newKept(dir string, now func() time.Time, logger *slog.Logger) *kept {
	k := &kept{now: now, logger: logger, shelf: &memory{}}
	if dir != "" {
		k.shelf = &directory{dir}
		k.mu.Lock()
		defer k.mu.Unlock()
		k.clear(0) // expired images of earlier processes
	}
	return k
}

// distinct is a difference of times that file systems store.
const distinct = time.Millisecond

// addImage stores an image of a user and returns its key. The oldest images are removed if there are too many.
func (k *kept) addImage(user int64, file calendar.File) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now().Truncate(distinct)
	if least := k.last.Add(distinct); now.Before(least) && least.Sub(now) < time.Second {
		now = least // otherwise the older of two images could count as the newer one
	}
	k.last = now
	one := keptPicture{user, rand.Text(), now, int64(len(file.Data))}
	err := k.shelf.storePicture(one, file)
	if errors.Is(err, errNoDirectory) {
		k.logger.Warn("pictures of forms that were not accepted are kept in memory", slog.Any("error", err))
		k.shelf = &memory{}
		err = k.shelf.storePicture(one, file)
	}
	if err != nil {
		return "", err
	}
	k.clear(user)
	if k.sweep == nil { // otherwise they would stay until the next image is sent
		k.sweep = time.AfterFunc(keptFor+time.Minute, k.expire)
	} else {
		k.sweep.Reset(keptFor + time.Minute)
	}
	return one.key, nil
}

// expire removes the images whose time is over.
func (k *kept) expire() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.clear(0)
}

// clear removes expired images, and the oldest ones if a user (0 for none) or all users together have too many.
func (k *kept) clear(user int64) {
	list, err := k.shelf.list()
	if err != nil {
		k.logger.Warn("the pictures of forms that were not accepted cannot be listed", slog.Any("error", err))
		return
	}
	slices.SortFunc(list, func(a, b keptPicture) int { // processes that share a directory have to agree on what is older
		return cmp.Or(b.at.Compare(a.at), strings.Compare(b.key, a.key))
	})
	count, bytes, all := 0, int64(0), int64(0)
	for _, p := range list { // the newest first
		own := user != 0 && p.user == user
		if own {
			count, bytes = count+1, bytes+p.bytes
		}
		all += p.bytes
		if k.stays(p) && all <= keptBytesAll && (!own || count == 1 || count <= keptOfUser && bytes <= keptBytes) {
			continue
		}
		if k.stays(p) && strings.HasSuffix(p.key, unfinished) {
			continue // the process that writes it checks the limits afterwards
		}
		if err := k.shelf.remove(p); err != nil {
			k.logger.Warn("a picture of a form that was not accepted cannot be removed", slog.Any("error", err))
		}
	}
}

func (k *kept) stays(p keptPicture) bool { return k.now().Before(p.at.Add(keptFor)) }

// find returns the image with a key, if the user sent it.
func (k *kept) find(user int64, key string) (p keptPicture, ok bool, err error) {
	if !keyForm.MatchString(key) {
		return p, false, nil
	}
	list, err := k.shelf.list()
	i := slices.IndexFunc(list, func(p keptPicture) bool { return p.user == user && p.key == key && k.stays(p) })
	if err != nil || i < 0 {
		return p, false, err
	}
	return list[i], true, nil
}

// get returns an image that the user sent, or nil.
func (k *kept) get(user int64, key string) (*calendar.File, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok, err := k.find(user, key)
	if err != nil || !ok {
		return nil, err
	}
	file, ok, err := k.shelf.get(p)
	if err != nil || !ok {
		return nil, err
	}
	return &file, nil
}

// drop removes an image, which has been stored by the calendar.
func (k *kept) drop(user int64, key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok, err := k.find(user, key)
	if err == nil && ok {
		err = k.shelf.remove(p)
	}
	if err != nil {
		k.logger.Warn("a picture of a form cannot be removed", slog.Any("error", err))
	}
}

// pictures are the types that browsers show as images and that cannot contain scripts.
var pictures = map[string]bool{"image/jpeg": true, "image/png": true, "image/gif": true, "image/webp": true}

// showPicture answers with an image of a form, only to the user who sent it.
func (fs *forms) showPicture(_ *Site, r *request) (answer, error) {
	file, err := fs.kept.get(r.user().UserID, r.key)
	if err != nil {
		return answer{}, err
	}
	if file == nil {
		return answer{}, &calendar.Error{Status: http.StatusNotFound}
	}
	kind := http.DetectContentType(file.Data)
	if !pictures[kind] {
		return answer{}, &calendar.Error{Status: http.StatusNotFound}
	}
	return answer{raw: file.Data, kind: kind}, nil
}
