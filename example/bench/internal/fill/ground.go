package fill

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// ground is the calendar without its events.
type ground struct {
	rows
	place  *place
	prefix string
	state  state
}

// compose creates the rows. The ids of users and terms follow the existing ones.
func (g *ground) compose(ctx context.Context, tx bun.Tx) error {
	var user, meta, term, taxonomy int64
	for _, last := range []struct {
		id     *int64
		model  any
		column string
	}{
		{&user, (*schema.User)(nil), "ID"}, {&meta, (*schema.UserMeta)(nil), "umeta_id"},
		{&term, (*schema.Term)(nil), "term_id"}, {&taxonomy, (*schema.TermTaxonomy)(nil), "term_taxonomy_id"},
	} {
		if err := tx.NewSelect().Model(last.model).ColumnExpr("COALESCE(MAX(?), 0)", bun.Ident(last.column)).
			Scan(ctx, last.id); err != nil {
			return err
		}
	}
	g.addUsers(user+1, meta+1)
	g.addTerms(max(term, taxonomy) + 1)
	g.place.state = g.state
	g.addPictures()
	g.addVenues()
	g.addOrganizers()
	// The tree of the categories is cached in an option, which is created again when it is missing.
	_, err := tx.NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", schema.OptionChildren(g.place.names.Category)).Exec(ctx)
	return err
}

// people are the accounts that enter events, the busiest first. Their stored password is no valid hash, so no password
// matches it.
var people = []struct{ login, name, role, level string }{
	{"bench-editor", "Claire Delcourt", "editor", "7"}, {"bench-author", "Tom Ashworth", "author", "2"},
	{"bench-admin", "Noor Vandamme", "administrator", "10"}, {"bench-author-2", "Yusuf Demir", "author", "2"},
	{"bench-editor-2", "Lena Peeters", "editor", "7"}, {"bench-author-3", "Marie Claes", "author", "2"},
}

func (g *ground) addUsers(id, meta int64) {
	g.state.Users = id
	for i, who := range people {
		g.users = append(g.users, schema.User{
			ID: id, Login: who.login, Pass: "!", Nicename: who.login, Email: who.login + "@events.example", DisplayName: who.name,
			Registered: strtotime.Wall(g.place.day.UTC().AddDate(-11, 0, 7*i)),
		})
		roles := &phpval.Array{}
		roles.Set(phpval.StrKey(who.role), true)
		for _, m := range [][2]string{
			{"nickname", who.login}, {schema.UserMetaCapabilities(g.prefix), phpval.Serialize(roles)}, {g.prefix + "user_level", who.level},
		} {
			g.userMeta = append(g.userMeta, schema.UserMeta{ID: meta, UserID: id, Key: m[0], Value: m[1]})
			meta++
		}
		id++
	}
}

func (g *ground) addTerms(id int64) {
	add := func(taxonomy, name, slug, about string, parent int64) {
		g.terms = append(g.terms, schema.Term{ID: id, Name: wp.TermName(name), Slug: slug})
		g.taxonomies = append(g.taxonomies, schema.TermTaxonomy{ID: id, TermID: id, Taxonomy: taxonomy, Description: about, Parent: parent})
		id++
	}
	g.state.Categories = id
	for _, c := range categories() {
		parent := int64(0)
		if c.parent >= 0 {
			parent = g.state.Categories + int64(c.parent)
		}
		add(g.place.names.Category, c.name, wp.Slug(c.name), "Everything about "+strings.ToLower(c.name)+".", parent)
	}
	g.state.Tags = id
	for n := range tagCount {
		add(g.place.names.Tag, tagName(n), wp.Slug(tagName(n)), "", 0)
	}
}

// at returns the time at which the n-th row was entered, before the calendar begins.
func (g *ground) at(n int) time.Time {
	day := g.place.day.AddDate(-11, 0, n/4)
	at, _ := strtotime.ParseWall(wallClock(day, 9*60+n%4*95), g.place.settings.Location)
	return at
}

func (g *ground) addVenues() {
	g.state.Venues = g.state.Post
	for n := range venueCount {
		v := venueOf(n)
		post := g.place.post(g.place.names.Venue, g.state.Post, schema.StatusPublish, wp.Slug(v.name), v.name, v.text,
			g.state.Users, g.at(n))
		post.GUID = g.place.linker.Item(post.Type, post.ID, post.Name, post.Status)
		m := metas{
			{schema.MetaVenueOrigin, origin}, {schema.MetaShowMapLink, "1"}, {schema.MetaShowMap, "1"},
			{schema.MetaVenueShowMapLink, "1"}, {schema.MetaVenueShowMap, "1"},
		}
		if n%10 == 3 {
			m.addMeta(schema.MetaThumbnailID, idText(g.state.Images+int64(n%pictureCount)))
		}
		m.addMeta(schema.MetaVenueAddress, v.street)
		m.addMeta(schema.MetaVenueCity, v.city)
		m.addMeta(schema.MetaVenueCountry, v.country)
		m.addMeta(schema.MetaVenueStateProvince, "")
		m.addMeta(schema.MetaVenueZip, v.zip)
		m.given(schema.MetaVenuePhone, v.phone)
		m.given(schema.MetaVenueURL, v.website)
		g.posts = append(g.posts, post)
		g.addMeta(post.ID, &g.state.Meta, g.at(n), nil, m)
		g.state.Post++
	}
}

func (g *ground) addOrganizers() {
	g.state.Organizers = g.state.Post
	for n := range organizerCount {
		o := organizerOf(n)
		post := g.place.post(g.place.names.Organizer, g.state.Post, schema.StatusPublish, wp.Slug(o.name), o.name, o.text,
			g.state.Users, g.at(n))
		post.GUID = g.place.linker.Item(post.Type, post.ID, post.Name, post.Status)
		m := metas{{schema.MetaOrganizerOrigin, origin}}
		m.given(schema.MetaOrganizerPhone, o.phone)
		m.given(schema.MetaOrganizerWebsite, o.website)
		m.given(schema.MetaOrganizerEmail, o.email)
		g.posts = append(g.posts, post)
		g.addMeta(post.ID, &g.state.Meta, g.at(n), nil, m)
		g.state.Post++
	}
}
