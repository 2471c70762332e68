package schema

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// Vitess describes the database of a connection as vtgate, the proxy of Vitess, reports it. vtgate may represent many servers, and its
// version is configurable, so it is recognized by statements that no other server understands.
type Vitess struct {
	// Answers reports whether a vtgate answers.
	Answers bool

	// Unknown is the reason why committed changes cannot be detected through vtgate. It is "" if they can: if the database is an unsharded
	// keyspace and its primary answers.
	Unknown string
}

// syntaxError is the error number for a statement that a server does not understand.
const syntaxError = 1064

// AskVitess determines whether a vtgate answers, and which shard has the connection's database. The account needs no privileges.
func AskVitess(ctx context.Context, db bun.IDB) (v Vitess, err error) {
	shards, err := vtgateRows(ctx, db, "SHOW VITESS_SHARDS")
	var answer *mysql.MySQLError
	switch {
	case errors.As(err, &answer) && answer.Number == syntaxError:
		return v, nil
	case errors.As(err, &answer):
		v.Unknown = "a proxy does not tell its shards: " + answer.Message
		return v, nil
	case err != nil:
		return v, err
	}
	v.Answers = true
	tablets, err := vtgateRows(ctx, db, "SHOW VITESS_TABLETS")
	if errors.As(err, &answer) {
		v.Unknown = "Vitess does not tell its tablets: " + answer.Message
		return v, nil
	}
	if err != nil {
		return v, err
	}
	var target string
	if err := db.NewRaw("/* agenda server */ SELECT DATABASE()").Scan(ctx, &target); err != nil {
		return v, err
	}
	v.Unknown = whyNotOneShard(target, shards, tablets)
	return v, nil
}

// whyNotOneShard returns the reason why a target (a keyspace, optionally with a shard or a type of tablets) is not a single shard whose
// primary answers, or "" if it is one.
func whyNotOneShard(target string, shards, tablets []map[string]any) string {
	keyspace, kind, _ := strings.Cut(target, "@")
	if kind != "" && !strings.EqualFold(kind, "primary") || strings.ContainsAny(keyspace, ":/") || keyspace == "" {
		return fmt.Sprintf("the database of Vitess is %q, and no keyspace read by its primary", target)
	}
	var of []string
	for _, row := range shards {
		for column := range row { // its only one
			if name := cell(row, column); strings.HasPrefix(name, keyspace+"/") {
				of = append(of, name)
			}
		}
	}
	if len(of) != 1 {
		return fmt.Sprintf("the keyspace %s of Vitess has %d shards: %s", keyspace, len(of), strings.Join(of, ", "))
	}
	for _, t := range tablets {
		shard := cell(t, "Keyspace") + "/" + cell(t, "Shard")
		if shard == of[0] && cell(t, "TabletType") == "PRIMARY" && cell(t, "State") == "SERVING" {
			return ""
		}
	}
	return "Vitess shows no primary of " + of[0]
}

// vtgateRows returns the rows of a statement that only vtgate understands, by the names of their columns: see cell.
func vtgateRows(ctx context.Context, db bun.IDB, statement string) (rows []map[string]any, err error) {
	err = db.NewRaw("/* agenda server */ "+statement).Scan(ctx, &rows)
	return rows, err
}
