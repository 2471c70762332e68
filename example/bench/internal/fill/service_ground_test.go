package fill

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// again deletes a post and creates it again through the service; both must have the same rows except for their ids.
func again(t *testing.T, w *writer, db *bun.DB, id int64, path string, fields func(schema.Post, map[string]string) map[string]any) {
	t.Helper()
	read := func(id int64) (p schema.Post, metas []schema.PostMeta, rows string) {
		must.Succeed(t, bound(t, db).NewSelect().Model(&p).Where("ID = ?", id).Scan(t.Context()))
		must.Succeed(t, bound(t, db).NewSelect().Model(&metas).Where("post_id = ?", id).Order("meta_id").Scan(t.Context()))
		plain := p
		plain.ID = 0
		line := must.Get(json.Marshal(plain))(t)
		rows = string(line)
		for _, m := range metas {
			rows += "\n" + m.Key + " " + m.Value
		}
		return p, metas, rows
	}
	p, metas, want := read(id)
	for _, model := range []any{(*schema.Post)(nil), (*schema.PostMeta)(nil)} {
		column := bun.Ident("post_id")
		if _, is := model.(*schema.Post); is {
			column = "ID"
		}
		must.Get(bound(t, db).NewDelete().Model(model).Where("? = ?", column, id).Exec(t.Context()))(t)
	}
	values := map[string]string{}
	for _, m := range metas {
		values[m.Key] = m.Value
	}
	at, _ := strtotime.ParseWall(p.DateGMT, time.UTC)
	w.now, w.user = at, p.Author
	w.post(path, fields(p, values))
	_, _, got := read(readTable[schema.Post](t, db, "ID DESC")[0].ID)
	wantSame(t, got, want)
}

func TestPlacesAreWhatTheServiceStores(t *testing.T) {
	db := filled(t, small(0))
	w := serving(t, db)
	p := placed(t)
	from := func(fields map[string]any, names map[string]string, values map[string]string) map[string]any {
		for name, key := range names {
			if v, stored := values[key]; stored {
				fields[name] = v
			}
		}
		return fields
	}
	for n := range int64(8) {
		again(t, w, db, p.state.Venues+n, "/venues", func(v schema.Post, values map[string]string) map[string]any {
			return from(map[string]any{"venue": v.Title, "description": v.Content}, map[string]string{
				"address": schema.MetaVenueAddress, "city": schema.MetaVenueCity, "country": schema.MetaVenueCountry,
				"zip": schema.MetaVenueZip, "phone": schema.MetaVenuePhone, "website": schema.MetaVenueURL, "image": schema.MetaThumbnailID,
			}, values)
		})
		again(t, w, db, p.state.Organizers+25*n, "/organizers", func(o schema.Post, values map[string]string) map[string]any {
			return from(map[string]any{"organizer": o.Title, "description": o.Content}, map[string]string{
				"phone": schema.MetaOrganizerPhone, "website": schema.MetaOrganizerWebsite, "email": schema.MetaOrganizerEmail,
			}, values)
		})
	}
}

func TestTermsAreWhatTheServiceStores(t *testing.T) {
	db := filled(t, small(0))
	w := serving(t, db)
	w.user = 1
	s := placed(t).state
	names := categories()
	for _, n := range []int64{9, 12, 23, 59, 60, 61, 167, 359} {
		id := s.Categories + n
		var was, is schema.Term
		var wasIn, isIn schema.TermTaxonomy
		for _, model := range []any{&was, &wasIn} {
			must.Succeed(t, bound(t, db).NewSelect().Model(model).Where("term_id = ?", id).Scan(t.Context()))
			must.Get(bound(t, db).NewDelete().Model(model).Where("term_id = ?", id).Exec(t.Context()))(t)
		}
		if n < 60 {
			f := map[string]any{"name": names[n].name, "description": wasIn.Description}
			if wasIn.Parent != 0 {
				f["parent"] = wasIn.Parent
			}
			w.post("/categories", f)
		} else {
			w.post("/tags", map[string]any{"name": tagName(int(n) - 60)})
		}
		is, isIn = readTable[schema.Term](t, db, "term_id DESC")[0], readTable[schema.TermTaxonomy](t, db, "term_taxonomy_id DESC")[0]
		if is.ID == was.ID || isIn.TermID != is.ID {
			t.Fatalf("%+v is not new: %+v", is, isIn)
		}
		is.ID, isIn.ID, isIn.TermID = was.ID, wasIn.ID, wasIn.TermID
		wantSame(t, fmt.Sprint(is, isIn), fmt.Sprint(was, wasIn))
	}
}

func TestEndsOfTheCalendar(t *testing.T) {
	at := func(post int64, first, last string) edges { return edges{edge{post, first}, edge{post, last}} }
	var e edges
	e.widen(edges{})
	for _, x := range []edges{at(5, "2030", "2031"), at(6, "2030", "2031"), at(7, "2029", "2030"), at(8, "2031", "2032"), {}} {
		e.widen(x)
	}
	if want := (edges{edge{7, "2029"}, edge{8, "2032"}}); e != want {
		t.Errorf("%v, want %v", e, want)
	}
	e = at(5, "2030", "2031")
	e.widen(at(6, "2030", "2031"))
	if e != at(5, "2030", "2031") {
		t.Errorf("of two events with one date the later one counts: %v", e)
	}
}
