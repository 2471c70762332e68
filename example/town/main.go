// Town is a host whose calendar looks like the rest of its site: a town with a home page, and below /agenda the
// calendar with the town's head, style and logo, a further field and filters by that field.
//
//	agenda init --data town-data --email me@example.org --title 'Riverton'
//	FILE=town-data/agenda.db ADDR=127.0.0.1:8080 go run ./example/town
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/agendahq/agenda/schema/embedded"
)

func main() {
	err := serve(context.Background(), os.Getenv("FILE"), os.Getenv("ADDR"))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func serve(ctx context.Context, file, addr string) error {
	db, err := embedded.Open(ctx, file)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	origin := "http://" + listener.Addr().String()
	site, err := newSite(ctx, db, origin)
	if err != nil {
		return err
	}
	fmt.Printf("pages %s/agenda/  API %[1]s/agenda/wp-json/vendor/events/v1/events\n", origin)
	return http.Serve(listener, site)
}
