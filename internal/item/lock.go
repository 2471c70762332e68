package item

import (
	"crypto/subtle"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/store"
)

// Unlock opens the protected posts of a response that the caller views for editing and, in a view with Trial, those
// whose password the request contains. Every attempt is counted; beyond the limit Unlock returns an error. It must be
// called before anything is rendered.
func (v *View) Unlock(posts ...*store.Post) error {
	given := password.Value(v.Call.Values)
	for _, p := range posts {
		if p.Password == "" || Editing(v.Call) && content.CanEdit(v.Ctx, p) {
			v.open(p)
			continue
		}
		if !v.Trial || given == "" {
			continue
		}
		right := subtle.ConstantTimeCompare([]byte(given), []byte(p.Password)) == 1
		if v.Call.TryPassword != nil {
			if err := v.Call.TryPassword(p.ID, right); err != nil {
				return err
			}
		}
		if right {
			v.open(p)
		}
	}
	return nil
}

func (v *View) open(p *store.Post) {
	if v.opened == nil {
		v.opened = map[int64]bool{}
	}
	v.opened[p.ID] = true
}

// Locked reports whether a post's password hides its content from the caller.
func (v *View) Locked(p *store.Post) bool { return p.Password != "" && !v.written && !v.opened[p.ID] }
