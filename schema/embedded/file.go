package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/sqlitedialect"

	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded/internal/collation"
)

// fileID identifies a file of this program. It is the upper half of PRAGMA application_id; the lower half is the
// version of the collation. The version of the schema is in PRAGMA user_version, which schema.Install sets.
const fileID = 0x4147 << 16

const versionMask = 0xFFFF

// prepare returns an error for a file that this program must not change. It updates an older one, and leaves a copy of
// the file as it was.
func prepare(ctx context.Context, db *bun.DB, path string, log *slog.Logger) error {
	id, version, err := marks(ctx, db)
	if err != nil {
		return err
	}
	if path == Memory || !older(id, version) {
		return update(ctx, db, id, version)
	}
	backup, err := backUp(ctx, db, path)
	if err != nil {
		return err
	}
	if err = update(ctx, db, id, version); err == nil {
		log.InfoContext(ctx, "updated the database of an older version; a copy was kept", "file", path, "copy", backup)
		return nil
	}
	// If nothing was changed, the copy is not needed. The next start may follow at once, and would create another one.
	if sameID, sameVersion, asked := marks(ctx, db); asked == nil && sameID == id && sameVersion == version {
		err = errors.Join(err, os.Remove(backup))
	}
	return err
}

// older reports whether the file, or its tables, were created by an older version of this package.
func older(id, version int) bool {
	return id&^versionMask == fileID && (id&versionMask < collation.Version || version != 0 && version < schema.Version)
}

// backUp copies an open file to a new one in the same directory, which only the current user can read.
func backUp(ctx context.Context, db *bun.DB, path string) (name string, err error) {
	name = filepath.Base(path) + ".backup-" + time.Now().UTC().Format("20060102-150405") + "-*"
	file, err := os.CreateTemp(filepath.Dir(path), name)
	if err != nil {
		return "", err
	}
	name = file.Name()
	if err := file.Close(); err != nil {
		return "", err
	}
	conn, err := db.DB.Conn(ctx)
	if err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	err = conn.Raw(func(c any) error { return copyPages(c, location(name)) })
	if err = errors.Join(err, conn.Close()); err != nil {
		return "", fmt.Errorf("the file is of an older version, and cannot be copied before it is updated: %w",
			errors.Join(err, os.Remove(name)))
	}
	return name, nil
}

func update(ctx context.Context, db *bun.DB, id, version int) error {
	if id != fileID|collation.Version {
		if err := db.RunInTx(ctx, nil, updateCollation); err != nil {
			return err
		}
	}
	if version > schema.Version {
		return errNewer("tables", version, schema.Version)
	}
	if version == schema.Version || version == 0 {
		return nil
	}
	return updateTables(ctx, db)
}

// Outdated reports whether Open would update the database in a file, because an older version of this package created
// it. It does not change the file.
func Outdated(ctx context.Context, path string) (bool, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	db := bun.NewDB(sql.OpenDB(connector(location(path)+"?mode=ro")), sqlitedialect.New())
	defer db.Close()
	id, version, err := marks(ctx, db)
	if err != nil {
		return false, Explain(err, path)
	}
	return id&versionMask < collation.Version || version < schema.Version, nil
}

func marks(ctx context.Context, db bun.IDB) (id, version int, err error) {
	if err = db.NewRaw("PRAGMA application_id").Scan(ctx, &id); err != nil {
		return 0, 0, err
	}
	err = db.NewRaw("PRAGMA user_version").Scan(ctx, &version)
	return id, version, err
}

func errNewer(what string, theirs, ours int) error {
	return fmt.Errorf("this file was made by a newer version of agenda (%s of version %d, this program knows %d): use that version",
		what, theirs, ours)
}

// updateCollation stores the ids in a new file, and rebuilds the indexes of an older one for the collation of this
// version. It reads the ids again under the write lock, because another process may have done this in the meantime.
func updateCollation(ctx context.Context, tx bun.Tx) error {
	id, _, err := marks(ctx, tx)
	if err != nil {
		return err
	}
	switch sorted := id & versionMask; {
	case id == 0:
		var objects int
		if err := tx.NewRaw("SELECT count(*) FROM sqlite_schema").Scan(ctx, &objects); err != nil {
			return err
		}
		if objects > 0 {
			return errors.New("this is the database of another program: name another place")
		}
	case id&^versionMask != fileID:
		return errors.New("this is the database of another program: name another place")
	case sorted > collation.Version:
		return errNewer("text order", sorted, collation.Version)
	case sorted < collation.Version:
		if _, err := tx.ExecContext(ctx, "REINDEX"); err != nil {
			return fmt.Errorf("the indexes cannot be rebuilt, because texts that must be unique are now equal: %w", err)
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", fileID|collation.Version))
	return err
}

// updateTables updates the tables of every site in the file.
func updateTables(ctx context.Context, db *bun.DB) error {
	var names []string
	if err := db.NewRaw("SELECT name FROM sqlite_schema WHERE type = 'table'").Scan(ctx, &names); err != nil {
		return err
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	var prefixes []string
	for _, name := range names {
		if prefix, ok := strings.CutSuffix(name, "posts"); ok && there[prefix+"options"] && schema.ValidPrefix(prefix) {
			prefixes = append(prefixes, prefix)
		}
	}
	return schema.Upgrade(ctx, db, prefixes...)
}
