package calendartest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

const prefix = schema.DefaultPrefix

// stored is the list of application passwords that contains Password, in the form in which WordPress stores it.
const stored = `a:1:{i:0;a:7:{s:4:"uuid";s:36:"00000000-0000-4000-8000-000000000000";s:6:"app_id";s:0:"";s:4:"name";s:4:"test";` +
	`s:8:"password";s:49:"$generic$69DOQLWjAf-phLufOSl1bd_9RDvvIhlAtKMHVCVW";s:7:"created";i:1893456000;` +
	`s:9:"last_used";N;s:7:"last_ip";N;}}`

// seeded returns the snapshot, which is created once per process.
var seeded = sync.OnceValues(snapshot)

// snapshot creates a database with the site and returns its snapshot.
func snapshot() (data []byte, err error) {
	ctx := context.Background()
	db, err := embedded.Open(ctx, embedded.Memory)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := schema.Install(ctx, db, prefix); err != nil {
		return nil, err
	}
	if err := seed(ctx, db); err != nil {
		return nil, err
	}
	return embedded.Snapshot(ctx, db)
}

// seed fills a site: it inserts users and settings as rows, because the API has none, and creates everything else
// through the API.
func seed(ctx context.Context, db *bun.DB) error {
	bound, err := schema.Bind(db, prefix)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		schema.OptionHome: Home, schema.OptionSiteURL: Home, schema.OptionBlogName: "Events", schema.OptionTimezone: "Europe/Brussels",
	} {
		_, err := bound.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", value).Where("option_name = ?", name).Exec(ctx)
		if err != nil {
			return err
		}
	}
	if err := addUsers(ctx, bound); err != nil {
		return err
	}
	c, err := calendar.New(ctx, options(db, func() time.Time { return Now }))
	if err != nil {
		return err
	}
	handler := c.Handler()
	for _, w := range content {
		if err := w.send(handler); err != nil {
			return err
		}
	}
	if err := c.Close(ctx); err != nil {
		return err
	}
	members := bound.NewUpdate().Model((*schema.Post)(nil)).Set("post_password = ?", PostPassword).Where("ID = ?", EventMembers)
	_, err = members.Exec(ctx)
	return err
}

func addUsers(ctx context.Context, db *bun.DB) error {
	var users []*schema.User
	var metas []*schema.UserMeta
	for i, u := range logins {
		id := int64(i + 1)
		users = append(users, &schema.User{
			ID: id, Login: u.login, Pass: "!", // no password has this hash
			Nicename: u.login, Email: u.login + "@example.org", Registered: "2030-01-01 00:00:00", DisplayName: u.name,
		})
		for key, value := range map[string]string{
			"nickname":                          u.login,
			schema.UserMetaCapabilities(prefix): fmt.Sprintf(`a:1:{s:%d:"%s";b:1;}`, len(u.role), u.role),
			schema.UserMetaApplicationPasswords: stored,
		} {
			metas = append(metas, &schema.UserMeta{UserID: id, Key: key, Value: value})
		}
	}
	_, err := db.NewInsert().Model(&users).Exec(ctx)
	if err == nil {
		_, err = db.NewInsert().Model(&metas).ExcludeColumn("umeta_id").Returning("NULL").Exec(ctx)
	}
	return err
}

// send creates an item through the API.
func (w written) send(h http.Handler) error {
	body, err := json.Marshal(w.item)
	if err != nil {
		return err
	}
	r := httptest.NewRequest(http.MethodPost, Home+"/wp-json/"+namespace+"/"+w.collection, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", Authorization(w.role))
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	if answer.Code != http.StatusCreated {
		return fmt.Errorf("calendartest: %s %s: %d %s", w.collection, body, answer.Code, answer.Body)
	}
	return nil
}
