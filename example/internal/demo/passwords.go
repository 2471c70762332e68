package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Credential is a user of the demo site with a valid application password. It prints only the user's name.
type Credential struct {
	Login, Password string
	Made            bool // created by this call, so it was never printed
}

// Format prints the credential without the password.
func (c Credential) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, c.Login) }

// MarshalText returns the credential without the password, for logs and JSON.
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.Login), nil }

// Keep determines where the passwords of a demo site are stored.
type Keep struct {
	File string // "" if they are not stored: for a site that ends with the process
	New  bool   // the site was filled just now: an existing file belongs to an earlier site
}

// passwordName is the name under which the site lists the passwords that this package creates.
const passwordName = "Demo"

// Passwords returns the application passwords of the demo users that are known and still valid. It first creates one
// for a demo user that has none and is not in the file; thus a password that was revoked is not replaced.
//
// The database contains only hashes; the file contains the passwords. Accounts of other people with these logins are
// not changed: a demo user must have the demo's email address, and to get a password, no usable one already.
func Passwords(ctx context.Context, db *bun.DB, prefix string, keep Keep, now time.Time) (works []Credential, err error) {
	db, err = schema.Bind(db, prefix)
	if err != nil {
		return nil, err
	}
	file := passwordFile(keep.File)
	var before []byte
	written := false
	// On the embedded database the transaction also excludes other processes that write the file.
	err = db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) (err error) {
		if before, err = file.readContent(); err != nil {
			return err
		}
		kept := parseKept(before)
		if keep.New {
			kept = slices.DeleteFunc(kept, func(k keptPassword) bool { return k.prefix == prefix })
		}
		var all []keptPassword
		all, works, err = complete(ctx, tx, prefix, kept, now)
		if err != nil || len(all) == len(kept) {
			return err
		}
		written = true
		return file.replaceContent(lines(all))
	})
	if err != nil {
		if written {
			err = errors.Join(err, file.replaceContent(before))
		}
		return nil, fmt.Errorf("demo: passwords: %w", err)
	}
	return works, nil
}

// complete creates the missing passwords, and returns those that are valid.
func complete(ctx context.Context, tx bun.Tx, prefix string, kept []keptPassword, now time.Time) ([]keptPassword, []Credential, error) {
	accounts, err := demoAccounts(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	var works []Credential
	for _, a := range accounts {
		i := slices.IndexFunc(kept, func(k keptPassword) bool { return k.prefix == prefix && k.login == a.Login })
		made := i < 0 && a.bare()
		if made {
			plain, err := a.addPassword(ctx, tx, now)
			if err != nil {
				return nil, nil, err
			}
			kept, i = append(kept, keptPassword{prefix, a.Login, plain}), len(kept)
		}
		if i >= 0 && storesPassword(a.passwords, kept[i].plain) {
			works = append(works, Credential{a.Login, kept[i].plain, made})
		}
	}
	return kept, works, nil
}

// account is a demo user as it is stored.
type account struct {
	schema.User
	metaID    int64  // of the meta with the passwords, 0 if there is none
	passwords string // serialized
}

// demoAccounts returns the demo users that still exist, in their order.
func demoAccounts(ctx context.Context, tx bun.Tx) (found []*account, err error) {
	var logins []string
	for _, u := range calendar().Users {
		logins = append(logins, u.Login)
	}
	var stored []schema.User
	if err := tx.NewSelect().Model(&stored).Where("user_login IN (?)", bun.List(logins)).Order("ID").Scan(ctx); err != nil {
		return nil, err
	}
	var ids []int64
	for _, u := range calendar().Users {
		for _, s := range stored {
			if s.Login == u.Login && s.Email == u.email() {
				found, ids = append(found, &account{User: s}), append(ids, s.ID)
				break
			}
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	var metas []schema.UserMeta
	err = tx.NewSelect().Model(&metas).Where("user_id IN (?)", bun.List(ids)).
		Where("meta_key = ?", schema.UserMetaApplicationPasswords).Order("umeta_id").Scan(ctx)
	for _, m := range metas {
		for _, a := range found {
			if a.ID == m.UserID && a.metaID == 0 && m.Key == schema.UserMetaApplicationPasswords {
				a.metaID, a.passwords = m.ID, m.Value
			}
		}
	}
	return found, err
}

// bare reports whether nobody can log in as this user.
func (a *account) bare() bool {
	list, err := auth.ListPasswords(a.passwords)
	return a.Pass == unusable && err == nil && len(list) == 0
}

func (a *account) addPassword(ctx context.Context, tx bun.Tx, now time.Time) (plain string, err error) {
	if a.passwords, plain, err = auth.AddPassword("", passwordName, now); err != nil {
		return "", err
	}
	if a.metaID != 0 {
		_, err = tx.NewUpdate().Model((*schema.UserMeta)(nil)).Set("meta_value = ?", a.passwords).Where("umeta_id = ?", a.metaID).Exec(ctx)
		return plain, err
	}
	row := &schema.UserMeta{UserID: a.ID, Key: schema.UserMetaApplicationPasswords, Value: a.passwords}
	_, err = tx.NewInsert().Model(row).ExcludeColumn("umeta_id").Returning("NULL").Exec(ctx)
	return plain, err
}

// storesPassword reports whether a stored list contains the password in the form that this package stores.
func storesPassword(stored, plain string) bool {
	v, err := phpval.Unserialize(stored)
	list, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return false
	}
	hash := auth.HashPassword(plain)
	for _, v := range list.All() {
		if item, ok := v.(*phpval.Array); ok {
			if h, _ := item.Get("password"); h == hash {
				return true
			}
		}
	}
	return false
}
