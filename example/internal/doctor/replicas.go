package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/replication"
	"github.com/agendahq/agenda/schema"
)

// These limit the queries of a replica.
const (
	connections = 8               // connections that are compared: an address may lead each of them to another server
	patience    = 5 * time.Second // for all queries together
)

// Replica checks whether a server can be read as a replica: it must replicate by global transaction identifiers, and
// all connections to its address must lead to it.
func Replica(ctx context.Context, db *bun.DB) schema.Finding {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	f := schema.Finding{Section: "Replicas", Check: "replicas", Level: schema.Warning}
	_, server, err := replication.Replayed(ctx, db)
	servers := append(replication.ServersBehind(ctx, db, connections), server)
	slices.Sort(servers)
	servers = slices.Compact(servers)
	switch {
	case server == "":
		f.Text = fmt.Sprintf("it is not in use: it does not answer: %v", err)
	case len(servers) > 1:
		f.Text = fmt.Sprintf("it is not in use: its address leads to %d servers, and the position of one tells nothing about the others",
			len(servers))
		f.Advice = "name each of them as a replica"
	case err != nil:
		f.Text = "it is not in use: " + err.Error()
	default:
		f.Level, f.Text = schema.OK, "all connections to its address lead to one server, which follows another one"
	}
	return f
}
