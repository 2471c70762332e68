package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/uptrace/bun"
)

// Position is how far a server of MariaDB has come in what is replicated: the number of
// the last transaction of each domain of its global transaction ids.
type Position map[uint32]uint64

// Written returns the position of a server that others follow. It is an error if the
// server keeps none: without a binary log.
func Written(ctx context.Context, db *bun.DB) (Position, error) {
	return readPosition(ctx, db, "@@GLOBAL.gtid_binlog_pos")
}

// Replayed returns the position of a server that follows another one.
func Replayed(ctx context.Context, db *bun.DB) (Position, error) {
	return readPosition(ctx, db, "@@GLOBAL.gtid_slave_pos")
}

func readPosition(ctx context.Context, db *bun.DB, variable string) (Position, error) {
	var text string
	if err := db.NewSelect().ColumnExpr(variable).Scan(ctx, &text); err != nil {
		return nil, err
	}
	if text == "" {
		return nil, fmt.Errorf("store: %s is empty: the server takes no part in a replication by global transaction ids", variable)
	}
	return parsePosition(text)
}

// parsePosition reads a list of ids, each "domain-server-number".
func parsePosition(text string) (Position, error) {
	p := Position{}
	for id := range strings.SplitSeq(text, ",") {
		parts := strings.Split(strings.TrimSpace(id), "-")
		if len(parts) != 3 {
			return nil, fmt.Errorf("store: %q is no global transaction id", id)
		}
		domain, err := strconv.ParseUint(parts[0], 10, 32)
		if err != nil {
			return nil, err
		}
		number, err := strconv.ParseUint(parts[2], 10, 64)
		if err != nil {
			return nil, err
		}
		p[uint32(domain)] = max(p[uint32(domain)], number)
	}
	return p, nil
}

// Reached reports whether everything up to another position is in p.
func (p Position) Reached(other Position) bool {
	for domain, number := range other {
		if p[domain] < number {
			return false
		}
	}
	return true
}
