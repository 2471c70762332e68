package cli

import (
	"cmp"
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
)

// connectTimeout limits the first connection to a database.
const connectTimeout = 5 * time.Second

// DefaultConnections is the default maximum number of connections to a site's database.
const DefaultConnections = 32

// MySQL configures the connections to a database server. Zero values mean the defaults.
type MySQL struct {
	Flag        string        // the flag with the DSN, for errors; --dsn by default
	Connections int           // maximum number at a time, by default DefaultConnections
	Silence     time.Duration // how long the server may send nothing, by default a minute
	Log         *slog.Logger  // for messages of the driver; if nil, it writes to standard error
	Wait        time.Duration // how long to retry while the server is unreachable; after that the error is an AwayError
}

// driverLog logs the messages of the MySQL driver, which contain no part of a DSN.
type driverLog struct{ *slog.Logger }

func (l driverLog) Print(v ...any) {
	l.Warn("database driver", "message", strings.TrimSpace(fmt.Sprint(v...)))
}

// OpenMySQL connects to a site's database. It retries for use.Wait while the database is unreachable.
func OpenMySQL(ctx context.Context, dsn string, use MySQL) (*bun.DB, error) {
	until := time.Now().Add(use.Wait)
	for told := false; ; told = true {
		db, err := openMySQL(ctx, dsn, use)
		var away AwayError
		if err == nil || use.Wait <= 0 || !errors.As(err, &away) {
			return db, err
		}
		left := time.Until(until)
		if left <= 0 {
			return nil, fmt.Errorf("after %s: %w", use.Wait, away)
		}
		if !told && use.Log != nil {
			use.Log.Warn("waiting for the database", "reason", away, "at_most_s", use.Wait.Seconds())
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(left, time.Second)):
		}
	}
}

// openMySQL connects to a site's database. A mistake in the DSN, an unreachable server and wrong credentials are usage
// errors that state what to do; none contains the password.
func openMySQL(ctx context.Context, dsn string, use MySQL) (*bun.DB, error) {
	flag := cmp.Or(use.Flag, "--dsn")
	pool, cfg, err := mysqlPool(flag, dsn, use)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	var db *bun.DB
	if err = pool.PingContext(ctx); err == nil {
		db = bun.NewDB(pool, mysqldialect.New())
		err = store.Reach(ctx, db)
	}
	if err != nil {
		_ = pool.Close()
		return nil, Usage(explainMySQL(flag, cfg, err))
	}
	return db, nil
}

// OpenReplica returns a connection pool of a replica, which need not be reachable yet. Its DSN is the value of
// --replica.
func OpenReplica(dsn string, use MySQL) (*bun.DB, error) {
	pool, _, err := mysqlPool("--replica", dsn, use)
	if err != nil {
		return nil, err
	}
	return bun.NewDB(pool, mysqldialect.New()), nil
}

// mysqlPool returns a connection pool for the DSN of a flag, without connecting.
func mysqlPool(flag, dsn string, use MySQL) (*sql.DB, *mysql.Config, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, nil, Usagef("%s cannot be read: use user:password@tcp(host:3306)/name", flag)
	}
	if cfg.DBName == "" {
		return nil, nil, Usagef("%s does not name a database: use user:password@tcp(host:3306)/name", flag)
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = connectTimeout
	}
	silence := cmp.Or(use.Silence, time.Minute)
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = silence
	}
	if cfg.WriteTimeout == 0 {
		cfg.WriteTimeout = silence
	}
	if use.Log != nil {
		cfg.Logger = driverLog{use.Log}
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, nil, Usagef("%s cannot be used: use user:password@tcp(host:3306)/name", flag)
	}
	pool := sql.OpenDB(connector)
	// Idle connections stay open, because opening one costs more than most statements.
	pool.SetMaxOpenConns(cmp.Or(use.Connections, DefaultConnections))
	pool.SetMaxIdleConns(cmp.Or(use.Connections, DefaultConnections))
	pool.SetConnMaxIdleTime(5 * time.Minute)
	return pool, cfg, nil
}

// explainMySQL adds to an error of a connection what an operator can do about it. flag is the one with the DSN.
func explainMySQL(flag string, cfg *mysql.Config, err error) error {
	skipVerify := "tls=skip-verify in " + flag + " encrypts without proving who answers"
	useTLS := "add ?tls=true to " + flag + " (" + skipVerify + ")"
	var server *mysql.MySQLError
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &server) && server.Number == 1045 && cfg.TLSConfig == "": // the same number for an account that requires TLS
		return fmt.Errorf("the database at %s rejects user %q: check user and password in %s; if the account requires TLS, %s",
			cfg.Addr, cfg.User, flag, useTLS)
	case errors.As(err, &server) && (server.Number == 1045 || server.Number == 1698):
		return fmt.Errorf("the database at %s rejects user %q: check user and password in %s", cfg.Addr, cfg.User, flag)
	case errors.As(err, &server) && server.Number == 3159:
		return fmt.Errorf("the database at %s requires TLS: %s", cfg.Addr, useTLS)
	case errors.As(err, &server) && (server.Number == 1049 || server.Number == 1044):
		return fmt.Errorf("the server at %s has no database %q for user %q: check the name in %s", cfg.Addr, cfg.DBName, cfg.User, flag)
	case errors.As(err, &server) && dberr.FaultOf(err) == dberr.Passing: // full, shutting down, or a proxy that reaches no server
		return AwayError{fmt.Errorf("the database at %s rejects the connection: %s", cfg.Addr, server.Message)}
	case errors.As(err, &server):
		return fmt.Errorf("the database at %s rejects the connection: %s", cfg.Addr, server.Message)
	case errors.As(err, &certificate):
		return fmt.Errorf("the certificate of the database at %s cannot be verified (%w): %s", cfg.Addr, certificate.Err, skipVerify)
	case errors.As(err, &network), errors.Is(err, context.DeadlineExceeded), errors.Is(err, driver.ErrBadConn),
		errors.Is(err, mysql.ErrInvalidConn):
		return AwayError{fmt.Errorf("no database answers at %s: check the address in %s and that the server runs", cfg.Addr, flag)}
	}
	return fmt.Errorf("the database at %s cannot be used: %w", cfg.Addr, err)
}
