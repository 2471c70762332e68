package calendar_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// networkSite makes site A the second site of a network, which has the users of the site and one more administrator.
func networkSite(t *testing.T) *bun.DB {
	t.Helper()
	db := testdb.SiteA(t)
	testdb.SitePrefixed(t, db, "wp_", "wp_2_")
	testdb.Networked(t, testdb.OfOthers(t, db), "wp_2_", 1)
	return db
}

// asStored is an Authenticator for users of the site, with the capabilities that the site stores. It maps the logins
// that tests send in apitest.CallerHeader to ids of users.
type asStored map[string]int64

func (a asStored) Authenticate(r *http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: a[r.Header.Get(apitest.CallerHeader)]}, nil
}

func storedUsers(t *testing.T, db *bun.DB, table string) asStored {
	t.Helper()
	rows := must.Get(db.QueryContext(t.Context(), "SELECT ID, user_login FROM "+table))(t)
	defer rows.Close()
	users := asStored{}
	for name, user := range apitest.Users {
		users[name] = user.ID
	}
	for rows.Next() {
		var id int64
		var login string
		must.Succeed(t, rows.Scan(&id, &login))
		users[login] = id
	}
	must.Succeed(t, rows.Err())
	return users
}

// besideSite is a calendar on the database of a site of WordPress. Of Options.Site only the table prefix is set.
type besideSite struct {
	t     *testing.T
	db    *sql.DB
	users asStored
	*apitest.Client
}

func beside(t *testing.T, db *bun.DB, prefix, users string) besideSite {
	t.Helper()
	known := storedUsers(t, db, users)
	h := contract.Handler(t, calendar.Options{DB: db, Site: calendar.Site{Prefix: prefix}, Authenticator: known})
	return besideSite{t, db.DB, known, &apitest.Client{T: t, Handler: h}}
}

// word returns the first value of the first row of a query.
func (s besideSite) word(query string, args ...any) (value string) {
	s.t.Helper()
	if err := s.db.QueryRowContext(s.t.Context(), query, args...).Scan(&value); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return value
}

const plainEvent = `{"title":"%s","start_date":"2031-06-01 10:00:00","end_date":"2031-06-01 11:00:00"%s}`

func event(title, more string) string { return fmt.Sprintf(plainEvent, title, more) }

// TestNetworkAdministrators checks that on a network only the network's administrators may store unfiltered HTML, and
// that they have all capabilities on a site on which they have no role.
func TestNetworkAdministrators(t *testing.T) {
	t.Parallel()
	s := beside(t, networkSite(t), "wp_2_", "wp_users")
	const script = `,"description":"<script>a()</script> text"`
	for as, want := range map[string]string{"admin": "a() text", "netadm": "<script>a()</script> text"} {
		a := s.Must(http.StatusCreated, as, "POST", "/events", event("By "+as, script))
		golden.Equal(t, as, s.word("SELECT post_content FROM wp_2_posts WHERE ID = ?", a.ID()), want)
		golden.Equal(t, as, a.Word("author"), fmt.Sprint(s.users[as]))
	}
}

// TestNetworkClosedSites checks that a site which the network marks as archived, spam or deleted answers 410 to all
// callers until the mark is removed, and that marks of another site have no effect on it.
func TestNetworkClosedSites(t *testing.T) {
	t.Parallel()
	s := beside(t, networkSite(t), "wp_2_", "wp_users")
	for _, column := range []string{"archived", "spam", "deleted"} {
		execute(t, s.db, "UPDATE wp_blogs SET "+column+" = 1 WHERE blog_id = 2")
		for _, as := range []string{"", "admin", "netadm"} {
			s.Must(http.StatusGone, as, "GET", "/events", "")
		}
		execute(t, s.db, "UPDATE wp_blogs SET "+column+" = 0 WHERE blog_id = 2")
		s.Must(http.StatusOK, "", "GET", "/events", "")
	}
	execute(t, s.db, "UPDATE wp_blogs SET archived = 1 WHERE blog_id = 3")
	s.Must(http.StatusOK, "", "GET", "/events", "")
}

// TestD96NetworkBarredUsers checks D96: users who are marked as spam or deleted are answered with 401.
func TestD96NetworkBarredUsers(t *testing.T) {
	t.Parallel()
	s := beside(t, networkSite(t), "wp_2_", "wp_users")
	for _, column := range []string{"spam", "deleted"} {
		execute(t, s.db, "UPDATE wp_users SET "+column+" = 1 WHERE user_login = 'admin'")
		s.Must(http.StatusUnauthorized, "admin", "GET", "/events", "")
		execute(t, s.db, "UPDATE wp_users SET "+column+" = 0 WHERE user_login = 'admin'")
		s.Must(http.StatusOK, "admin", "GET", "/events", "")
	}
}

// TestNetworkUserPrefixIsNamed checks that the error about tables of users that are not found names the option for
// their prefix, and that the calendar starts with this option.
func TestNetworkUserPrefixIsNamed(t *testing.T) {
	t.Parallel()
	db := networkSite(t)
	execute(t, db.DB, "DELETE FROM wp_blogs WHERE blog_id = 2")
	_, err := calendar.New(t.Context(), calendar.Options{DB: db, Site: calendar.Site{Prefix: "wp_2_"}})
	if err == nil || !strings.Contains(err.Error(), "--users-prefix") || !strings.Contains(err.Error(), "wp_2_users") {
		t.Errorf("%v", err)
	}
	c := must.Get(calendar.New(t.Context(), calendar.Options{DB: db, Site: calendar.Site{Prefix: "wp_2_", UserPrefix: "wp_"}}))(t)
	_ = c.Close(t.Context())
}

// option sets an option of the site.
func (s besideSite) option(name, value string) {
	s.t.Helper()
	execute(s.t, s.db, fmt.Sprintf("REPLACE INTO wp_options (option_name, option_value, autoload) VALUES ('%s', '%s', 'on')", name, value))
}

func (s besideSite) phase(name string) {
	s.t.Helper()
	s.option("tec_ct1_migration_state", fmt.Sprintf(`a:1:{s:5:"phase";s:%d:"%s";}`, len(name), name))
}

// TestD93Emoji checks D93: if columns hold only characters of up to three bytes, emoji in titles, contents and excerpts
// are stored as numeric references. All other characters of four bytes are rejected with an error that names the field,
// before the database rejects them. Characters of three bytes are accepted.
func TestD93Emoji(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	others := testdb.OfOthers(t, db).DB
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy"} {
		execute(t, others, "DELETE FROM wp_"+table)
		execute(t, others, "ALTER TABLE wp_"+table+" CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_unicode_520_ci")
	}
	s := beside(t, db, "wp_", "wp_users")
	a := s.Must(http.StatusCreated, "admin", "POST", "/events",
		event("Emoji 🎉 party ™", `,"description":"Bring 🍰 and café","excerpt":"❤️","venue":{"venue":"Hall 🎪"}`))
	const want = "Emoji &#x1f389; party &#x2122;|Bring &#x1f370; and café|&#x2764;&#xfe0f;|emoji-%f0%9f%8e%89-party"
	got := s.word("SELECT CONCAT_WS('|', post_title, post_content, post_excerpt, SUBSTRING_INDEX(post_name, '-%e2', 1)) FROM wp_posts "+
		"WHERE ID = ?", a.ID())
	golden.Equal(t, "stored", got, want)
	if got := s.word("SELECT post_title FROM wp_posts WHERE post_type = 'tribe_venue' ORDER BY ID DESC LIMIT 1"); got != "Hall &#x1f3aa;" {
		t.Errorf("stored %s", got)
	}
	before := s.word("SELECT post_modified FROM wp_posts WHERE ID = ?", a.ID())
	execute(t, s.db, fmt.Sprintf("UPDATE wp_posts SET post_modified = '2020-01-01 00:00:00' WHERE ID = %d", a.ID()))
	s.Must(http.StatusOK, "admin", "PATCH", fmt.Sprintf("/events/%d", a.ID()), `{"title":"Emoji 🎉 party ™"}`)
	if got := s.word("SELECT post_modified FROM wp_posts WHERE ID = ?", a.ID()); got == before {
		t.Error("the same title was written again")
	}
	for name, more := range map[string]string{
		"title": "", "description": `,"description":"𠮷"`, "categories": `,"categories":["🎉"]`,
		"website": `,"website":"https://a.example/🎉"`,
		"venue":   `,"venue":{"venue":"Hall","address":"🎪 1"}`,
	} {
		title := "Plain"
		if name == "title" {
			title = "𠮷"
		}
		if a := s.Must(http.StatusBadRequest, "admin", "POST", "/events", event(title, more)); a.Fault(name) == "" {
			t.Errorf("%s: %s", name, a)
		}
	}
	for path, body := range map[string]string{"/venues": `{"venue":"V","city":"%"}`, "/tags": `{"name":"%"}`} {
		a := s.Must(http.StatusBadRequest, "admin", "POST", path, strings.Replace(body, "%", "🎉", 1))
		if a.Fault("city")+a.Fault("name") == "" {
			t.Errorf("%s: %s", path, a)
		}
		s.Must(http.StatusCreated, "admin", "POST", path, strings.Replace(body, "%", "é 日本 ☂", 1))
	}
	s.Must(http.StatusCreated, "admin", "POST", "/events", event("é 日本 ☂", ""))
	for _, path := range []string{"/events?categories=%F0%9F%98%80", "/tags?slug=%F0%9F%98%80", "/events/by-slug/%F0%9F%98%80",
		"/events/by-slug/😀"} {
		if a := s.Get("", path); a.Verdict() != "400 rest_invalid_param" {
			t.Errorf("%s: %s", path, a)
		}
	}
}

// TestMisreadLatin1 checks that a site is read-only if columns declared as latin1 contain UTF-8: at least two texts
// that are not ASCII, all of which are valid UTF-8. One such text is not enough, a text that is not valid UTF-8 shows
// that the declaration is right, and Latin1AsIs permits writes anyway.
func TestMisreadLatin1(t *testing.T) {
	t.Parallel()
	db := testdb.SiteA(t)
	others := testdb.OfOthers(t, db).DB
	for _, table := range []string{"posts", "postmeta", "terms", "term_taxonomy"} {
		execute(t, others, "DELETE FROM wp_"+table)
		execute(t, others, "ALTER TABLE wp_"+table+" CONVERT TO CHARACTER SET latin1")
	}
	post := func(id int, title string) {
		execute(t, others, fmt.Sprintf("INSERT INTO wp_posts (ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, "+
			"post_content_filtered) VALUES (%d, 'tribe_venue', X'%X', '', '', '', '', '')", id, title))
	}
	status := func(asIs bool) int {
		users := storedUsers(t, db, "wp_users")
		h := contract.Handler(t, calendar.Options{DB: db, Site: calendar.Site{Latin1AsIs: asIs}, Authenticator: users})
		return (&apitest.Client{T: t, Handler: h}).Do("admin", "POST", "/venues", `{"venue":"New"}`).Status
	}
	post(1, "Café")
	golden.Equal(t, "one text", status(false), http.StatusCreated)
	post(2, "Théâtre")
	golden.Equal(t, "two texts", status(false), http.StatusServiceUnavailable)
	golden.Equal(t, "as is", status(true), http.StatusCreated)
	post(3, "Caf\xe9")
	golden.Equal(t, "one of latin1", status(false), http.StatusCreated)
}
