package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Fields of the stored list of application passwords. WordPress uses the list as well: keys, their order and unknown
// fields are preserved.
const (
	fieldUUID     = "uuid"
	fieldApp      = "app_id"
	fieldName     = "name"
	fieldHash     = "password"
	fieldCreated  = "created"
	fieldLastUsed = "last_used"
	fieldLastIP   = "last_ip"
)

// usagePeriod is the minimum number of seconds between two records of a password's use.
const usagePeriod = 24 * 60 * 60

// ErrPasswords is returned for a stored list that is invalid. It must not be overwritten.
var ErrPasswords = errors.New("auth: the stored application passwords cannot be read")

// parseList parses a stored list. "" is an empty list.
func parseList(stored string) (*phpval.Array, error) {
	if stored == "" {
		return &phpval.Array{}, nil
	}
	if list := phpval.ArrayOf(stored); list != nil {
		return list, nil
	}
	return nil, ErrPasswords
}

// passwords iterates over the passwords of a list, in order.
func passwords(list *phpval.Array) func(yield func(phpval.Key, *phpval.Array) bool) {
	return func(yield func(phpval.Key, *phpval.Array) bool) {
		for k, v := range list.All() {
			if item, ok := v.(*phpval.Array); ok && !yield(k, item) {
				return
			}
		}
	}
}

func stringField(item *phpval.Array, field string) string {
	s, _ := item.At(field).(string)
	return s
}

// find returns the first password of a list that matches a secret, or nil.
func find(list *phpval.Array, s secret) *phpval.Array {
	for _, item := range passwords(list) {
		if s.matches(stringField(item, fieldHash)) {
			return item
		}
	}
	return nil
}

// recordUse adds an id to every password of a list that has none, and records the time and the address of the use in
// the one that was used, at most once a day. changed reports whether the list changed.
func recordUse(list *phpval.Array, id, hash string, now time.Time, address string) (changed bool) {
	var used *phpval.Array
	for _, item := range passwords(list) {
		own := stringField(item, fieldUUID)
		if used == nil && (id != "" && own == id || id == "" && stringField(item, fieldHash) == hash) {
			used = item
		}
		if !phpval.Truthy(item.At(fieldUUID)) {
			item.Set(phpval.StrKey(fieldUUID), newUUID())
			changed = true
		}
	}
	if used == nil {
		return changed
	}
	if phpval.Int(used.At(fieldLastUsed)) > now.Unix()-usagePeriod {
		return changed
	}
	used.Set(phpval.StrKey(fieldLastUsed), now.Unix())
	used.Set(phpval.StrKey(fieldLastIP), address)
	return true
}

func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// AddPassword adds a new application password with a name to a stored list. It returns the list to store, and the
// password, which cannot be recovered from it.
func AddPassword(stored, name string, now time.Time) (newStored, plain string, err error) {
	plain = newPassword()
	if newStored, err = AddChosenPassword(stored, name, plain, now); err != nil {
		return "", "", err
	}
	return newStored, plain, nil
}

// MinPassword is the minimum number of letters and digits in a chosen application password. It is high because the
// stored hash is fast to compute.
const MinPassword = 20

// Strong reports whether a chosen application password is long enough. Only ASCII letters and digits count.
func Strong(plain string) bool { return len(newSecret(plain).text) >= MinPassword }

// AddChosenPassword is like AddPassword, for a password that was chosen by a person.
func AddChosenPassword(stored, name, plain string, now time.Time) (newStored string, err error) {
	if !Strong(plain) {
		return "", fmt.Errorf("auth: an application password needs %d letters and digits", MinPassword)
	}
	list, err := parseList(stored)
	if err != nil {
		return "", err
	}
	if name = strings.TrimSpace(name); name == "" {
		return "", errors.New("auth: an application password needs a name")
	}
	next := int64(0)
	for k := range list.All() {
		if n, ok := k.Int(); ok && n >= next {
			if next = n + 1; next < 0 {
				return "", ErrPasswords // there is no higher number
			}
		}
	}
	list.Set(phpval.IntKey(next), phpval.Members(
		fieldUUID, newUUID(), fieldApp, "", fieldName, name, fieldHash, HashPassword(plain), fieldCreated, now.Unix(),
		fieldLastUsed, nil, fieldLastIP, nil,
	))
	return phpval.Serialize(list), nil
}

// RemovePasswords removes the passwords with a name from a stored list, or all of them if name is "". It returns the
// list to store and the number of removed passwords.
func RemovePasswords(stored, name string) (newStored string, removed int, err error) {
	list, err := parseList(stored)
	if err != nil {
		return "", 0, err
	}
	for k, item := range passwords(list) {
		if name == "" || stringField(item, fieldName) == name {
			list.Delete(k)
			removed++
		}
	}
	return phpval.Serialize(list), removed, nil
}

// AppPassword describes an application password of a user.
type AppPassword struct {
	UUID, Name, LastIP string
	Created, LastUsed  time.Time // zero if unknown or never used
}

// ListPasswords describes the passwords of a stored list.
func ListPasswords(stored string) ([]AppPassword, error) {
	list, err := parseList(stored)
	if err != nil {
		return nil, err
	}
	var all []AppPassword
	for _, item := range passwords(list) {
		all = append(all, AppPassword{
			UUID: stringField(item, fieldUUID), Name: stringField(item, fieldName), LastIP: stringField(item, fieldLastIP),
			Created: moment(item, fieldCreated), LastUsed: moment(item, fieldLastUsed),
		})
	}
	return all, nil
}

func moment(item *phpval.Array, field string) time.Time {
	if seconds := phpval.Int(item.At(field)); seconds != 0 {
		return time.Unix(seconds, 0)
	}
	return time.Time{}
}

// AddPassword stores a new application password of a user and returns it.
func (u *Users) AddPassword(ctx context.Context, user int64, name string) (plain string, err error) {
	now := u.Now()
	err = u.changePasswords(ctx, user, func(stored string) (list string, err error) {
		list, plain, err = AddPassword(stored, name, now)
		return list, err
	})
	return plain, err
}

// RevokePassword removes the application password of a user with an id.
func (u *Users) RevokePassword(ctx context.Context, user int64, id string) error {
	return u.changePasswords(ctx, user, func(stored string) (string, error) {
		list, err := parseList(stored)
		if err != nil {
			return "", err
		}
		for k, item := range passwords(list) {
			if id != "" && stringField(item, fieldUUID) == id {
				list.Delete(k)
				return phpval.Serialize(list), nil
			}
		}
		return stored, nil // it was removed already
	})
}

func (u *Users) changePasswords(ctx context.Context, user int64, change func(stored string) (string, error)) error {
	var failed error
	err := u.Store.UpdatePasswords(ctx, user, func(stored string) (list string, changed bool) {
		list, failed = change(stored)
		return list, failed == nil && list != stored
	})
	return errors.Join(err, failed)
}
