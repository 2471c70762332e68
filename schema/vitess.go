package schema

import (
	"context"
	"database/sql"
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
	shards, err := textRows(ctx, db, "SHOW VITESS_SHARDS")
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
	tablets, err := textRows(ctx, db, "SHOW VITESS_TABLETS")
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
func whyNotOneShard(target string, shards, tablets []map[string]string) string {
	keyspace, kind, _ := strings.Cut(target, "@")
	if kind != "" && !strings.EqualFold(kind, "primary") || strings.ContainsAny(keyspace, ":/") || keyspace == "" {
		return fmt.Sprintf("the database of Vitess is %q, and no keyspace read by its primary", target)
	}
	var of []string
	for _, row := range shards {
		for _, name := range row { // its only column
			if strings.HasPrefix(name, keyspace+"/") {
				of = append(of, name)
			}
		}
	}
	if len(of) != 1 {
		return fmt.Sprintf("the keyspace %s of Vitess has %d shards: %s", keyspace, len(of), strings.Join(of, ", "))
	}
	for _, t := range tablets {
		if t["Keyspace"]+"/"+t["Shard"] == of[0] && t["TabletType"] == "PRIMARY" && t["State"] == "SERVING" {
			return ""
		}
	}
	return "Vitess shows no primary of " + of[0]
}

// textRows returns the rows of a statement by the names of their columns, as strings.
func textRows(ctx context.Context, db bun.IDB, statement string) (found []map[string]string, err error) {
	rows, err := db.QueryContext(ctx, "/* agenda server */ "+statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range cells {
		into[i] = &cells[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make(map[string]string, len(columns))
		for i, name := range columns {
			row[name] = cells[i].String
		}
		found = append(found, row)
	}
	return found, rows.Err()
}
