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

// Vitess is what vtgate, the proxy of Vitess, tells of the database that a connection uses. It may speak for many servers and call itself
// what it likes, so it is known by questions that no other server understands.
type Vitess struct {
	// Answers says that a vtgate answers.
	Answers bool

	// Unknown is why what is committed to the database cannot be told through it, "" where it can: where the database is an unsharded
	// keyspace, whose primary answers.
	Unknown string
}

// syntaxError is the number of a server's error for a statement that it does not understand.
const syntaxError = 1064

// AskVitess asks whether a vtgate answers, and for the shard that has the connection's database. The account needs no right.
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

// whyNotOneShard returns why what a target names (a keyspace, and perhaps a shard or the kind of tablets) is not one shard whose primary
// answers, "" where it is.
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

// textRows returns the rows of a statement of which only the names of the columns are known.
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
