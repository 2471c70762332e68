package contract

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// writeCase is a write of one kind, with the changes that must be reported to the hook. {names} are ids in its path and
// body; a POST to a collection stores the id of its item under the name.
type writeCase struct {
	name, method, path, body string
	changes                  []*line
}

// writeCases contains all kinds of writes, in an order in which the items of each exist.
var writeCases = writesOf("writes")

func writesOf(list string) (writes []writeCase) {
	for _, l := range section("list " + list) {
		w := strings.SplitN(l.text+"   ", " ", 4)
		writes = append(writes, writeCase{w[0], w[1], w[2], strings.TrimSpace(w[3]), l.sub})
	}
	return writes
}

// faultBench returns a bench with a single connection, on which a statement outside the transaction of a write would
// block forever, and with images to download.
func faultBench(b *bench) (images string) {
	b.host.SetMaxOpenConns(1)
	picture := pictureOf(b.T, 310, 12)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if b.fetching != nil {
			b.fetching()
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte(picture))
	}))
	b.T.Cleanup(server.Close)
	at, err := netip.ParseAddrPort(strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		b.T.Fatal(err)
	}
	b.open(calendar.Options{Uploads: calendar.Uploads{
		Dir: b.uploads, BaseURL: Site + "/wp-content/uploads", Ports: []uint16{at.Port()},
		Allow: func(a netip.Addr) bool { return a == at.Addr() },
	}})
	return server.URL
}
