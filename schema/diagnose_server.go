package schema

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// finding returns a Finding. advice may be empty.
func finding(level Level, subject, advice, text string, args ...any) Finding {
	return Finding{Level: level, Subject: subject, Advice: advice, Text: fmt.Sprintf(text, args...)}
}

func askVersion(ctx context.Context, p *examinedDB) ([]Finding, error) {
	ask, name := "SELECT VERSION()", "MySQL "
	if p.Embedded {
		ask, name = "SELECT sqlite_version()", "SQLite "
	}
	var version string
	if err := p.NewRaw(ask).Scan(ctx, &version); err != nil {
		return nil, err
	}
	if strings.Contains(strings.ToLower(version), "mariadb") {
		name = "MariaDB "
	}
	p.Server = name + version
	return []Finding{finding(OK, "", "", "%s", p.Server)}, nil
}

// askChanges reports whether answers can be cached, and how changes are detected.
func askChanges(ctx context.Context, p *examinedDB) ([]Finding, error) {
	const cached = "responses can be cached: changes are detected by "
	switch {
	case p.Embedded:
		return []Finding{finding(OK, "", "", cached+"the database's version")}, nil
	case strings.HasPrefix(p.Server, "MariaDB"):
		return []Finding{finding(OK, "", "", cached+"the times of transactions")}, nil
	}
	c, err := MySQLChanges(ctx, p)
	switch {
	case err != nil:
		return nil, err
	case c.Unknown != "":
		return []Finding{finding(Note, "", "", "responses are not cached: %s", c.Unknown)}, nil
	case c.Identified:
		return []Finding{finding(OK, "", "", cached+"global transaction identifiers")}, nil
	}
	return []Finding{finding(OK, "", "", cached+"the times of commits, and two seconds after one at the earliest; with log_bin and "+
		"gtid_mode=ON at once")}, nil
}

// askRights reports the result of MissingRights.
func askRights(_ context.Context, p *examinedDB) ([]Finding, error) {
	if len(p.missingRights) == 0 {
		return nil, nil
	}
	return []Finding{finding(Warning, "account", "grant it INSERT, UPDATE and DELETE, or leave it so for a calendar that only reads",
		"it may not write (%s); the calendar is read-only", strings.Join(p.missingRights, ", "))}, nil
}

// askSession reports what Check found out about the session.
func askSession(_ context.Context, p *examinedDB) ([]Finding, error) {
	return sessionFindings(p.Report), nil
}

func sessionFindings(r Report) (found []Finding) {
	mode := strings.Split(strings.ToUpper(r.SQLMode), ",")
	has := func(m string) bool { return slices.Contains(mode, m) }
	switch {
	case has("NO_BACKSLASH_ESCAPES"):
		found = append(found, finding(Problem, "sql_mode", "remove it, for instance with the DSN parameter sql_mode",
			"contains NO_BACKSLASH_ESCAPES, with which texts would be stored wrongly; the calendar does not start"))
	case has("NO_ZERO_DATE") || has("NO_ZERO_IN_DATE") || has("TRADITIONAL"):
		found = append(found, finding(OK, "sql_mode", "", "%q rejects the zero dates of drafts, so writes set their own "+
			"mode while they run", r.SQLMode))
	default:
		found = append(found, finding(OK, "sql_mode", "", "%q", r.SQLMode))
	}
	if r.Uncommitted {
		found = append(found, finding(Problem, "autocommit", "remove autocommit=0 from the DSN, or set its parameter autocommit=1",
			"is off, so a connection would keep reading the state of its first read; the calendar does not start"))
	}
	if slices.ContainsFunc(r.Charsets, func(c string) bool { return c != "utf8mb4" }) {
		return append(found, finding(Problem, "connection", "set the DSN parameter charset=utf8mb4",
			"its character set is %s: texts would be lost", strings.Join(r.Charsets, ", ")))
	}
	return append(found, finding(OK, "connection", "", "its character set is utf8mb4"))
}

// limits are server settings that may be too low for large sites.
type limits struct {
	Packet, Pool, Used int64
	BigSelects         bool
	ReadOnly           bool
}

func askLimits(ctx context.Context, p *examinedDB) ([]Finding, error) {
	var l limits
	var used sql.NullFloat64
	if err := p.NewRaw("SELECT @@max_allowed_packet, @@sql_big_selects, @@GLOBAL.read_only NOT IN ('0', 'OFF'), @@innodb_buffer_pool_size").
		Scan(ctx, &l.Packet, &l.BigSelects, &l.ReadOnly, &l.Pool); err != nil {
		return nil, err
	}
	err := p.NewRaw("SELECT SUM(DATA_LENGTH + INDEX_LENGTH) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").Scan(ctx,
		&used)
	l.Used = int64(used.Float64)
	return l.findings(), err
}

const mebibyte = 1 << 20

func (l limits) findings() (found []Finding) {
	if l.Packet < 4*mebibyte {
		level := Warning
		if l.Packet < mebibyte {
			level = Problem
		}
		found = append(found, finding(level, "max_allowed_packet", "set max_allowed_packet=16M or more in the server's configuration",
			"is %s: a post with long texts cannot be written, or read together with others", size(l.Packet)))
	}
	if !l.BigSelects {
		found = append(found,
			finding(Warning, "sql_big_selects", "ask the host of the database for sql_big_selects=ON, or set it in the DSN",
				"is off: the server rejects queries that it considers too large, such as lists of a large site"))
	}
	if l.ReadOnly {
		found = append(found, finding(Note, "read_only", "if it is a replica, write to its primary",
			"is on: the calendar can be read here but not changed"))
	}
	if l.Used > l.Pool {
		found = append(found, finding(Note, "innodb_buffer_pool_size", "give the server more memory, if this machine has some",
			"is %s for a database of %s: not all of it fits into memory", size(l.Pool), size(l.Used)))
	}
	return found
}

func size(bytes int64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= mebibyte:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/mebibyte)
	}
	return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
}

func askFile(ctx context.Context, p *examinedDB) (found []Finding, err error) {
	var answer []string
	if err := p.NewRaw("PRAGMA quick_check(5)").Scan(ctx, &answer); err != nil {
		return nil, err
	}
	if text := strings.Join(answer, "; "); text != "ok" {
		found = append(found, finding(Problem, "", "restore a backup", "the file is damaged: %s", text))
	}
	switch {
	case p.Report.Version > Version:
		found = append(found, finding(Problem, "", "use the newer program", "%s", errNewer(p.Report.Version)))
	case p.Report.Version < Version:
		found = append(found,
			finding(Note, "", "start the server once", "the tables have version %d, this program needs %d", p.Report.Version, Version))
	}
	return found, nil
}
