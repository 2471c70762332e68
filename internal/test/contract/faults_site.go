package contract

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// writeCase is a write of one kind. <names> stand for ids in its path and body;
// a POST to a collection gives its item the name.
type writeCase struct{ name, method, path, body string }

// rich is an event with everything in it.
const rich = `{"title":"Everything","start_date":"2030-07-01 10:00","end_date":"2030-07-01 12:30","timezone":"America/New_York",
 "description":"Text","excerpt":"Short","slug":"everything","status":"publish","all_day":false,"cost":"$10","website":"http://a.example/x",
 "show_map":true,"show_map_link":true,"hide_from_listings":true,"sticky":true,"featured":true,"author":3,"image":"<picture>",
 "categories":["cat","New category"],"tags":["tag","New tag"],"venue":{"venue":"New hall","city":"Gent","image":"IMAGES/hall.png"},
 "organizer":["<person>",{"organizer":"New person","email":"a@b.example"},{"id":"<other>","phone":"1 23"}]}`

// richer changes every field of it.
const richer = `{"title":"Changed","start_date":"2030-08-01","end_date":"2030-08-02","timezone":"Europe/Paris","description":"Other","excerpt":"Other",
 "slug":"changed","all_day":true,"cost":["5","6"],"website":"","show_map":false,"show_map_link":false,"hide_from_listings":false,
 "sticky":false,"featured":false,"image":"IMAGES/other.png","categories":["Another"],"tags":[],"date":"2029-01-01 10:00","author":2,
 "venue":{"id":"<hall>","venue":"Renamed","city":"Brugge"},"organizer":[{"organizer":"Third"}]}`

// writeCases are all kinds of writes, in an order in which each finds what it is about.
var writeCases = []writeCase{
	{"person", "POST", "/organizers", `{"organizer":"Person","phone":"1","website":"http://p.example/","email":"p@p.example","description":"D","image":"IMAGES/person.png"}`},
	{"other", "POST", "/organizers", `{"organizer":"Person","status":"draft","date":"2030-01-01 10:00"}`},
	{"hall", "POST", "/venues", `{"venue":"Hall","address":"Street 1","city":"Gent","country":"Belgium","zip":"9000","image":"<picture>","show_map":"false","author":2}`},
	{"place", "POST", "/venues", `{"venue":"Hall"}`},
	{"event", "POST", "/events", rich},
	{"child", "POST", "/categories", `{"name":"Child","parent":"<cat>","description":"D"}`},
	{"leaf", "POST", "/categories", `{"name":"Child","parent":"<child>"}`},
	{"label", "POST", "/tags", `{"name":"Label"}`},
	{"event 2", "POST", "/events", `{"title":"Second","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00","categories":["<child>","<leaf>"],"tags":["<label>"],"venue":"<place>","organizer":["<person>","<other>"]}`},
	{"everything changes", "PATCH", "/events/<event>", richer},
	{"unlinked", "PUT", "/events/<event>", `{"venue":null,"organizer":[],"image":"","categories":""}`},
	{"unpublished", "POST", "/events/<event 2>", `{"status":"draft"}`},
	{"published", "PATCH", "/events/by-slug/second", `{"status":"publish"}`},
	{"venue changes", "PATCH", "/venues/<hall>", `{"venue":"Hall 3","city":"Ieper","state":"WVL","image":"IMAGES/hall3.png","description":"D"}`},
	{"venue trashed", "DELETE", "/venues/<place>", ""},
	{"venue restored", "PATCH", "/venues/<place>", `{"status":"publish"}`},
	{"venue deleted", "DELETE", "/venues/<place>?force=true", ""},
	{"organizer changes", "PUT", "/organizers/<person>", `{"organizer":"Somebody","email":"x@y.example","image":""}`},
	{"organizer trashed", "DELETE", "/organizers/<person>", ""},
	{"organizer restored", "PATCH", "/organizers/<person>", `{"status":"private"}`},
	{"organizer deleted", "DELETE", "/organizers/<person>?force=true", ""},
	{"category changes", "PATCH", "/categories/<leaf>", `{"name":"Leaf","slug":"leaf-2","description":"","parent":"<cat>"}`},
	{"category deleted", "DELETE", "/categories/<cat>", ""},
	{"tag changes", "PATCH", "/tags/<label>", `{"name":"Other label","description":"D"}`},
	{"tag deleted", "DELETE", "/tags/<label>", ""},
	{"trashed by status", "PATCH", "/events/<event>", `{"title":"Bin","status":"trash"}`},
	{"restored", "PATCH", "/events/<event>", `{"status":"publish"}`},
	{"trashed", "DELETE", "/events/by-slug/changed", ""},
	{"deleted", "DELETE", "/events/<event>?force=true", ""},
}

// faultBench is a bench with one connection, so that what a write reads and
// writes beside its transaction waits for ever, and with images to fetch.
func faultBench(b *bench) (images string) {
	b.host.SetMaxOpenConns(1)
	picture := image.NewRGBA(image.Rect(0, 0, 310, 12))
	picture.Set(1, 1, color.White)
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		b.T.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(file.Bytes())
	}))
	b.T.Cleanup(server.Close)
	at, err := netip.ParseAddrPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		b.T.Fatal(err)
	}
	b.open(calendar.Options{Uploads: calendar.Uploads{
		Dir: b.uploads, BaseURL: Site + "/wp-content/uploads", Allow: func(a netip.Addr) bool { return a == at.Addr() }, Ports: []uint16{at.Port()},
	}})
	return server.URL
}
