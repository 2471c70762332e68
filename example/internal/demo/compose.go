package demo

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// composer builds the rows. It assigns the ids itself, because the tables are empty and the rows refer to each other.
type composer struct {
	rows
	*content
	prefix, home string
	now          time.Time // in the time zone of the site
	names        schema.Names
	ids          map[string]int64 // by paths such as "venue/theatre/nl", "post_tag/food/en", "language/nl", "image/mill", "user/editor"
	lastPost     int64
	lastDate     int64
}

// compose builds all rows of the demo site.
func compose(prefix, home string, now time.Time) (*rows, error) {
	site, err := time.LoadLocation(siteZone)
	if err != nil {
		return nil, err
	}
	c := &composer{
		content: calendar(), prefix: prefix, home: strings.TrimSuffix(home, "/"), now: now.In(site).Truncate(time.Second),
		names: schema.DefaultNames(), ids: map[string]int64{},
	}
	c.addUsers()
	c.addLanguages()
	c.addTerms(c.names.Category, c.Categories)
	c.addTerms(c.names.Tag, c.Tags)
	c.addImages()
	for i, v := range c.Venues {
		c.addVenue(v, i)
	}
	for i, o := range c.Organizers {
		c.addOrganizer(o, i)
	}
	for i, e := range c.Events {
		// The calendar was entered over the past weeks, a new event every sixteen hours; nothing was published after
		// now.
		if err := c.addEvents(e, i, c.now.Add(-time.Duration(len(c.Events)-i)*16*time.Hour)); err != nil {
			return nil, fmt.Errorf("%s: %w", e.title(), err)
		}
	}
	for i, o := range c.occasions(c.now) {
		// An event of a series was entered forty days before it takes place, those of the next months three weeks ago.
		entered := earlier(o.day.AddDate(0, 0, -40), c.now.AddDate(0, 0, -21)).Add(-time.Duration(i%97) * 11 * time.Minute)
		if err := c.addEvents(o.event, i, entered); err != nil {
			return nil, fmt.Errorf("%s: %w", o.title(), err)
		}
	}
	c.addOptions()
	return &c.rows, nil
}

// id returns the id of an item by its kind, its key and, if it has several versions, its language.
func (c *composer) id(path ...string) (int64, error) {
	id, ok := c.ids[strings.Join(path, "/")]
	if !ok {
		return 0, fmt.Errorf("there is no %s", strings.Join(path, " "))
	}
	return id, nil
}

// post adds a post with the columns that all types share and returns it, for the caller to complete.
func (c *composer) post(kind, status, name, title, content string, author int64, at time.Time) *schema.Post {
	c.lastPost++
	local, utc := at.Format(stamp), at.UTC().Format(stamp)
	if status == schema.StatusDraft || status == schema.StatusPending {
		utc = zeroDate
	}
	p := &schema.Post{
		ID: c.lastPost, Author: author, Date: local, DateGMT: utc, Modified: local, ModifiedGMT: utc,
		Title: title, Content: flow(content), Status: status, Name: name, Type: kind, CommentStatus: "closed", PingStatus: "closed",
	}
	c.posts = append(c.posts, p)
	return p
}

// zeroDate is the date of a post that has none yet.
const zeroDate = "0000-00-00 00:00:00"

// guid returns the first address of a post. The code of a language other than the site's default precedes the segment.
func (c *composer) guid(p *schema.Post, segment, lang string) string {
	if p.Status == schema.StatusPublish || p.Status == schema.StatusPrivate {
		if lang != c.Languages[0].Code {
			segment = lang + "/" + segment
		}
		return c.home + "/" + segment + "/" + p.Name + "/"
	}
	return c.home + "/?post_type=" + p.Type + "&p=" + strconv.FormatInt(p.ID, 10)
}

// metas lists the meta rows of one post, in order.
type metas [][2]string

func (m *metas) addMeta(key, value string) { *m = append(*m, [2]string{key, value}) }

// given adds a row only if the value is not empty.
func (m *metas) given(key, value string) {
	if value != "" {
		m.addMeta(key, value)
	}
}

// addMeta writes the rows of a post, preceded by the one that records when each of them was last changed.
func (c *composer) addMeta(postID int64, at time.Time, changed []string, m metas) {
	_, offset := at.Zone()
	when := at.Unix() + int64(offset)
	var fields phpval.Array
	for _, row := range m {
		fields.Set(phpval.StrKey(row[0]), when)
	}
	for _, name := range changed {
		fields.Set(phpval.StrKey(name), at.Unix())
	}
	all := append(metas{{schema.MetaModifiedFields, phpval.Serialize(&fields)}}, m...)
	for _, row := range all {
		c.meta = append(c.meta, &schema.PostMeta{ID: int64(len(c.meta) + 1), PostID: postID, Key: row[0], Value: row[1]})
	}
}

func (c *composer) addUsers() {
	registered := c.now.UTC().AddDate(-1, 0, 0)
	for i, u := range c.Users {
		id := int64(i + 1)
		c.ids["user/"+u.Login] = id
		c.users = append(c.users, &schema.User{
			ID: id, Login: u.Login, Pass: unusable, Nicename: u.Login, Email: u.email(),
			Registered: registered.AddDate(0, 0, 7*i).Format(stamp), DisplayName: u.First + " " + u.Last,
		})
		var roles phpval.Array
		roles.Set(phpval.StrKey(u.Role), true)
		for _, m := range [][2]string{
			{"nickname", u.Login}, {"first_name", u.First}, {"last_name", u.Last},
			{schema.UserMetaCapabilities(c.prefix), phpval.Serialize(&roles)}, {c.prefix + "user_level", u.Level},
		} {
			c.userMeta = append(c.userMeta, &schema.UserMeta{ID: int64(len(c.userMeta) + 1), UserID: id, Key: m[0], Value: m[1]})
		}
	}
}
